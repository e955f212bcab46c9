// Entry points to the library of custom presets, which loads on first use or if some are stored.

import { html, nothing, type TemplateResult } from 'lit';
import type { Place } from './any.ts';
import { storageKey } from '../../../custom/storage-key.ts';
import { afterPresets, Feature } from '../../kit/lazily.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { Features, RenderContext } from '../../kit/render-context.ts';

const dialog = new Feature((ctx) => afterPresets(ctx, () => import('./preset-library.ts')), 'own');

const kinds: readonly Place[] = ['model', 'chip', 'launch'];
const part = (kind: Place): string => `own ${kind}`;

/** The library, once it has loaded; loads it if presets are stored. */
function library(ctx: RenderContext): typeof dialog.value {
  if (somethingKept()) dialog.of(ctx).use(ctx.actions);
  return dialog.value;
}

function somethingKept(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

const called = ({ text: { ui } }: RenderContext, kind: Place): string =>
  ({ chip: ui.own.openChip, model: ui.own.openModel, launch: ui.own.openLaunch })[kind];

const open = ({ actions }: RenderContext, kind: Place): void => actions.toggle(part(kind));

export const customPresets: Required<Features>['customPresets'] = {
  options: (ctx, kind): Option[] => library(ctx)?.keptOptions(ctx, kind) ?? [],
  take: (ctx, kind, id) => library(ctx)?.takeKept(ctx, kind, id),
  stateWith: (ctx, kind, id) => library(ctx)?.stateWithKept(ctx, kind, id),
  current: (ctx, kind) => library(ctx)?.currentKept(ctx, kind),
  called,
  open,
  entry: (ctx, kind) =>
    html`<p class="own-entry">
      <button
        type="button"
        class="why"
        aria-haspopup="dialog"
        data-own=${kind}
        @click=${() => open(ctx, kind)}
      >
        ${called(ctx, kind)}
      </button>
    </p>`,
};

const asked = ({ open }: RenderContext): Place | undefined =>
  kinds.find((each) => open.has(part(each)));

/** The dialog, while it is open. */
export function presetLibrary(ctx: RenderContext): TemplateResult | typeof nothing {
  const kind = asked(ctx);
  if (!kind) return nothing;
  return dialog.draw(ctx, (words, { libraryDialog }) => libraryDialog(ctx, kind, words));
}

/** The dialog's loading progress. */
export const libraryProgress = (ctx: RenderContext): TemplateResult | typeof nothing =>
  asked(ctx) ? dialog.progress(ctx) : nothing;

/**
 * Reads a file that is dropped anywhere on the page, which the browser would otherwise show in its
 * place.
 */
export function catchDrops(contextOf: () => RenderContext | undefined): () => void {
  const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent): void => {
    if (hasFiles(event)) event.preventDefault();
  };
  const drop = async (event: DragEvent): Promise<void> => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const ctx = contextOf();
    if (!file || !ctx) return;
    const module = await dialog
      .of(ctx)
      .get()
      .catch(() => undefined);
    // If loading fails, the progress says so.
    const kind = module ? await module.receive(ctx, file) : 'model';
    const now = contextOf();
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
