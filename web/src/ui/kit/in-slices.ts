// Draws in slices, a little in each frame: formulas are thousands of elements, and drawn at once
// they would hold up the reader for a third of a second.

import { noChange } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';

/** The most that is drawn between two frames, in nodes of expressions. */
const perFrame = 90;

let left = perFrame;
let frame = 0;
const waiting = new Set<Slice>();

function plan(): void {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    left = perFrame;
    for (let [slice] = waiting; slice && left > 0; [slice] = waiting) {
      waiting.delete(slice);
      const others = [...waiting];
      waiting.clear();
      slice.draw();
      // The parts inside of it come before those that stand below.
      for (const other of others) if (other.isConnected) waiting.add(other);
    }
    // The next frame is planned also to begin anew with a whole one.
    if (waiting.size > 0 || left < perFrame) plan();
  });
}

class Slice extends AsyncDirective {
  private of: readonly unknown[] = [];
  private weight = 0;
  private make: (() => unknown) | undefined;

  render(of: readonly unknown[], weight: number, make: () => unknown): unknown {
    const isSame = of.length === this.of.length && of.every((each, at) => each === this.of[at]);
    if (isSame) {
      // One that waits draws with what it was given last.
      if (waiting.has(this)) this.make = make;
      return noChange;
    }
    this.of = of;
    this.weight = weight;
    if (waiting.size === 0 && weight <= left) {
      left -= weight;
      plan();
      return make();
    }
    this.make = make;
    waiting.add(this);
    plan();
    return noChange;
  }

  draw(): void {
    left -= this.weight;
    const value = this.make?.();
    this.make = undefined;
    this.setValue(value);
  }

  protected override disconnected(): void {
    waiting.delete(this);
  }

  protected override reconnected(): void {
    if (!this.make) return;
    waiting.add(this);
    plan();
  }
}

/**
 * What `make` gives, drawn in one of the next frames; until then, what stood there before. It is
 * drawn again when one of the things changes that it is made `of`.
 */
export const inSlices = directive(Slice);

/** A weight that fills a frame alone. */
export const wholeFrame = perFrame;
