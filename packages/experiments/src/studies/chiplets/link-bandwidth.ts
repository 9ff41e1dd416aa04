/** What the crosslink costs, by topology and bytes per cycle: a first frame with all its resources, and a sequence. */
import { defineInterconnect, TOPOLOGY_NAMES } from '@tessera/multi-chiplet';
import {
  type ChipletStudy,
  geometricMean,
  simulateAlone,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLETS = 8;
const BYTES_PER_CYCLE = [4, 16, 64, 256, 1024, 4096];

export const LINK_BANDWIDTH: ChipletStudy = {
  meaning: 'speed-up of 8 chiplets over topology and bytes per cycle of the crosslink',
  settings: (bins) => [{ bins, visibility: 'minimal' }],
  run: (scenes) => {
    const rows = scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      TOPOLOGY_NAMES.flatMap((topology) =>
        BYTES_PER_CYCLE.map((bytesPerCycle) => {
          const interconnect = defineInterconnect({ topology, bytesPerCycle });
          const of = (areResourcesResident: boolean) =>
            simulateAlone(measurement!, CHIPLETS, { interconnect, areResourcesResident });
          const [first, later] = [of(false), of(true)];
          const steady = simulateSteady(
            scene,
            measurement!,
            simulationOf(CHIPLETS, { interconnect }),
          );
          const bytes = first.simulated.transfers.reduce((sum, each) => sum + each.bytes, 0);
          const laterBytes = later.simulated.transfers.reduce((sum, each) => sum + each.bytes, 0);
          return {
            scene,
            topology,
            bytesPerCycle,
            bytes,
            laterBytes,
            first: first.speedUp,
            later: later.speedUp,
            steady: steady.speedUp,
          };
        }),
      ),
    );
    const meanOf = (kind: 'first' | 'later' | 'steady', topology: string, bytes: number) =>
      geometricMean(
        rows
          .filter((row) => row.topology === topology && row.bytesPerCycle === bytes)
          .map((row) => row[kind]),
      );
    const kinds = { first: 'first frame', later: 'later frame', steady: 'sequence' } as const;
    const lines = (['first', 'later', 'steady'] as const).flatMap((kind) =>
      TOPOLOGY_NAMES.map((topology) => ({ kind, topology })),
    );
    return {
      figures: {
        head: [
          'scene',
          'topology',
          'bytesPerCycle',
          'firstFrameBytes',
          'laterFrameBytes',
          'firstFrameSpeedUp',
          'laterFrameSpeedUp',
          'sequenceSpeedUp',
        ],
        rows: rows.map((row) => [
          row.scene,
          row.topology,
          row.bytesPerCycle,
          row.bytes,
          row.laterBytes,
          row.first.toFixed(4),
          row.later.toFixed(4),
          row.steady.toFixed(4),
        ]),
      },
      summary: {
        head: ['', 'topology', ...BYTES_PER_CYCLE.map((bytes) => `${bytes} B/cycle`)],
        rows: lines.map(({ kind, topology }) => [
          kinds[kind],
          topology,
          ...BYTES_PER_CYCLE.map((bytes) => meanOf(kind, topology, bytes).toFixed(2)),
        ]),
      },
      plot: {
        title: 'Speed-up of 8 chiplets by the crosslink',
        xLabel: 'channel: log2 of bytes per cycle',
        yLabel: 'speed-up over one chiplet',
        series: lines.map(({ kind, topology }) => ({
          name: `${topology}, ${kinds[kind]}`,
          points: BYTES_PER_CYCLE.map((bytes) => ({
            x: Math.log2(bytes),
            y: meanOf(kind, topology, bytes),
          })),
        })),
      },
    };
  },
};
