// Written by web/tools/generate.mjs from what the core says of itself; not to be edited.

import type { GroupName } from './generated.ts';
import type { QuestionName } from './types.ts';

/** The groups that each question asks for, also where a description has one question alone, as in posts. */
export const groupsOf: Readonly<Record<QuestionName, readonly GroupName[]>> = {
  training: ['chip', 'model', 'run'],
  operation: ['chip', 'model', 'mesh', 'operation'],
  collective: ['chip', 'mesh', 'collective'],
  plan: ['chip', 'model', 'run', 'layout', 'stack', 'assumptions', 'search'],
  serving: ['chip', 'model', 'serving', 'server'],
  reward: ['chip', 'model', 'reward', 'pools'],
  budget: ['chip', 'model', 'run', 'budget'],
};
