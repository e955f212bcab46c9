// The two forms of a drawing: parts beside each other, or one below the other.

export type Form = 'wide' | 'narrow';

/** Narrower drawings put one thing below the other [px]. */
const narrowBelow = 700;

export const formOf = (width: number): Form => (width < narrowBelow ? 'narrow' : 'wide');
