/** The key of custom presets in the browser's storage. */
export const storageKey = 'scaling-calculator.own';

/** The key under which unreadable storage is set aside. */
export const backupKey = `${storageKey}.unread`;
