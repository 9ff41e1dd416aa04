/**
 * Studies of the speed-up of a single frame if one chiplet runs the visibility phases, and if all
 * chiplets share them.
 */
import type { CsvRecord } from '../../tables/csv.ts';
import type { GeneratedScenes } from '../scenes/study-scenes.ts';
import {
  bytesOnLink,
  type ChipletStudy,
  COMMON_CONTEXT,
  onOneChiplet,
  percent,
  rowsWhere,
  type StudySummary,
  simulateAlone,
  sum,
} from './chiplet-study.ts';

const VISIBILITY = ['one', 'all'] as const;

/** Differences between these studies. */
export interface SharedVisibilityOptions {
  readonly scenes: GeneratedScenes;
  /** Numbers of chiplets in ascending order, without 1. */
  readonly chipletCounts: readonly number[];
  /** Number of coarse bins. */
  readonly bins: number;
  /** Title of the plot. */
  readonly title: string;
}

/** Returns the study of scenes and numbers of chiplets. */
export function studySharedVisibility(options: SharedVisibilityOptions): ChipletStudy {
  const { scenes, chipletCounts, bins } = options;
  return {
    scenes,
    settings: () =>
      [1, ...chipletCounts].map((visibilityChiplets) => ({
        ...{ bins, visibility: 'minimal', visibilityChiplets },
      })),
    context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated', overlap: 'none' },
    figures: (measured) => ({
      head: [
        ...['scene', 'visibilityOn', 'chiplets', 'visibilityCycles', 'cycles', 'speedUp'],
        'crossingBytes',
      ],
      keyColumns: 3,
      rows: measured.flatMap(({ scene, bySetting: [one, ...shared] }) => {
        const alone = onOneChiplet(one!);
        return VISIBILITY.flatMap((visibilityOn) => [
          [scene, visibilityOn, 1, alone.visibilityCycles, alone.cycles, '1.0000', 0],
          ...chipletCounts.map((chiplets, i) => {
            const measurement = visibilityOn === 'one' ? one! : shared[i]!;
            const { cycles, simulated } = simulateAlone(measurement, chiplets);
            const visibilityCycles = sum(
              simulated.frames[0]!.passes.map(
                ({ visibilityStartCycle, visibilityEndCycle }) =>
                  visibilityEndCycle - visibilityStartCycle,
              ),
            );
            return [
              ...[scene, visibilityOn, chiplets, visibilityCycles, cycles],
              (alone.cycles / cycles).toFixed(4),
              bytesOnLink(simulated).crossingBytes,
            ];
          }),
        ]);
      }),
    }),
    summarize: (rows) => summarize(rows, options),
  };
}

function summarize(
  rows: readonly CsvRecord[],
  { chipletCounts, title }: SharedVisibilityOptions,
): StudySummary {
  const scenes = [...new Set(rows.map(({ scene }) => scene!))];
  const speedUpOf = (scene: string, visibilityOn: string, chiplets: number) =>
    Number(rowsWhere(rows, { scene, visibilityOn, chiplets })[0]!.speedUp);
  return {
    table: {
      head: [
        'scene',
        'visibility on one chiplet',
        ...chipletCounts.flatMap((count) => [`N = ${count}, by one`, 'by all']),
      ],
      rows: scenes.map((scene) => {
        const one = rowsWhere(rows, { scene, visibilityOn: 'one', chiplets: 1 })[0]!;
        return [
          scene,
          percent(Number(one.visibilityCycles) / Number(one.cycles)),
          ...chipletCounts.flatMap((count) =>
            VISIBILITY.map((way) => speedUpOf(scene, way, count).toFixed(2)),
          ),
        ];
      }),
    },
    plot: {
      title,
      xLabel: 'chiplets',
      yLabel: 'speed-up over one chiplet',
      series: scenes.flatMap((scene) =>
        VISIBILITY.map((way) => ({
          name: `${scene}, visibility by ${way}`,
          isReference: way === 'one',
          points: [1, ...chipletCounts].map((x) => ({ x, y: speedUpOf(scene, way, x) })),
        })),
      ),
    },
  };
}
