/**
 * Study of the cost of the crosslink by topology and bytes per cycle, for a first frame with all
 * its resources and for a sequence.
 */
import { defineInterconnect, TOPOLOGY_NAMES } from '@tessera/multi-chiplet';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  meanOf,
  rowsWhere,
  simulateAlone,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLETS = 8;
const BYTES_PER_CYCLE = [4, 16, 64, 256, 1024, 4096];
/** Columns of speed-ups, with their names in the document. */
const KINDS = {
  firstFrameSpeedUp: 'first frame',
  laterFrameSpeedUp: 'later frame',
  sequenceSpeedUp: 'sequence',
} as const;
type Kind = keyof typeof KINDS;

/** The study. */
export const LINK_BANDWIDTH: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal' }],
  context: { ...COMMON_CONTEXT, chiplets: CHIPLETS, coupling: 'none', placement: 'replicated' },
  figures: (scenes) => ({
    head: [
      'scene',
      'linkTopology',
      'linkBytesPerCycle',
      'firstFrameBytes',
      'laterFrameBytes',
      'firstFrameSpeedUp',
      'laterFrameSpeedUp',
      'sequenceSpeedUp',
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      TOPOLOGY_NAMES.flatMap((topology) =>
        BYTES_PER_CYCLE.map((bytesPerCycle) => {
          const interconnect = defineInterconnect({ topology, bytesPerCycle });
          const of = (areResourcesResident: boolean) =>
            simulateAlone(measurement!, CHIPLETS, { interconnect, areResourcesResident });
          const frames = [of(false), of(true)];
          const steady = simulateSteady(measurement!, simulationOf(CHIPLETS, { interconnect }));
          const bytes = frames.map(({ simulated }) =>
            simulated.transfers.reduce((sum, each) => sum + each.bytes, 0),
          );
          const speedUps = [...frames, steady].map(({ speedUp }) => speedUp.toFixed(4));
          return [scene, topology, bytesPerCycle, ...bytes, ...speedUps];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const speedUpOf = (kind: Kind, topology: string, bytesPerCycle: number) =>
      meanOf(rowsWhere(rows, { linkTopology: topology, linkBytesPerCycle: bytesPerCycle }), (row) =>
        Number(row[kind]),
      );
    const lines = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
      TOPOLOGY_NAMES.map((topology) => ({ kind, topology })),
    );
    return {
      table: {
        head: ['', 'topology', ...BYTES_PER_CYCLE.map((bytes) => `${bytes} B/cycle`)],
        rows: lines.map(({ kind, topology }) => [
          KINDS[kind],
          topology,
          ...BYTES_PER_CYCLE.map((bytes) => speedUpOf(kind, topology, bytes).toFixed(2)),
        ]),
      },
      plot: {
        title: 'Speed-up of 8 chiplets by the crosslink',
        xLabel: 'channel: log2 of bytes per cycle',
        yLabel: 'speed-up over one chiplet',
        series: lines.map(({ kind, topology }) => ({
          name: `${topology}, ${KINDS[kind]}`,
          points: BYTES_PER_CYCLE.map((bytes) => ({
            x: Math.log2(bytes),
            y: speedUpOf(kind, topology, bytes),
          })),
        })),
      },
    };
  },
};
