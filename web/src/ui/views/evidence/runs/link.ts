// The link that opens a run in the view that predicts it.

import { writeAddress } from '../../../../link/address.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from './collection.ts';
import type { Run } from './run.ts';

export const linkOf = ({ description }: RenderContext, collection: Collection, run: Run): string =>
  writeAddress(description, collection.stateOf(description, run));
