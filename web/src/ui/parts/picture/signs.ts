/** Signs of what holds, what may, and what doesn't. */
export const signs = { fits: '✓', tight: '◐', over: '✕' } as const;
