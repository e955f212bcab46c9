/** Frames in which the page may still change above: charts are drawn once their code is there. */
const held = 90;
/** Room below what is held, and above for the answers that stay in view [px]. */
const margin = 16;
const roomAbove = 120;

let holding: AbortController | undefined;

/**
 * Keeps an element where the reader has it, whatever becomes taller or shorter above, and all of it
 * in view if there is room. Ends when the reader scrolls, types or presses.
 */
export function keepStill(element: Element | null): void {
  holding?.abort();
  if (!element) return;
  const hold = new AbortController();
  holding = hold;
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    addEventListener(type, () => hold.abort(), {
      signal: hold.signal,
      passive: true,
      capture: true,
    });
  }
  const { top } = element.getBoundingClientRect();
  let frames = held;
  const correct = (): void => {
    if (hold.signal.aborted || !element.isConnected || frames-- === 0) return hold.abort();
    const box = element.getBoundingClientRect();
    const beyond = Math.min(top + box.height + margin - innerHeight, top - roomAbove);
    const by = box.top - top + Math.max(0, beyond);
    if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: 'instant' });
    requestAnimationFrame(correct);
  };
  requestAnimationFrame(correct);
}
