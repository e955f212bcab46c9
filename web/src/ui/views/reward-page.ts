// The view of training by reward, as the page has it.

export { reward as view } from './reward/reward.ts';
