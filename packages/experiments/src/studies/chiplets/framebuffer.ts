/**
 * Study of the framebuffer: gathered in the memory of chiplet 0, in pages over all memories, or
 * where its bins were drawn. Chiplets run on from bin to bin. The time in which a display reads the
 * pixels is not part of a frame.
 */
import { TARGET_PLACEMENTS } from '@tessera/frame';
import { parsePlacement, simulateFrames } from '@tessera/multi-chiplet';
import {
  bytesOnLink,
  type ChipletStudy,
  COMMON_CONTEXT,
  meanOf,
  onOneChiplet,
  rowsWhere,
  simulationOf,
  sum,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const SHOWN_COUNT = 8;

/** The study. */
export const FRAMEBUFFER: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal', coupling: 'exact' }],
  context: { ...COMMON_CONTEXT, coupling: 'exact', overlap: 'none' },
  figures: (scenes) => ({
    head: [
      'scene',
      'framebuffer',
      'chiplets',
      'cycles',
      'speedUp',
      'crossingBytes',
      'scanoutBytes',
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      TARGET_PLACEMENTS.flatMap((framebuffer) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const placement = parsePlacement(`framebuffer=${framebuffer}`);
          const simulated = simulateFrames([measurement!], {
            ...simulationOf(chiplets, { placement }),
            overlap: 'none',
          });
          const cycles = simulated.frames[0]!.endCycle;
          const speedUp = onOneChiplet(measurement!).cycles / cycles;
          const { crossingBytes, scanoutBytes } = bytesOnLink(simulated);
          return [
            scene,
            framebuffer,
            chiplets,
            cycles,
            speedUp.toFixed(4),
            crossingBytes,
            scanoutBytes,
          ];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const of = (framebuffer: string, chiplets: number) =>
      rowsWhere(rows, { framebuffer, chiplets });
    const speedUpOf = (framebuffer: string, chiplets: number) =>
      meanOf(of(framebuffer, chiplets), ({ speedUp }) => Number(speedUp));
    const megabytesOf = (framebuffer: string, column: string) =>
      sum(of(framebuffer, SHOWN_COUNT).map((row) => Number(row[column]))) / 1e6;
    return {
      table: {
        head: [
          'framebuffer',
          ...CHIPLET_COUNTS.map((count) => `N = ${count}`),
          `MB on the link at ${SHOWN_COUNT}`,
          `MB of scan-out at ${SHOWN_COUNT}`,
        ],
        rows: TARGET_PLACEMENTS.map((framebuffer) => [
          framebuffer,
          ...CHIPLET_COUNTS.map((count) => speedUpOf(framebuffer, count).toFixed(2)),
          megabytesOf(framebuffer, 'crossingBytes').toFixed(1),
          megabytesOf(framebuffer, 'scanoutBytes').toFixed(1),
        ]),
      },
      plot: {
        title: 'Speed-up of a frame by the place of its framebuffer',
        xLabel: 'chiplets',
        yLabel: 'speed-up over one chiplet',
        series: TARGET_PLACEMENTS.map((name) => ({
          name,
          points: CHIPLET_COUNTS.map((x) => ({ x, y: speedUpOf(name, x) })),
        })),
      },
    };
  },
};
