/** Where the browser's storage has the reader's own chips and models. */
export const storageKey = 'scaling-calculator.own';

/** Where what was there and could not be read is put aside. */
export const backupKey = `${storageKey}.unread`;
