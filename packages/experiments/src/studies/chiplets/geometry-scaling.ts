/**
 * Study of the speed-up of a single frame over the number of its triangles, if one chiplet runs the
 * visibility phase, and if all chiplets share it.
 */
import { terrainFrame } from '@tessera/scenes';
import { studySharedVisibility } from './shared-visibility-study.ts';

/** Numbers of triangles of the terrain, by the names of the scenes. */
const TRIANGLES = {
  'terrain 10k': 10_082,
  'terrain 100k': 100_352,
  'terrain 1M': 999_698,
  'terrain 10M': 9_999_392,
} as const;

/** The study. */
export const GEOMETRY_SCALING = studySharedVisibility({
  scenes: Object.fromEntries(
    Object.entries(TRIANGLES).map(([name, triangles]) => [
      name,
      (size) => terrainFrame({ ...size, triangles }),
    ]),
  ),
  chipletCounts: [4, 16, 64, 256],
  bins: 256, // for the largest number of chiplets
  title: 'Speed-up of a frame by its number of triangles',
});
