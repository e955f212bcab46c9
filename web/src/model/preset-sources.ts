// Where the presets' figures come from, but for prices: few readers ask.

export { chips, models } from 'virtual:preset-sources';
