// The start of the page. Modules and texts load side by side, to save round trips.

import { define } from './dom/define.ts';
import { putRight } from './dom/own-document.ts';
import { recall } from './dom/storage.ts';
import { questions, tabs } from './model/views.ts';
import { chooseLanguage, languageInfo, type Language } from './i18n/language.ts';
import { wishesOfReader } from './i18n/reader.ts';
import { preload } from './ui/views/preload.ts';

const view = new URLSearchParams(location.hash.slice(1)).get('view');

/** Says in the shell that the page has not loaded, or could not be drawn. */
function showFailure(page: Element | null, language: Language): void {
  const shell = page?.querySelector('.shell');
  if (!shell) return;
  page!.replaceWith(shell); // What can't be drawn hides what it holds.
  const { notLoaded, retry } = languageInfo(language);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = retry;
  button.addEventListener('click', () => location.reload());
  shell.querySelector('[role]')?.replaceChildren(notLoaded, ' ', button);
}

async function start(): Promise<void> {
  putRight();
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
  shell?.addEventListener('undrawn', () => showFailure(shell, language));
  // Without a link, the page begins with the first.
  const first = location.hash.length > 1 ? view : tabs[0];
  preload(
    language,
    questions.find((each) => each === first),
  );
  try {
    define('scaling-page', (await import('./ui/shell/page.ts')).ScalingPage);
  } catch {
    showFailure(shell, language);
  }
}

void start();
