// Sources of the presets' figures, except for prices. They load on first use, as few readers ask.

export { chips, models } from 'virtual:preset-sources';
