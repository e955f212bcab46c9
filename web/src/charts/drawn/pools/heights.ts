// The heights of a training by reward, drawn, which the page keeps before the drawing has loaded [px].

import type { Form } from '../form.ts';

/** The heights of a pool's row and of the title over it. */
export const rows = { wide: 100, narrow: 122 };
export const title = 18;

/** The height of so many pools. */
export const heightOf = (pools: number, form: Form): number => pools * (title + rows[form]);

/** The heights of the curve of splits, and of the line that stands where no split fits. */
export const splitsHeight = { usual: 140, none: 30 };
