// The heights of a training by reward, drawn, which the page keeps before the drawing has loaded [px].

import type { Form } from '../form.ts';

/** Of a pool's row, and of the title over it. */
export const rows = { wide: 100, narrow: 122 };
export const title = 18;

/** Of so many pools. */
export const heightOf = (pools: number, form: Form): number => pools * (title + rows[form]);

/** Of the times of splits, and where no split fits. */
export const splitsHeight = { usual: 140, none: 30 };
