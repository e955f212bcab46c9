// The start of the page. Modules and texts load side by side, to save round trips.

import './dom/import-again.ts';
import { recall } from './dom/storage.ts';
import { moduleImports } from './engine/module-imports.ts';
import { chartsOf, questions, views } from './model/views.ts';
import { dictionaryOf, partOf } from './i18n/dictionary.ts';
import { chooseLanguage, mannerOf, type Language } from './i18n/language.ts';
import { wishesOfReader } from './i18n/reader.ts';
import { lazyViews } from './ui/views/lazy-views.ts';

const view = new URLSearchParams(location.hash.slice(1)).get('view');

/** Begins to load what will be asked for; whoever asks is told where it can't be had. */
function preload(...parts: readonly (() => Promise<unknown>)[]): void {
  for (const part of parts) part().catch(() => undefined);
}

/** Says in the shell that the page's modules have not loaded. */
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
  preload(() => dictionaryOf(language).get());
  const question = questions.find((each) => each === view);
  if (question) {
    preload(...(views[question].texts ?? []).map((part) => () => partOf(language, part).get()));
    const page = lazyViews.get(question);
    const { module } = views[question];
    if (page) preload(page, ...(module ? [moduleImports[module]] : []));
    else if (chartsOf(question).length > 0) {
      preload(() => import('./ui/parts/explorer/explorer.ts'));
    }
  }
  try {
    await import('./ui/shell/page.ts');
  } catch {
    showFailure(shell, language);
  }
}

void start();
