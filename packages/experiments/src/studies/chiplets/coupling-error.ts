/**
 * Study of the error of isolated bins, the estimate that `coupling: none` gives: each bin starts
 * with cold caches and an empty pipeline, and drains before the next one. Chiplets that run on
 * (`coupling: exact`) are the reference.
 */
import { DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import type { CounterName, Counters, RecordedRun } from '@tessera/frame';
import { ChipletMachine, MachinePool } from '@tessera/gpu';
import {
  type FrameMeasurement,
  type SimulatedFrames,
  simulateFrames,
} from '@tessera/multi-chiplet';
import type { Cell } from '../../tables/csv.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  meanOf,
  percent,
  rowsWhere,
  simulationOf,
} from './chiplet-study.ts';

const BIN_COUNTS = [16, 64, 256];
const CHIPLET_COUNTS = [1, 4, 16];
const READ: CounterName = 'memory.bytesRead';

/** The study. */
export const COUPLING_ERROR: ChipletStudy = {
  settings: () =>
    BIN_COUNTS.map((bins) => ({ bins, visibility: 'minimal', coupling: 'exact' }) as const),
  context: { ...COMMON_CONTEXT, placement: 'replicated', overlap: 'none' },
  figures: (scenes) => ({
    head: [
      'scene',
      'bins',
      'binsRendered',
      'chiplets',
      'isolatedCycles',
      'coupledCycles',
      'isolatedReadBytes',
      'coupledReadBytes',
    ],
    keyColumns: 4,
    rows: scenes.flatMap(({ scene, bySetting }) =>
      bySetting.flatMap((coupled, setting) =>
        compareCouplings(scene, BIN_COUNTS[setting]!, coupled),
      ),
    ),
  }),
  summarize: (rows) => {
    const of = (binsWanted: number, chiplets: number) =>
      rowsWhere(rows, { bins: binsWanted, chiplets });
    const ratioOf = (figure: 'Cycles' | 'ReadBytes', binsWanted: number, chiplets: number) =>
      meanOf(
        of(binsWanted, chiplets),
        (row) => Number(row[`isolated${figure}`]) / Number(row[`coupled${figure}`]),
      );
    return {
      table: {
        head: [
          'bins',
          ...CHIPLET_COUNTS.map((count) => `cycles, N = ${count}`),
          'largest error, N = 1',
          ...CHIPLET_COUNTS.map((count) => `bytes read, N = ${count}`),
          'speed-up at 16, isolated',
          'speed-up at 16, coupled',
        ],
        rows: BIN_COUNTS.map((wanted) => {
          const errors = of(wanted, 1).map(
            ({ isolatedCycles, coupledCycles }) =>
              Number(isolatedCycles) / Number(coupledCycles) - 1,
          );
          const speedUp = (kind: 'isolated' | 'coupled') =>
            meanOf(of(wanted, 1), (row) => Number(row[`${kind}Cycles`])) /
            meanOf(of(wanted, 16), (row) => Number(row[`${kind}Cycles`]));
          return [
            wanted,
            ...CHIPLET_COUNTS.map((count) => ratioOf('Cycles', wanted, count).toFixed(3)),
            percent(Math.max(...errors)),
            ...CHIPLET_COUNTS.map((count) => ratioOf('ReadBytes', wanted, count).toFixed(2)),
            speedUp('isolated').toFixed(2),
            speedUp('coupled').toFixed(2),
          ];
        }),
      },
      plot: {
        title: 'Isolated bins against chiplets that run on',
        xLabel: 'coarse bins',
        yLabel: 'isolated ÷ coupled cycles',
        series: CHIPLET_COUNTS.map((chiplets) => ({
          name: `${chiplets} chiplet${chiplets === 1 ? '' : 's'}`,
          points: BIN_COUNTS.map((x) => ({ x, y: ratioOf('Cycles', x, chiplets) })),
        })),
      },
    };
  },
};

/** Returns rows of a scene with one number of bins. */
function compareCouplings(scene: string, binsWanted: number, coupled: FrameMeasurement): Cell[][] {
  const pool = new MachinePool(DEFAULT_CHIPLET_SPEC);
  const simulate = (measurement: FrameMeasurement, chiplets: number): SimulatedFrames =>
    simulateFrames([measurement], {
      ...simulationOf(chiplets),
      overlap: 'none',
      makeMachine: () => pool.take(),
    });
  const isolated = isolate(coupled);
  const bins = coupled.passes.reduce((sum, pass) => sum + pass.bins.length, 0);
  return CHIPLET_COUNTS.map((chiplets) => {
    const exact = simulate(coupled, chiplets);
    return [
      scene,
      binsWanted,
      bins,
      chiplets,
      simulate(isolated.measurement, chiplets).frames[0]!.endCycle,
      exact.frames[0]!.endCycle,
      isolated.readBytes,
      exact.machines!.reduce((sum, { counters }) => sum + bytesRead(counters), 0),
    ];
  });
}

/** Times every run of a recorded frame by itself. */
function isolate({ passes }: FrameMeasurement): {
  readonly measurement: FrameMeasurement;
  readonly readBytes: number;
} {
  const machine = new ChipletMachine(DEFAULT_CHIPLET_SPEC, { addressSpaces: 1 });
  let readBytes = 0;
  const cyclesOf = (run: RecordedRun): number => {
    machine.begin();
    machine.feed(run, 0);
    const { cycles, counters } = machine.finish();
    readBytes += bytesRead(counters);
    return cycles;
  };
  const measured = passes.map(({ visibilityRecords, bins, ...pass }) => ({
    ...pass,
    visibilityCycles: cyclesOf(visibilityRecords!),
    bins: bins.map(({ records, ...bin }) => ({ ...bin, cycles: cyclesOf(records!) })),
  }));
  return { measurement: { passes: measured }, readBytes };
}

function bytesRead(counters: Counters): number {
  return counters[READ]!;
}
