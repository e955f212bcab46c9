import { Lazy } from '../../../engine/lazy.ts';
import { partOf } from '../../../i18n/dictionary.ts';
import type { Printed } from './printed.ts';

const reports = new Lazy(() => import('./report.ts'));

/** Prints a report, once what it takes is there; without that, what is on the page. */
export async function print(printed: Printed): Promise<void> {
  const { derivations } = printed.ctx.actions;
  const titles = partOf(printed.ctx.language, 'sources');
  await Promise.allSettled([reports.get(), derivations.get(), titles.get()]);
  if (derivations.value) await reports.value?.prepare(printed);
  window.print();
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
    const now = printed();
    // A report needs derivations.
    if (now && now.ctx.actions.derivations.value) reports.value?.show(now);
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
