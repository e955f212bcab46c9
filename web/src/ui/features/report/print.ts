import { Lazy } from '../../../engine/lazy.ts';
import { partOf } from '../../../i18n/dictionary.ts';
import type { Printed } from './printed.ts';

const reports = new Lazy(() => import('./report.ts'));

/** Whether the report that is being printed stands there already. */
let isShown = false;

/**
 * Prints a report, once what it takes is there; without that, what is on the page. The report is
 * drawn before: while it prints, Chromium halts the page and calls no policy of Trusted Types, so
 * that no template can be made.
 */
export async function print(printed: Printed): Promise<void> {
  const { derivations } = printed.ctx.actions;
  const titles = partOf(printed.ctx.language, 'sources');
  await Promise.allSettled([reports.get(), derivations.get(), titles.get()]);
  if (derivations.value && reports.value) {
    await reports.value.prepare(printed);
    reports.value.show(printed);
    isShown = true;
  }
  try {
    window.print();
  } finally {
    isShown = false;
  }
}

/**
 * Prints a report, however the reader prints. Its parts load when it is asked for: the browser's
 * own menu does not wait for that, so it then prints the page as it is.
 */
export function catchPrints(printed: () => Printed | undefined): () => void {
  const press = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
    if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== 'p') return;
    const now = printed();
    if (!now) return;
    event.preventDefault();
    void print(now);
  };
  const before = (): void => {
    const now = isShown ? undefined : printed();
    // A report needs derivations.
    if (!now || !now.ctx.actions.derivations.value) return;
    try {
      reports.value?.show(now);
    } catch {
      // A template that was never drawn before: the page prints as it is.
      reports.value?.hide();
    }
  };
  const after = (): void => reports.value?.hide();
  addEventListener('keydown', press);
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  return () => {
    removeEventListener('keydown', press);
    removeEventListener('beforeprint', before);
    removeEventListener('afterprint', after);
  };
}
