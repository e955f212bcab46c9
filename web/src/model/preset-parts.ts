// The parts of the presets that load later: figures that few first views need, and the sources of all.

export const presetModules = {
  more: () => import('./more-presets.ts'),
  sources: () => import('./preset-sources.ts'),
};
