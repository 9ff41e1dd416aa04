/**
 * Study of placements: what one address space over the memories of all chiplets costs, by number of
 * chiplets and bandwidth of the link, against a copy of everything in each memory. For four
 * chiplets it adds the three measures of MCM-GPU (Arunkumar et al., ISCA 2017): a cache of remote
 * lines, pages at the chiplet that accesses them first, and neighboring work on the same chiplet.
 */
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { type Counters, PLACEMENTS, type PlacementName } from '@tessera/frame';
import { MachinePool } from '@tessera/gpu';
import {
  type BinAssignmentPolicyName,
  defineInterconnect,
  type FrameMeasurement,
  parsePlacement,
  simulateFrames,
} from '@tessera/multi-chiplet';
import type { Cell, CsvRecord } from '../../tables/csv.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  geometricMean,
  mean,
  percent,
  rowsWhere,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const BYTES_PER_CYCLE = [16, 64, 256];
/** Chiplets of MCM-GPU, and the bandwidth at which the plot compares placements. */
const MCM_CHIPLETS = 4;
const PLOTTED_BYTES_PER_CYCLE = 64;

/** Places of resources and of remote lines, and the policy of bin assignment. */
interface Configuration {
  readonly placement: PlacementName;
  readonly remoteCache: ChipletSpec['remoteCache'];
  readonly policy: BinAssignmentPolicyName;
}

const GRID: readonly Configuration[] = PLACEMENTS.map((placement) => ({
  ...{ placement, remoteCache: 'l2', policy: 'dynamic-pull' },
}));
/** Without the measures of MCM-GPU, and with one more of them in each step. */
const MCM: readonly Configuration[] = [
  { placement: 'interleaved', remoteCache: 'none', policy: 'dynamic-pull' },
  { placement: 'interleaved', remoteCache: 'own', policy: 'dynamic-pull' },
  { placement: 'first-touch', remoteCache: 'own', policy: 'dynamic-pull' },
  { placement: 'first-touch', remoteCache: 'own', policy: 'static-blocks' },
];

/** The study. */
export const PLACEMENT: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal', coupling: 'exact' }],
  context: {
    coupling: 'exact',
    overlap: 'none',
    linkTopology: 'ring',
    linkLatencyCycles: COMMON_CONTEXT.linkLatencyCycles,
  },
  figures: (scenes) => ({
    head: [
      'scene',
      'placement',
      'remoteCache',
      'policy',
      'chiplets',
      'linkBytesPerCycle',
      'cycles',
      'linkBytes',
      'remoteBytes',
      'linesWanted',
      'linesCached',
    ],
    keyColumns: 6,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) => [
      ...CHIPLET_COUNTS.flatMap((chiplets) => simulateAll(scene, measurement!, chiplets, GRID)),
      ...simulateAll(scene, measurement!, MCM_CHIPLETS, MCM),
    ]),
  }),
  summarize: (rows) => {
    const shared = GRID.filter(({ placement }) => placement !== 'replicated');
    const lines = [
      ...CHIPLET_COUNTS.flatMap((chiplets) => shared.map((each) => ({ ...each, chiplets }))),
      ...MCM.map((each) => ({ ...each, chiplets: MCM_CHIPLETS })),
    ];
    return {
      table: {
        head: [
          'placement',
          'remote lines',
          'bins',
          'N',
          ...BYTES_PER_CYCLE.map((bytes) => `cycles, ${bytes} B/cycle`),
          'bytes',
          'hit rate',
        ],
        rows: lines.map((line) => [
          line.placement,
          line.remoteCache,
          line.policy,
          line.chiplets,
          ...BYTES_PER_CYCLE.map((bytes) => cyclesAgainstCopies(rows, line, bytes).toFixed(2)),
          bytesAgainstCopies(rows, line).toFixed(2),
          percent(hitRate(rows, line)),
        ]),
      },
      plot: {
        title: `Placements over links of ${PLOTTED_BYTES_PER_CYCLE} bytes per cycle`,
        xLabel: 'chiplets',
        yLabel: 'cycles ÷ cycles with copies',
        series: shared.map((each) => ({
          name: each.placement,
          points: CHIPLET_COUNTS.map((chiplets) => ({
            x: chiplets,
            y: cyclesAgainstCopies(rows, { ...each, chiplets }, PLOTTED_BYTES_PER_CYCLE),
          })),
        })),
      },
    };
  },
};

/** Simulates a scene with each bandwidth and configuration. */
function simulateAll(
  scene: string,
  measurement: FrameMeasurement,
  chiplets: number,
  configurations: readonly Configuration[],
): Cell[][] {
  return configurations.flatMap(({ placement, remoteCache, policy }) => {
    const pool = new MachinePool(defineChipletSpec({ remoteCache }));
    return BYTES_PER_CYCLE.map((bytesPerCycle) => {
      const { frames, transfers, remote, machines } = simulateFrames([measurement], {
        ...simulationOf(chiplets),
        policy,
        overlap: 'none',
        interconnect: defineInterconnect({ topology: 'ring', bytesPerCycle }),
        placement: parsePlacement(placement),
        makeMachine: (sharing) => pool.take(sharing),
      });
      const sum = (name: keyof Counters) =>
        machines!.reduce((total, { counters }) => total + (counters[name] ?? 0), 0);
      const cached = sum('remote.lineHits');
      return [
        ...[scene, placement, remoteCache, policy, chiplets, bytesPerCycle],
        frames[0]!.endCycle,
        transfers.reduce((total, { bytes }) => total + bytes, 0),
        remote?.bytes.flat().reduce((total, bytes) => total + bytes, 0) ?? 0,
        cached + sum('remote.linesMerged') + sum('remote.readsRequested'),
        cached,
      ];
    });
  });
}

interface Line extends Configuration {
  readonly chiplets: number;
}

/** Returns the rows of a line and those with copies on as many chiplets, scene by scene. */
function pairsOf(rows: readonly CsvRecord[], line: Line, bytesPerCycle: number) {
  const { placement, remoteCache, policy, chiplets } = line;
  const own = rowsWhere(rows, {
    ...{ placement, remoteCache, policy, chiplets },
    linkBytesPerCycle: bytesPerCycle,
  });
  const copies = rowsWhere(rows, {
    ...{ placement: 'replicated', chiplets },
    linkBytesPerCycle: bytesPerCycle,
  });
  return own.map((row) => ({ row, copy: copies.find(({ scene }) => scene === row.scene)! }));
}

/** Returns the geometric mean of cycles ÷ cycles with copies. */
function cyclesAgainstCopies(
  rows: readonly CsvRecord[],
  line: Line,
  bytesPerCycle: number,
): number {
  const pairs = pairsOf(rows, line, bytesPerCycle);
  return geometricMean(pairs.map(({ row, copy }) => Number(row.cycles) / Number(copy.cycles)));
}

/** Returns the geometric mean of all bytes on the link ÷ those with copies. */
function bytesAgainstCopies(rows: readonly CsvRecord[], line: Line): number {
  const pairs = pairsOf(rows, line, PLOTTED_BYTES_PER_CYCLE);
  return geometricMean(
    pairs.map(
      ({ row, copy }) => (Number(row.linkBytes) + Number(row.remoteBytes)) / Number(copy.linkBytes),
    ),
  );
}

/** Returns the arithmetic mean of the share of remote lines that were in the cache. */
function hitRate(rows: readonly CsvRecord[], line: Line): number {
  const pairs = pairsOf(rows, line, PLOTTED_BYTES_PER_CYCLE);
  return mean(
    pairs.map(({ row }) =>
      Number(row.linesWanted) === 0 ? 0 : Number(row.linesCached) / Number(row.linesWanted),
    ),
  );
}
