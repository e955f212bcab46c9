import { html, type TemplateResult } from 'lit';
import { stay } from '../../dom/stay.ts';

/**
 * Radio buttons with a form of their own. Without one they are a group of their shadow tree, in which
 * Chromium keeps them once they are removed, and with them all that was around them.
 */
export const radios = (content: TemplateResult): TemplateResult =>
  html`<form class="radios" @submit=${stay}>${content}</form>`;
