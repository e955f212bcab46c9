/** The index that a key leads to from `index` among `count`; undefined for other keys. */
export function keyed(event: KeyboardEvent, index: number, count: number): number | undefined {
  const far = event.shiftKey ? 10 : 1;
  const target = {
    ArrowRight: index + far,
    ArrowUp: index + far,
    ArrowLeft: index - far,
    ArrowDown: index - far,
    PageUp: index + 10,
    PageDown: index - 10,
    Home: 0,
    End: count - 1,
  }[event.key];
  return target === undefined ? undefined : Math.min(count - 1, Math.max(0, target));
}
