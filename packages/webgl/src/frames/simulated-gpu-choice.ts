import type { LocalGpuOptions, RenderOptions } from '@tessera/local-gpu';

/** The simulated GPU of a context, and how it divides a frame among its chiplets. */
export interface SimulatedGpuChoice
  extends Omit<LocalGpuOptions, 'hostCount'>,
    Omit<RenderOptions, 'visibilitySwitches' | 'isVisibilityChipletRendering'> {}
