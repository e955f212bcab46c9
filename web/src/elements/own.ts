// The way to the reader's own chips and models. What reads and keeps them is fetched when it is
// first asked for, or when something is kept already.

import { html, nothing, type TemplateResult } from 'lit';
import type { Kind } from '../own/things.ts';
import { shelfKey } from '../own/key.ts';
import { offerOwn } from './owned.ts';
import type { Option } from './preset-control.ts';
import type { Scope } from './scope.ts';

type Heavy = typeof import('./own/own.ts');
let heavy: Heavy | 'coming' | 'failed' | undefined;

async function bring(scope: Scope): Promise<Heavy | undefined> {
  if (typeof heavy === 'object') return heavy;
  heavy = 'coming';
  heavy = await import('./own/own.ts').catch(() => 'failed' as const);
  scope.actions.refresh();
  return heavy === 'failed' ? undefined : heavy;
}

const part = (kind: Kind): string => `own ${kind}`;

/** What is kept, once that is known. */
function shelf(scope: Scope): Heavy | undefined {
  if (heavy === undefined && somethingKept()) void bring(scope);
  return typeof heavy === 'object' ? heavy : undefined;
}

function somethingKept(): boolean {
  try {
    return localStorage.getItem(shelfKey) !== null;
  } catch {
    return false;
  }
}

offerOwn({
  options: (scope, kind): Option[] => shelf(scope)?.keptOptions(scope, kind) ?? [],
  take: (scope, kind, id) => shelf(scope)?.takeKept(scope, kind, id),
  current: (scope, kind) => shelf(scope)?.currentKept(scope, kind),
  entry: (scope, kind) => {
    const { own } = scope.text.ui;
    return html`<p class="own-entry">
      <button
        type="button"
        class="why"
        aria-haspopup="dialog"
        data-own=${kind}
        @click=${() => scope.actions.toggle(part(kind))}
      >
        ${kind === 'chip' ? own.openChip : own.openModel}
      </button>
      ${heavy === 'failed' ? scope.text.ui.notLoaded : nothing}
    </p>`;
  },
});

/** The dialog, while it is open. */
export function ownThings(scope: Scope): TemplateResult | typeof nothing {
  const kind = (['model', 'chip'] as const).find((each) => scope.open.has(part(each)));
  if (!kind) return nothing;
  void bring(scope);
  return html`<scaling-own .scope=${scope} .kind=${kind}></scaling-own>`;
}

/**
 * Reads a file that is dropped anywhere on the page, which the browser would otherwise show in its
 * place.
 */
export function catchDrops(scopeOf: () => Scope | undefined): () => void {
  const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent): void => {
    if (hasFiles(event)) event.preventDefault();
  };
  const drop = async (event: DragEvent): Promise<void> => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const scope = scopeOf();
    if (!file || !scope) return;
    const kind = await (await bring(scope))?.receive(scope, file);
    const now = scopeOf();
    if (!kind || !now) return;
    for (const each of ['model', 'chip'] as const) {
      if (now.open.has(part(each)) !== (each === kind)) now.actions.toggle(part(each));
    }
  };
  const onDrop = (event: DragEvent): void => void drop(event);
  addEventListener('dragover', over);
  addEventListener('drop', onDrop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', onDrop);
  };
}
