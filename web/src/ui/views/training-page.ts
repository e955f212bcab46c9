// The view of a training as the book counts it, with fixes, and with what is predicted of it.

import type { View } from '../parts/view.ts';
import { trainingOffers } from './predicted.ts';
import { trainingFixes } from './training/fixes.ts';
import { training } from './training/training.ts';

export const view: View = { ...training, ...trainingFixes, ...trainingOffers };
