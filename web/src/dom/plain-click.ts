/** Whether a click on a link is one that the page may follow itself: no new tab, no new window. */
export const isPlain = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  !(ctrlKey || metaKey || shiftKey);
