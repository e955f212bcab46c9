import text from './terms.css?inline';
import { Tip, type More } from './tip.ts';
import { adopt, sheetOf } from '../../../dom/sheet.ts';

const style = sheetOf(text);

/**
 * A term in a text. Its meaning shows while the pointer is over it or over what is shown, while it
 * has the focus, and at a touch; Escape closes it. Enter, or Space, goes on to the link beside the
 * meaning, which leads to the term's place in the index.
 */
export class TermMark extends HTMLElement {
  declare says: string;
  declare more: () => More;
  private tip!: Tip;
  /** It was open when the pointer came down: the same press closes it. */
  private closes = false;

  connectedCallback(): void {
    this.tip = Tip.of(this);
    adopt(this.getRootNode(), style);
  }

  disconnectedCallback(): void {
    this.tip.close(this);
  }

  constructor() {
    super();
    this.addEventListener('pointerenter', ({ pointerType }) => {
      if (pointerType === 'mouse') this.open();
    });
    this.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType === 'mouse' && !this.matches(':focus')) this.tip.closeSoon(this);
    });
    this.addEventListener('focus', () => this.open());
    this.addEventListener('blur', ({ relatedTarget }) => {
      if (!this.tip.holds(relatedTarget)) this.tip.close(this);
    });
    this.addEventListener('pointerdown', ({ pointerType }) => {
      this.closes = pointerType !== 'mouse' && this.tip.shows(this);
    });
    this.addEventListener('click', () => {
      if (this.closes) this.tip.close(this);
      else this.open();
      this.closes = false;
    });
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      this.open();
      this.tip.goOn(this);
    });
  }

  private open(): void {
    this.tip.open(this, this.says, this.more());
  }
}
