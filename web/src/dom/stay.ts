/** A listener that keeps the focus, or the page, where it is. */
export const stay = (event: Event): void => event.preventDefault();
