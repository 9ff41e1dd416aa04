/**
 * Study of the gain from overlapping frames in steady state, by overlap mode and by frames in
 * flight.
 */
import { OVERLAP_MODES, type OverlapMode } from '@tessera/multi-chiplet';
import type { CsvRecord } from '../../tables/csv.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  mean,
  meanOf,
  percent,
  rowsWhere,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const SHOWN_COUNT = 8;
const FRAMES_IN_FLIGHT = [2, 3, 4, 6];
/** Combinations of mode and frames in flight; `none` has one frame. */
const RUNS: readonly { readonly overlap: OverlapMode; readonly framesInFlight: number }[] =
  OVERLAP_MODES.flatMap((overlap) =>
    (overlap === 'none' ? [1] : FRAMES_IN_FLIGHT).map((framesInFlight) => ({
      overlap,
      framesInFlight,
    })),
  );

/** The study. */
export const OVERLAP: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal' }],
  context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated' },
  figures: (scenes) => ({
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
    keyColumns: 4,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      RUNS.flatMap((run) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const steady = simulateSteady(measurement!, simulationOf(chiplets, run));
          return [
            scene,
            run.overlap,
            run.framesInFlight,
            chiplets,
            steady.cyclesPerFrame.toFixed(1),
            steady.speedUp.toFixed(4),
            steady.speedUpBound.toFixed(4),
            steady.latencyCycles.toFixed(1),
          ];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const share = (row: CsvRecord) => Number(row.speedUp) / Number(row.speedUpBound);
    const of = (run: (typeof RUNS)[number], chiplets: number) =>
      rowsWhere(rows, { ...run, chiplets });
    const shareOf = (run: (typeof RUNS)[number], chiplets: number) =>
      meanOf(of(run, chiplets), share);
    return {
      table: {
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
          const latencies = shown.map(
            (row) => Number(row.latencyCycles) / Number(row.cyclesPerFrame),
          );
          return [
            run.overlap,
            run.framesInFlight,
            ...CHIPLET_COUNTS.map((count) => percent(shareOf(run, count))),
            percent(Math.min(...shown.map(share))),
            shown.filter((row) => share(row) < 0.9).length,
            mean(latencies).toFixed(2),
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
