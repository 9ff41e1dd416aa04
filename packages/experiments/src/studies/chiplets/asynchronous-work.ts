/**
 * Study of asynchronous work (patent US 12,051,154, paragraph 44): while a chiplet waits for a
 * visibility phase, it renders bins of another pass or frame. The switch is the overlap mode.
 * Chiplets run on from bin to bin.
 */
import {
  type FrameMeasurement,
  OVERLAP_MODES,
  type OverlapMode,
  simulateFrames,
} from '@tessera/multi-chiplet';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  mean,
  meanOf,
  percent,
  rowsWhere,
  simulationOf,
  sum,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const SHOWN_COUNT = 8;
/** Number of frames in a row, and how many of them are in progress with overlap. */
const FRAMES = 8;
const FRAMES_IN_FLIGHT = 4;

/** The study. */
export const ASYNCHRONOUS_WORK: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal', coupling: 'exact' }],
  context: { ...COMMON_CONTEXT, coupling: 'exact', placement: 'replicated' },
  figures: (scenes) => ({
    head: ['scene', 'overlap', 'chiplets', 'passes', 'cycles', 'eightFramesCycles', 'idleShare'],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      OVERLAP_MODES.flatMap((overlap) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const frames = renderInARow(measurement!, FRAMES, chiplets, overlap);
          return [
            scene,
            overlap,
            chiplets,
            measurement!.passes.length,
            renderInARow(measurement!, 1, chiplets, overlap).cycles,
            frames.cycles,
            frames.idleShare.toFixed(4),
          ];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const ratioOf = (
      figure: string,
      overlap: string,
      chiplets: number,
      passes: 'one' | 'several',
    ) =>
      meanOf(
        rowsWhere(rows, { overlap, chiplets }).filter(
          (row) => Number(row.passes) > 1 === (passes === 'several'),
        ),
        (row) => {
          const [without] = rowsWhere(rows, { overlap: 'none', chiplets, scene: row.scene! });
          return Number(without![figure]) / Number(row[figure]);
        },
      );
    return {
      table: {
        head: [
          'overlap',
          ...CHIPLET_COUNTS.map((count) => `${FRAMES} frames, N = ${count}`),
          `idle at ${SHOWN_COUNT}`,
          ...CHIPLET_COUNTS.map((count) => `one frame of several passes, N = ${count}`),
        ],
        rows: OVERLAP_MODES.map((overlap) => [
          overlap,
          ...CHIPLET_COUNTS.map((count) =>
            ratioOf('eightFramesCycles', overlap, count, 'one').toFixed(3),
          ),
          percent(
            mean(
              rowsWhere(rows, { overlap, chiplets: SHOWN_COUNT }).map((row) =>
                Number(row.idleShare),
              ),
            ),
          ),
          ...CHIPLET_COUNTS.map((count) => ratioOf('cycles', overlap, count, 'several').toFixed(3)),
        ]),
      },
      plot: {
        title: 'Speed-up of eight frames by asynchronous work',
        xLabel: 'chiplets',
        yLabel: 'cycles without ÷ with other work',
        series: OVERLAP_MODES.map((overlap) => ({
          name: overlap,
          points: CHIPLET_COUNTS.map((x) => ({
            x,
            y: ratioOf('eightFramesCycles', overlap, x, 'one'),
          })),
        })),
      },
    };
  },
};

/** Simulates copies of a frame. The idle share is that of all chiplets over all cycles. */
function renderInARow(
  measurement: FrameMeasurement,
  frameCount: number,
  chiplets: number,
  overlap: OverlapMode,
): { readonly cycles: number; readonly idleShare: number } {
  const { frames } = simulateFrames(new Array<FrameMeasurement>(frameCount).fill(measurement), {
    ...simulationOf(chiplets),
    overlap,
    framesInFlight: FRAMES_IN_FLIGHT,
  });
  const cycles = Math.max(...frames.map(({ endCycle }) => endCycle));
  const busy = sum(
    frames.flatMap(({ passes }) =>
      passes.map(
        ({ visibilityStartCycle, visibilityEndCycle, bins }) =>
          visibilityEndCycle -
          visibilityStartCycle +
          sum(bins.map(({ startCycle, endCycle }) => endCycle - startCycle)),
      ),
    ),
  );
  return { cycles, idleShare: 1 - busy / (cycles * chiplets) };
}
