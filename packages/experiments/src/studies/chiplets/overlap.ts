/** What overlapping frames bring in steady state, by when chiplet 0 turns to the next and by frames in flight. */
import { OVERLAP_MODES, type OverlapMode } from '@tessera/multi-chiplet';
import {
  type ChipletStudy,
  geometricMean,
  mean,
  percent,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const SHOWN_COUNT = 8;
const FRAMES_IN_FLIGHT = [2, 3, 4, 6];
/** By mode and frames in flight; `none` has one. */
const RUNS: readonly { readonly overlap: OverlapMode; readonly framesInFlight: number }[] =
  OVERLAP_MODES.flatMap((overlap) =>
    (overlap === 'none' ? [1] : FRAMES_IN_FLIGHT).map((framesInFlight) => ({
      overlap,
      framesInFlight,
    })),
  );

export const OVERLAP: ChipletStudy = {
  meaning: 'frames per time in a sequence over min(N, 1 ÷ s), by overlap and frames in flight',
  settings: (bins) => [{ bins, visibility: 'minimal' }],
  run: (scenes) => {
    const rows = scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      RUNS.flatMap((run) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const steady = simulateSteady(scene, measurement!, simulationOf(chiplets, run));
          const frames = steady.latencyCycles / steady.cyclesPerFrame;
          const share = steady.speedUp / steady.speedUpBound;
          return { scene, ...run, chiplets, ...steady, frames, share };
        }),
      ),
    );
    const of = ({ overlap, framesInFlight }: (typeof RUNS)[number], chiplets: number) =>
      rows.filter(
        (row) =>
          row.overlap === overlap &&
          row.framesInFlight === framesInFlight &&
          row.chiplets === chiplets,
      );
    const shareOf = (run: (typeof RUNS)[number], chiplets: number) =>
      geometricMean(of(run, chiplets).map(({ share }) => share));
    return {
      figures: {
        head: [
          'scene',
          'overlap',
          'framesInFlight',
          'chiplets',
          'cyclesPerFrame',
          'speedUp',
          'speedUpBound',
          'latencyCycles',
        ],
        rows: rows.map((row) => [
          row.scene,
          row.overlap,
          row.framesInFlight,
          row.chiplets,
          row.cyclesPerFrame.toFixed(1),
          row.speedUp.toFixed(4),
          row.speedUpBound.toFixed(4),
          row.latencyCycles.toFixed(1),
        ]),
      },
      summary: {
        head: [
          'overlap',
          'frames in flight',
          ...CHIPLET_COUNTS.map((count) => `N = ${count}`),
          `worst at ${SHOWN_COUNT}`,
          `scenes below 90 % at ${SHOWN_COUNT}`,
          `latency at ${SHOWN_COUNT}, frame times`,
        ],
        rows: RUNS.map((run) => {
          const shown = of(run, SHOWN_COUNT);
          return [
            run.overlap,
            run.framesInFlight,
            ...CHIPLET_COUNTS.map((count) => percent(shareOf(run, count))),
            percent(Math.min(...shown.map(({ share }) => share))),
            shown.filter(({ share }) => share < 0.9).length,
            mean(shown.map(({ frames }) => frames)).toFixed(2),
          ];
        }),
      },
      plot: {
        title: 'Throughput over min(N, 1 ÷ s)',
        xLabel: 'chiplets',
        yLabel: 'share of the bound',
        series: RUNS.map((run) => ({
          name: `${run.overlap}, ${run.framesInFlight}`,
          points: CHIPLET_COUNTS.map((x) => ({ x, y: shareOf(run, x) })),
        })),
      },
    };
  },
};
