/** Long enough to go from a term to what it means. */
const patience = 300;
/** The distance between the tip and its term, and from the window's edge. */
const gap = 6;
const margin = 8;

/** A heading or the name of a field, not a word in a sentence. */
const isName = (term: HTMLElement): boolean =>
  term.closest('h3, .name') !== null && !term.closest('.help');

/**
 * The box with the meaning of a term: on top of all else, above the term or below it, never over it.
 * Sighted readers see it; screen readers say it with the term.
 */
export class Tip {
  private static readonly tips = new WeakMap<Node, Tip>();
  private readonly box = document.createElement('div');
  private term: HTMLElement | undefined;
  private closing: ReturnType<typeof setTimeout> | undefined;
  /** Text that comes or goes before a term moves it, as a change of the window does. */
  private readonly moves = new ResizeObserver(() => {
    if (this.term) this.place(this.term);
  });

  /** The one of the tree that a term is in. */
  static of(term: HTMLElement): Tip {
    const root = term.getRootNode();
    const tip = this.tips.get(root) ?? new Tip();
    this.tips.set(root, tip);
    return tip;
  }

  private constructor() {
    this.box.className = 'tip';
    this.box.popover = 'manual';
    this.box.setAttribute('aria-hidden', 'true');
    this.box.addEventListener('pointerenter', () => clearTimeout(this.closing));
    this.box.addEventListener('pointerleave', () => {
      if (this.term && !this.term.matches(':focus')) this.closeSoon(this.term);
    });
  }

  shows(term: HTMLElement): boolean {
    return this.term === term;
  }

  open(term: HTMLElement, says: string): void {
    clearTimeout(this.closing);
    if (this.term === term) return;
    if (this.term) this.close(this.term);
    this.term = term;
    if (!this.box.isConnected) term.getRootNode().appendChild(this.box);
    this.box.textContent = says;
    this.box.showPopover();
    this.place(term);
    window.addEventListener('keydown', this.onKeydown, true);
    window.addEventListener('pointerdown', this.onPointerdown, true);
    this.moves.observe(document.body);
  }

  closeSoon(term: HTMLElement): void {
    clearTimeout(this.closing);
    this.closing = setTimeout(() => this.close(term), patience);
  }

  close(term: HTMLElement): void {
    if (this.term !== term) return;
    clearTimeout(this.closing);
    this.term = undefined;
    if (this.box.isConnected) this.box.hidePopover();
    window.removeEventListener('keydown', this.onKeydown, true);
    window.removeEventListener('pointerdown', this.onPointerdown, true);
    this.moves.disconnect();
  }

  /** Places the tip in the document, so that it scrolls with the term. */
  private place(term: HTMLElement): void {
    const lines = term.getClientRects();
    const [first, last] = [lines[0]!, lines[lines.length - 1]!];
    const { clientWidth, clientHeight } = document.documentElement;
    const { offsetWidth, offsetHeight } = this.box;
    const above = first.top - gap - offsetHeight;
    const below = last.bottom + gap;
    // A heading belongs to the text below it.
    const fits = { above: above >= margin, below: below + offsetHeight <= clientHeight };
    const top = fits.above && (isName(term) || !fits.below) ? above : below;
    const left = Math.max(margin, Math.min(last.left, clientWidth - margin - offsetWidth));
    this.box.style.top = `${top + scrollY}px`;
    this.box.style.left = `${left + scrollX}px`;
  }

  /** Handles the key before all others: Escape closes the tip first. */
  private readonly onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.term) return;
    event.stopPropagation();
    this.close(this.term);
  };

  private readonly onPointerdown = (event: PointerEvent): void => {
    const path = event.composedPath();
    if (this.term && !path.includes(this.term) && !path.includes(this.box)) this.close(this.term);
  };
}
