/**
 * Study of the speed-up of a single frame over the number of its triangles, if one chiplet runs the
 * visibility phase, and if all chiplets share it.
 */
import { terrainFrame } from '@tessera/scenes';
import {
  bytesOnLink,
  type ChipletStudy,
  COMMON_CONTEXT,
  onOneChiplet,
  percent,
  rowsWhere,
  simulateAlone,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [4, 16, 64, 256];
/** Numbers of triangles of the terrain, by the names of the scenes. */
const TRIANGLES = {
  'terrain 10k': 10_082,
  'terrain 100k': 100_352,
  'terrain 1M': 999_698,
  'terrain 10M': 9_999_392,
} as const;
/** Bins for the largest number of chiplets. */
const BINS = 256;
const VISIBILITY = ['one', 'all'] as const;

/** The study. */
export const GEOMETRY_SCALING: ChipletStudy = {
  scenes: Object.fromEntries(
    Object.entries(TRIANGLES).map(([name, triangles]) => [
      name,
      (size) => terrainFrame({ ...size, triangles }),
    ]),
  ),
  settings: () =>
    [1, ...CHIPLET_COUNTS].map((visibilityChiplets) => ({
      ...{ bins: BINS, visibility: 'minimal', visibilityChiplets },
    })),
  context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated', overlap: 'none' },
  figures: (scenes) => ({
    head: [
      ...['scene', 'visibilityOn', 'chiplets', 'visibilityCycles', 'cycles', 'speedUp'],
      'crossingBytes',
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [one, ...shared] }) => {
      const alone = onOneChiplet(one!);
      return VISIBILITY.flatMap((visibilityOn) => [
        [scene, visibilityOn, 1, alone.visibilityCycles, alone.cycles, '1.0000', 0],
        ...CHIPLET_COUNTS.map((chiplets, i) => {
          const measurement = visibilityOn === 'one' ? one! : shared[i]!;
          const { cycles, simulated } = simulateAlone(measurement, chiplets);
          const { visibilityStartCycle, visibilityEndCycle } = simulated.frames[0]!.passes[0]!;
          return [
            ...[scene, visibilityOn, chiplets, visibilityEndCycle - visibilityStartCycle, cycles],
            (alone.cycles / cycles).toFixed(4),
            bytesOnLink(simulated).crossingBytes,
          ];
        }),
      ]);
    }),
  }),
  summarize: (rows) => {
    const scenes = [...new Set(rows.map(({ scene }) => scene!))];
    const speedUpOf = (scene: string, visibilityOn: string, chiplets: number) =>
      Number(rowsWhere(rows, { scene, visibilityOn, chiplets })[0]!.speedUp);
    return {
      table: {
        head: [
          'scene',
          'visibility on one chiplet',
          ...CHIPLET_COUNTS.flatMap((count) => [`N = ${count}, by one`, 'by all']),
        ],
        rows: scenes.map((scene) => {
          const one = rowsWhere(rows, { scene, visibilityOn: 'one', chiplets: 1 })[0]!;
          return [
            scene,
            percent(Number(one.visibilityCycles) / Number(one.cycles)),
            ...CHIPLET_COUNTS.flatMap((count) =>
              VISIBILITY.map((way) => speedUpOf(scene, way, count).toFixed(2)),
            ),
          ];
        }),
      },
      plot: {
        title: 'Speed-up of a frame by its number of triangles',
        xLabel: 'chiplets',
        yLabel: 'speed-up over one chiplet',
        series: scenes.flatMap((scene) =>
          VISIBILITY.map((way) => ({
            name: `${scene}, visibility by ${way}`,
            isReference: way === 'one',
            points: [1, ...CHIPLET_COUNTS].map((x) => ({ x, y: speedUpOf(scene, way, x) })),
          })),
        ),
      },
    };
  },
};
