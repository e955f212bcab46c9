import type { Finding } from './data.ts';
import { keyed } from './keys.ts';
import { Picker } from './picker.ts';
import type { PlanWords, Words } from './words.ts';

/** The distance at which the pointer picks a dot; wide enough for a finger. */
const reach = 24;

/** A chart of dots. The reader chooses one of the data's points; further dots are only read. */
export abstract class DotPicker<
  Data extends Finding & { points: readonly unknown[] },
  Said extends Words = PlanWords,
> extends Picker<Data, Said> {
  protected abstract readonly layout: { dots: readonly { x: number; y: number }[] };

  protected override hover(x: number | undefined, y: number): void {
    super.hover(x, y);
    this.toggleAttribute('grabbing', this.pointed !== undefined);
  }

  protected override find(x: number, y: number): number | undefined {
    let least = reach;
    let found: number | undefined;
    this.layout.dots.forEach((dot, index) => {
      const distance = Math.hypot(dot.x - x, dot.y - y);
      if (distance < least) [least, found] = [distance, index];
    });
    return found;
  }

  protected override keyed(event: KeyboardEvent, from: number): number | undefined {
    return keyed(event, from, this.count(this.data!));
  }

  protected override choose(index: number): void {
    if (index < this.data!.points.length) this.tell({ index }, true);
  }
}
