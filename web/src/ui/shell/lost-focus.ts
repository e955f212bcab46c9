// Where the focus goes when what had it is gone: a button that was pressed often takes itself away.

const controls =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, textarea, [tabindex]';

const isSeen = (element: Element): boolean => element.getClientRects().length > 0;

/** Finds a new place for a focus that would fall back to the document, so that who goes on by keys
 *  goes on from where they were. */
export class LostFocus {
  /** What had the focus last, and what stood around and before it then. */
  private last: Element | undefined;
  private around: readonly Element[] = [];
  private before: ReadonlySet<Element> = new Set();
  private readonly root: ShadowRoot;
  private readonly changes = new MutationObserver(() => this.check());

  constructor(root: ShadowRoot) {
    this.root = root;
  }

  connect(): void {
    this.root.addEventListener('focusin', this.note);
    // What is hidden keeps the focus until the next frame.
    this.root.addEventListener('focusout', this.wait);
    addEventListener('pointerdown', this.forget, true);
    this.changes.observe(this.root, { childList: true, subtree: true });
  }

  disconnect(): void {
    this.root.removeEventListener('focusin', this.note);
    this.root.removeEventListener('focusout', this.wait);
    removeEventListener('pointerdown', this.forget, true);
    this.changes.disconnect();
  }

  private readonly note = ({ target }: Event): void => {
    const focused = target as Element;
    const around: Element[] = [];
    for (let each = focused.parentElement; each; each = each.parentElement) around.push(each);
    const all = [...this.root.querySelectorAll(controls)];
    this.last = focused;
    this.around = around;
    this.before = new Set(all.slice(0, all.indexOf(focused)));
  };

  private readonly wait = (): void => {
    requestAnimationFrame(() => this.check());
  };

  /** Who presses elsewhere has taken the focus away. */
  private readonly forget = (event: Event): void => {
    if (this.last && !event.composedPath().includes(this.last)) this.last = undefined;
  };

  private check(): void {
    const { last, root } = this;
    if (!last || root.activeElement || !document.hasFocus()) return;
    if (last.isConnected && isSeen(last)) return;
    this.last = undefined;
    // A link leads to something that begins at its top.
    if (!last.matches('a')) this.move(last);
  }

  /** The nearest control within the smallest part that is left: the last of those before it. */
  private move(last: Element): void {
    for (const part of [...this.around, this.root]) {
      if (part instanceof Element && !part.isConnected) continue;
      const left = [...part.querySelectorAll<HTMLElement>(controls)].filter(
        (each) => each !== last && isSeen(each),
      );
      const next = left.filter((each) => this.before.has(each)).at(-1) ?? left[0];
      if (next) return next.focus({ preventScroll: true });
    }
  }
}
