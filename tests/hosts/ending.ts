// Ends what the places of a file began. Files share a process and its modules, so each file runs
// this after its tests.

import { afterAll } from 'vitest';
import { endAll } from './places.ts';

afterAll(endAll);
