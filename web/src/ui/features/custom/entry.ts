// The way to the reader's own chips and models. What reads and keeps them loads on first use, or when
// something is kept already.

import { html, nothing, type TemplateResult } from 'lit';
import type { Kind } from '../../../custom/custom-presets.ts';
import { storageKey } from '../../../custom/storage-key.ts';
import { Feature } from '../../kit/lazily.ts';
import { provideCustomPresets } from '../../parts/question/preset-choice.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { Scope } from '../../kit/scope.ts';

const dialog = new Feature(() => import('./preset-library.ts'), 'own');

const kinds: readonly Kind[] = ['model', 'chip'];
const part = (kind: Kind): string => `own ${kind}`;

/** What is kept, once that is known. */
function library(scope: Scope): typeof dialog.module.value {
  if (somethingKept()) dialog.module.use(scope.actions);
  return dialog.module.value;
}

function somethingKept(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

const called = ({ text }: Scope, kind: Kind): string =>
  kind === 'chip' ? text.ui.own.openChip : text.ui.own.openModel;

const open = ({ actions }: Scope, kind: Kind): void => actions.toggle(part(kind));

provideCustomPresets({
  options: (scope, kind): Option[] => library(scope)?.keptOptions(scope, kind) ?? [],
  take: (scope, kind, id) => library(scope)?.takeKept(scope, kind, id),
  current: (scope, kind) => library(scope)?.currentKept(scope, kind),
  called,
  open,
  entry: (scope, kind) =>
    html`<p class="own-entry">
      <button
        type="button"
        class="why"
        aria-haspopup="dialog"
        data-own=${kind}
        @click=${() => open(scope, kind)}
      >
        ${called(scope, kind)}
      </button>
    </p>`,
});

const asked = ({ open }: Scope): Kind | undefined => kinds.find((each) => open.has(part(each)));

/** The dialog, while it is open. */
export function presetLibrary(scope: Scope): TemplateResult | typeof nothing {
  const kind = asked(scope);
  if (!kind) return nothing;
  return dialog.draw(
    scope,
    (words) => html`<scaling-own .scope=${scope} .kind=${kind} .words=${words}></scaling-own>`,
  );
}

/** What there is to say of the dialog before it is there. */
export const libraryProgress = (scope: Scope): TemplateResult | typeof nothing =>
  asked(scope) ? dialog.progress(scope) : nothing;

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
    const module = await dialog.module.get().catch(() => undefined);
    // Where nothing can read it, the place of the dialog says so.
    const kind = module ? await module.receive(scope, file) : 'model';
    const now = scopeOf();
    if (!now) return;
    for (const each of kinds) {
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
