import { bare } from '../engine/bare.ts';
import type { State } from '../model/state.ts';

/** A state without what it is compared with, and without what it draws: that is not compared. */
const alone = (state: State): State => ({ ...state, pinned: undefined, charts: bare({}) });

/** The state with itself kept for comparison. */
export const kept = (state: State): State => ({ ...state, pinned: alone(state) });

/** The state without what is kept. */
export const released = (state: State): State => ({ ...state, pinned: undefined });

/** Exchanges the present state and the kept one. */
export const exchanged = (state: State): State =>
  state.pinned ? { ...state.pinned, pinned: alone(state) } : state;

/** A state to go to from another, with what that keeps. */
export const keeping = (state: State, { pinned }: State): State =>
  pinned ? { ...state, pinned } : state;
