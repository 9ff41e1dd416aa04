/**
 * Frames of the generators of the benchmark set with few triangles, for tests that render them
 * often.
 */
import type { Frame } from '@tessera/frame';
import {
  asteroidsFrame,
  cityCascadesFrame,
  galleryDrawsFrame,
  marketDeferredFrame,
  meadowFrame,
  valleyFrame,
} from '@tessera/scenes';

const SIZE = { widthPx: 160, heightPx: 90 } as const;
const MEADOW = { ...SIZE, seed: 4, tufts: 500, trees: 6, leavesPerTree: 40 } as const;

/** Makers of the frames by name. */
export const SMALL_BENCHMARK_FRAMES = {
  city: () => cityCascadesFrame({ ...SIZE, seed: 4, columns: 2, rows: 4, shadowMapPx: 96 }),
  market: () => marketDeferredFrame({ ...SIZE, seed: 4, lights: 24 }),
  gallery: () => galleryDrawsFrame({ ...SIZE, seed: 4, exhibits: 36, cases: 18, detail: 0.1 }),
  valley: () =>
    valleyFrame({ ...SIZE, seed: 4, tiles: 6, tileCells: 12, objects: 16, objectColumns: 6 }),
  asteroids: () => asteroidsFrame({ ...SIZE, seed: 4, instances: 300 }),
  'sorted meadow': () => meadowFrame({ ...MEADOW, order: 'front-to-back' }),
  'shuffled meadow': () => meadowFrame({ ...MEADOW, order: 'random' }),
} as const satisfies Readonly<Record<string, () => Frame>>;
