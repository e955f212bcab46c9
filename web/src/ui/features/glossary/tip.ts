import { isPlain } from '../../../dom/plain-click.ts';

/** Long enough to go from a term to what it means. */
const patience = 300;
/** The distance between the tip and its term, and from the window's edge. */
const gap = 6;
const margin = 8;

/** Where more is said of a term. */
export interface More {
  readonly label: string;
  readonly link: string;
  go(): void;
}

/** A heading or the name of a field, not a word in a sentence. */
const isName = (term: HTMLElement): boolean =>
  term.closest('h3, .name') !== null && !term.closest('.help');

/**
 * The box with the meaning of a term: on top of all else, above the term or below it, never over it.
 * Sighted readers see it; screen readers say it with the term, until the reader goes on into it.
 */
export class Tip {
  private static readonly tips = new WeakMap<Node, Tip>();
  private readonly box = document.createElement('div');
  private readonly meaning = document.createElement('span');
  private readonly link = document.createElement('a');
  private go: () => void = () => undefined;
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
    // Whoever tabs through a text need not pass by each link beside it.
    this.link.tabIndex = -1;
    this.box.append(this.meaning, ' ', this.link);
    this.link.addEventListener('click', (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      const { go, term } = this;
      if (term) this.close(term);
      go();
    });
    this.link.addEventListener('keydown', (event) => {
      // The next stop is the term's next.
      if (event.key !== 'Tab') return;
      const { term } = this;
      term?.focus();
      if (event.shiftKey) event.preventDefault();
    });
    this.link.addEventListener('blur', ({ relatedTarget }) => {
      if (this.term && relatedTarget !== this.term) this.close(this.term);
    });
    this.box.addEventListener('pointerenter', () => clearTimeout(this.closing));
    this.box.addEventListener('pointerleave', () => {
      if (this.term && !this.term.matches(':focus')) this.closeSoon(this.term);
    });
  }

  shows(term: HTMLElement): boolean {
    return this.term === term;
  }

  /** Whether the focus goes into what is shown. */
  holds(target: EventTarget | null): boolean {
    return target instanceof Node && this.box.contains(target);
  }

  /** Takes the focus from a term to the link beside its meaning. */
  goOn(term: HTMLElement): void {
    if (this.term !== term) return;
    this.box.removeAttribute('aria-hidden');
    this.link.focus();
  }

  open(term: HTMLElement, says: string, more: More): void {
    clearTimeout(this.closing);
    if (this.term === term) return;
    if (this.term) this.close(this.term);
    this.term = term;
    if (!this.box.isConnected) term.getRootNode().appendChild(this.box);
    this.meaning.textContent = says;
    this.link.textContent = more.label;
    this.link.href = more.link;
    this.go = more.go;
    this.box.setAttribute('aria-hidden', 'true');
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
    const { term } = this;
    // While it is open, the focus that comes back does not open it anew.
    if (this.link.matches(':focus')) term.focus();
    this.close(term);
  };

  private readonly onPointerdown = (event: PointerEvent): void => {
    const path = event.composedPath();
    if (this.term && !path.includes(this.term) && !path.includes(this.box)) this.close(this.term);
  };
}
