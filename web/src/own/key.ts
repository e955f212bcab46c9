/** Where the browser's storage has the reader's own chips and models. */
export const shelfKey = 'scaling-calculator.own';
