// The presets that few first views need.

export { more } from 'virtual:more-presets';
