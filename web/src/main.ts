// What the page starts with. Modules and texts load side by side, since slow networks have long ways.

import { recall } from './state/memory.ts';
import { dictionaryOf, partOf } from './text/dictionary.ts';
import { chooseLanguage, mannerOf, type Language } from './text/language.ts';
import { wishesOfReader } from './text/reader.ts';

const view = new URLSearchParams(location.hash.slice(1)).get('view');

/** Begins to load what will be asked for; whoever asks is told where it can't be had. */
function preload(...parts: readonly (() => Promise<unknown>)[]): void {
  for (const part of parts) part().catch(() => undefined);
}

/** Without the page's modules, the shell says so. */
function showFailure(shell: Element | null, language: Language): void {
  const { notLoaded, retry } = mannerOf(language);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = retry;
  button.addEventListener('click', () => location.reload());
  shell?.querySelector('[role="status"]')?.replaceChildren(notLoaded, ' ', button);
}

async function start(): Promise<void> {
  const shell = document.querySelector('scaling-page');
  if (new URLSearchParams(location.search).has('embed')) {
    document.documentElement.dataset['embed'] = '';
    try {
      const { showFrame } = await import('./embed/frame.ts');
      shell?.remove();
      showFrame();
    } catch {
      showFailure(shell, chooseLanguage(...wishesOfReader()));
    }
    return;
  }
  const theme = recall('theme');
  if (theme) document.documentElement.dataset['theme'] = theme;
  const language = chooseLanguage(...wishesOfReader());
  preload(() => dictionaryOf(language, false).get());
  if (view === 'plan') {
    preload(
      () => partOf(language, 'plan').get(),
      () => import('./elements/plan/plan.ts'),
      () => import('./engine/planner.ts'),
    );
  } else if (view === 'operation' || view === 'collective') {
    preload(() => import('./elements/laboratory/laboratory.ts'));
  }
  try {
    await import('./elements/page.ts');
  } catch {
    showFailure(shell, language);
  }
}

void start();
