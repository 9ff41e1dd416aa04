/**
 * Study of performance per watt and per dollar: N small dies against one die with as many units,
 * caches and memory channels. The one die is the monolith of monolith.ts, N tiles with an ideal
 * interconnect, whose bytes have the energy of wires on a chiplet.
 */
import { defineChipletSpec, summarizeSpec } from '@tessera/chiplet-spec';
import { costAssumptions, type GpuPlan, type PackagingName, reportCost } from '@tessera/die-cost';
import { DEFAULT_ENERGY_OPTIONS, type LinkClass } from '@tessera/energy';
import { MachinePool } from '@tessera/gpu';
import {
  DEFAULT_INTERCONNECT,
  type InterconnectSpec,
  parsePlacement,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { frameCounters, type RowEnergy, rowEnergy } from '@tessera/study';
import type { Cell, CsvRecord } from '../../tables/csv.ts';
import type { StoredMeasurement } from '../scenes/measurement-store.ts';
import { BENCHMARK_SCENES } from '../scenes/study-scenes.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  meanOf,
  rowsWhere,
  simulationOf,
} from './chiplet-study.ts';
import { IDEAL, TILE } from './monolith.ts';

const COUNTS = [2, 4, 8, 16];
const REFERENCE = 'one-die';
const NODE = 'N7';
/** Size of all scenes, small because 16 tiles that share their memory take long to simulate. */
const SIZE = { widthPx: 320, heightPx: 180 };
/** Scene of the benchmark set whose records are more than a host may keep. */
const TOO_LARGE = 'valley-10m';
/**
 * Everything in one memory, except streams, which are replicated if chiplets share visibility
 * phases.
 */
const ONE_MEMORY =
  'textures=interleaved,buffers=interleaved,targets=interleaved,framebuffer=interleaved';
/** Pixels stay where they are drawn, and every chiplet has a copy of all resources. */
const COPIES = 'targets=kept,framebuffer=kept';

/** A way to divide a GPU into dies. */
interface Gpu {
  readonly spec: Parameters<typeof defineChipletSpec>[0];
  readonly interconnect: InterconnectSpec;
  readonly placement: string;
  /** Ways to build it that have the same cycles. */
  readonly builds: readonly {
    readonly name: string;
    readonly linkClass: LinkClass;
    /** Package of N dies; null for one die. */
    readonly packaging: PackagingName | null;
  }[];
}

const ORGANIC = { linkClass: 'standard-package', packaging: 'organic' } as const;
const INTERPOSER = { linkClass: 'advanced-package', packaging: 'interposer' } as const;

const GPUS: readonly Gpu[] = [
  {
    spec: { ...TILE, remoteCache: 'l2' },
    interconnect: IDEAL,
    placement: ONE_MEMORY,
    builds: [{ name: REFERENCE, linkClass: 'on-chip', packaging: null }],
  },
  {
    spec: {},
    interconnect: DEFAULT_INTERCONNECT,
    placement: COPIES,
    builds: [
      { name: 'organic, copies', ...ORGANIC },
      { name: 'interposer, copies', ...INTERPOSER },
    ],
  },
  {
    spec: {},
    interconnect: DEFAULT_INTERCONNECT,
    placement: ONE_MEMORY,
    builds: [
      { name: 'organic, one memory', ...ORGANIC },
      { name: 'interposer, one memory', ...INTERPOSER },
    ],
  },
];
const NAMES = GPUS.flatMap(({ builds }) => builds.map(({ name }) => name));

/** Figures of the energy in the results file. */
const ENERGIES = [
  'energyLowPj',
  'energyTypicalPj',
  'energyHighPj',
  'powerTypicalMw',
  'energyDelayTypicalPjS',
] as const satisfies readonly (keyof RowEnergy)[];

/** The study. */
export const PERFORMANCE_PER_WATT: ChipletStudy = {
  scenes: Object.fromEntries(
    Object.entries(BENCHMARK_SCENES).flatMap(([name, make]) =>
      name === TOO_LARGE ? [] : [[name, () => make(SIZE)]],
    ),
  ),
  settings: (bins) =>
    COUNTS.map((visibilityChiplets) => ({
      ...{ bins, visibility: 'minimal', coupling: 'exact', visibilityChiplets },
    })),
  context: { coupling: 'exact', overlap: 'none', policy: COMMON_CONTEXT.policy },
  figures: (scenes) => ({
    head: [
      ...['scene', 'gpu', 'chiplets', 'cycles', ...ENERGIES, 'dieMm2', 'dieYield'],
      ...['unitUsdLow', 'unitUsd', 'unitUsdHigh'],
      ...['relativeCostLow', 'relativeCost', 'relativeCostHigh'],
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting }) =>
      GPUS.flatMap((gpu) =>
        COUNTS.flatMap((chiplets, i) => simulateGpu(scene, bySetting[i]!, gpu, chiplets)),
      ),
    ),
  }),
  summarize: (rows) => ({
    table: {
      head: [
        ...['N', 'GPU', 'speed', 'mJ of a frame', 'performance per watt', 'energy × delay'],
        ...['die, mm²', 'yield', 'US$', 'performance per dollar'],
      ],
      rows: COUNTS.flatMap((chiplets) => NAMES.map((gpu) => summaryRow(rows, gpu, chiplets))),
    },
    plot: {
      title: 'Performance per watt of N dies ÷ that of one die',
      xLabel: 'dies',
      yLabel: 'performance per watt',
      series: NAMES.map((name) => ({
        name,
        isReference: name === REFERENCE,
        points: COUNTS.map((x) => ({ x, y: ratio(rows, 'energyTypicalPj', name, x) })),
      })),
    },
  }),
};

/** Simulates a scene on a GPU, and returns a row for each way to build it. */
function simulateGpu(
  scene: string,
  measurement: StoredMeasurement,
  { spec: changes, interconnect, placement, builds }: Gpu,
  chipletCount: number,
): Cell[][] {
  const chiplet = defineChipletSpec(changes);
  const pool = new MachinePool(chiplet);
  const simulated = simulateFrames([measurement], {
    ...simulationOf(chipletCount, { interconnect, placement: parsePlacement(placement) }),
    overlap: 'none',
    makeMachine: (sharing) => pool.take(sharing),
  });
  const cycles = simulated.frames[0]!.endCycle;
  // Measured with coupling exact, so it has counters.
  const counters = frameCounters(measurement.counters!, measurement, simulated, chipletCount);
  const spec = summarizeSpec(chiplet);
  const { channels } = simulated;
  return builds.map(({ name, linkClass, packaging }) => {
    const options = { ...DEFAULT_ENERGY_OPTIONS, linkClass };
    const energy = rowEnergy({ spec, cycles, chipletCount, counters, channels }, options);
    return [
      ...[scene, name, chipletCount, cycles, ...ENERGIES.map((figure) => energy[figure])],
      ...costCells(chipletCount, packaging),
    ];
  });
}

const costsByBuild = new Map<string, readonly Cell[]>();

/** Returns area and yield of a die, and the cost of a GPU with its ratio to that of one die. */
function costCells(chipletCount: number, packaging: PackagingName | null): readonly Cell[] {
  const key = `${chipletCount} ${packaging}`;
  const known = costsByBuild.get(key);
  if (known !== undefined) return known;
  const plan: GpuPlan = {
    ...{ spec: defineChipletSpec({}), chipletUnits: chipletCount, node: NODE },
    dies: packaging === null ? 1 : chipletCount,
    packaging: packaging ?? 'organic',
    linkBytesPerCycle: DEFAULT_INTERCONNECT.bytesPerCycle,
  };
  const { chiplets, relativeCost } = reportCost(plan, costAssumptions(NODE, plan.packaging));
  const { dieMm2, dieYield, usd } = chiplets;
  const relative = packaging === null ? { low: 1, typical: 1, high: 1 } : relativeCost;
  const cells = [
    ...[dieMm2.typical.toFixed(1), dieYield.typical.toFixed(4)],
    ...[usd.low, usd.typical, usd.high].map((value) => value.toFixed(2)),
    ...[relative.low, relative.typical, relative.high].map((value) => value.toFixed(4)),
  ];
  costsByBuild.set(key, cells);
  return cells;
}

function summaryRow(rows: readonly CsvRecord[], gpu: string, chiplets: number): Cell[] {
  const own = rowsWhere(rows, { gpu, chiplets });
  const [any] = own as [CsvRecord];
  const meanMj = (name: string) => meanOf(own, (row) => Number(row[name])) / 1e9;
  const speed = ratio(rows, 'cycles', gpu, chiplets);
  // The ends of both GPUs go the same way: they have the same events and units.
  const perWatt = ['energyLowPj', 'energyTypicalPj', 'energyHighPj'].map((name) =>
    ratio(rows, name, gpu, chiplets),
  );
  const perDollar = ['relativeCostHigh', 'relativeCost', 'relativeCostLow'].map(
    (name) => speed / Number(any[name]),
  );
  return [
    ...[chiplets, gpu, speed.toFixed(2)],
    ['energyLowPj', 'energyTypicalPj', 'energyHighPj'].map((n) => meanMj(n).toFixed(2)).join(' … '),
    rangeText(perWatt),
    (1 / ratio(rows, 'energyDelayTypicalPjS', gpu, chiplets)).toFixed(2),
    ...[Number(any.dieMm2).toFixed(0), Number(any.dieYield).toFixed(2)],
    ['unitUsdLow', 'unitUsd', 'unitUsdHigh'].map((n) => Number(any[n]).toFixed(0)).join(' … '),
    rangeText(perDollar),
  ];
}

/** Formats three values by size; the second is the typical one. */
function rangeText(values: readonly number[]): string {
  const texts = [Math.min(...values), values[1]!, Math.max(...values)].map((v) => v.toFixed(2));
  return texts.join(' … ');
}

/** Returns a figure of one die ÷ that of a GPU, as a geometric mean over the scenes. */
function ratio(rows: readonly CsvRecord[], figure: string, gpu: string, chiplets: number): number {
  const mean = (name: string) =>
    meanOf(rowsWhere(rows, { gpu: name, chiplets }), (row) => Number(row[figure]));
  return mean(REFERENCE) / mean(gpu);
}
