/** Common parts of the studies over chiplets, and the sums over a frame that they consist of. */
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { MachinePool } from '@tessera/gpu';
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  compositionRatesOf,
  DEFAULT_FRAMES_IN_FLIGHT,
  DEFAULT_INTERCONNECT,
  type FrameMeasurement,
  isRecorded,
  reportSequence,
  type SimulatedFrames,
  type SimulationOptions,
  simulateFrames,
} from '@tessera/multi-chiplet';
import type { LinePlot } from '@tessera/plot';
import { specDigest } from '@tessera/study';
import type { Context } from '../../tables/context-columns.ts';
import type { Cell, CsvRecord, KeyedTable, Table } from '../../tables/csv.ts';
import type { MeasureSetting, StoredMeasurement } from '../scenes/measurement-store.ts';
import type { GeneratedScenes } from '../scenes/study-scenes.ts';

/** Measurements of a scene with the settings of the study, in their order. */
export interface SceneMeasurements {
  readonly scene: string;
  readonly bySetting: readonly StoredMeasurement[];
}

/** Figures that a study's document shows. */
export interface StudySummary {
  /** Table over all scenes. */
  readonly table: Table;
  readonly plot: LinePlot;
}

/** A study over chiplets. */
export interface ChipletStudy {
  /** Generated scenes of the study, by name; those of all studies by default. */
  readonly scenes?: GeneratedScenes;
  /** Returns the settings with which each scene is rendered. */
  readonly settings: (bins: number) => readonly MeasureSetting[];
  /** Values of common columns that all rows of the study share. */
  readonly context: Context;
  /** Returns every figure, for the results file. Rows of a scene depend on that scene alone. */
  readonly figures: (scenes: readonly SceneMeasurements[]) => KeyedTable;
  /**
   * Returns table and plot. They depend only on the results file, so that a document can be
   * compared with it.
   */
  readonly summarize: (figures: readonly CsvRecord[]) => StudySummary;
}

/** Hardware and division of the studies that do not vary them. */
export const COMMON_CONTEXT = {
  spec: DEFAULT_CHIPLET_SPEC.name,
  specDigest: specDigest(summarizeSpec(DEFAULT_CHIPLET_SPEC)),
  policy: 'dynamic-pull',
  linkTopology: DEFAULT_INTERCONNECT.topology,
  linkBytesPerCycle: DEFAULT_INTERCONNECT.bytesPerCycle,
  linkLatencyCycles: DEFAULT_INTERCONNECT.latencyCycles,
} as const satisfies Context;

const COMPOSITION_RATES = compositionRatesOf(summarizeSpec(DEFAULT_CHIPLET_SPEC));
/** Machines of chiplets that run on. */
const MACHINES = new MachinePool(DEFAULT_CHIPLET_SPEC);

/** Names of all policies, in the order of their table. */
export const POLICIES = Object.keys(BIN_ASSIGNMENT_POLICIES) as readonly BinAssignmentPolicyName[];

/**
 * Returns the simulated GPU of the studies. Unless overridden, all chiplets have the resources from
 * the start.
 */
export function simulationOf(
  chipletCount: number,
  overrides: Partial<SimulationOptions> = {},
): SimulationOptions {
  return {
    chipletCount,
    isVisibilityChipletRendering: true,
    policy: 'dynamic-pull',
    interconnect: DEFAULT_INTERCONNECT,
    overlap: 'visibility-first',
    framesInFlight: DEFAULT_FRAMES_IN_FLIGHT,
    areResourcesResident: true,
    makeMachine: (sharing) => MACHINES.take(sharing),
    compositionRates: COMPOSITION_RATES,
    ...overrides,
  };
}

/** Simulates a single frame, without overlap. */
export function simulateAlone(
  measurement: FrameMeasurement,
  chipletCount: number,
  overrides: Partial<SimulationOptions> = {},
): { readonly cycles: number; readonly speedUp: number; readonly simulated: SimulatedFrames } {
  const simulated = simulateFrames([measurement], {
    ...simulationOf(chipletCount, overrides),
    overlap: 'none',
  });
  const cycles = simulated.frames[0]!.endCycle;
  return { cycles, speedUp: onOneChiplet(measurement).cycles / cycles, simulated };
}

/** Phases and bins of a frame on one chiplet. */
export interface OneChiplet {
  /** Sum of the visibility phases and bins. */
  readonly cycles: number;
  /** Cycles of the visibility phases. */
  readonly visibilityCycles: number;
  /** Cycles of the visibility phase and of each bin, by pass. */
  readonly passes: readonly {
    readonly visibilityCycles: number;
    readonly binCycles: readonly number[];
  }[];
}

const onOneChipletByMeasurement = new WeakMap<FrameMeasurement, OneChiplet>();

/** Simulates a frame on one chiplet, once. */
export function onOneChiplet(measurement: FrameMeasurement): OneChiplet {
  const known = onOneChipletByMeasurement.get(measurement);
  if (known !== undefined) return known;
  const { frames } = simulateFrames([measurement], { ...simulationOf(1), overlap: 'none' });
  const passes = frames[0]!.passes.map(({ visibilityStartCycle, visibilityEndCycle, bins }) => ({
    visibilityCycles: visibilityEndCycle - visibilityStartCycle,
    binCycles: bins.map(({ startCycle, endCycle }) => endCycle - startCycle),
  }));
  const visibilityCycles = sum(passes.map((pass) => pass.visibilityCycles));
  const cycles = visibilityCycles + sum(passes.flatMap(({ binCycles }) => binCycles));
  const alone = { cycles, visibilityCycles, passes };
  onOneChipletByMeasurement.set(measurement, alone);
  return alone;
}

/** Least number of frames of the same scene over which a steady state is measured. */
const SEQUENCE_FRAMES = 96;
/** Number of frames for chiplets that run on, whose simulation takes longer. */
const COUPLED_SEQUENCE_FRAMES = 18;
/** Frames of a sequence per frame in flight: pipelines fill, are full and drain. */
const SEQUENCE_FILLS = 3;
/** Specification of a report that is not kept. Its hashes are empty too. */
const SPEC = { name: 'default', fineBinPx: 64, clockHz: 1e9, parameters: {} };

/** Simulates many frames of the same scene in a row. */
export function simulateSteady(
  measurement: FrameMeasurement,
  simulation: SimulationOptions,
): {
  readonly cyclesPerFrame: number;
  readonly speedUp: number;
  readonly speedUpBound: number;
  /** Mean latency of a frame. */
  readonly latencyCycles: number;
} {
  const frame = { measurement, frameSha256: '', imageSha256: '' };
  const length = isRecorded(measurement)
    ? COUPLED_SEQUENCE_FRAMES
    : Math.max(SEQUENCE_FRAMES, SEQUENCE_FILLS * simulation.framesInFlight);
  const { report } = reportSequence({
    frames: new Array(length).fill(frame),
    simulation,
    spec: SPEC,
    wall: { totalMs: 0, retriedBins: 0 },
  });
  const { cyclesPerFrame, speedUp, speedUpBound } = report.steadyState!;
  const latencies = report.frames.map(({ latencyCycles }) => latencyCycles!);
  return { cyclesPerFrame, speedUp, speedUpBound, latencyCycles: mean(latencies) };
}

/**
 * Returns the cycles from the first bin's start to the last one's end, and max(total ÷ N, longest
 * bin), as sums over the passes.
 */
export function binPhase(
  { frames }: SimulatedFrames,
  chipletCount: number,
): {
  readonly makespanCycles: number;
  readonly lowerBoundCycles: number;
  readonly busyCycles: number;
} {
  let [makespanCycles, lowerBoundCycles, busyCycles] = [0, 0, 0];
  for (const { bins } of frames[0]!.passes) {
    const lengths = bins.map(({ startCycle, endCycle }) => endCycle - startCycle);
    const start = Math.min(...bins.map(({ startCycle }) => startCycle));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    makespanCycles += Math.max(...bins.map(({ endCycle }) => endCycle)) - start;
    lowerBoundCycles += Math.max(Math.ceil(total / chipletCount), ...lengths);
    busyCycles += total;
  }
  return { makespanCycles, lowerBoundCycles, busyCycles };
}

/**
 * Returns the bytes that cross the link during the frames, of transfers and of messages between
 * memories, and those that the display reads after them.
 */
export function bytesOnLink({ transfers, remote }: SimulatedFrames): {
  readonly crossingBytes: number;
  readonly scanoutBytes: number;
} {
  const [scanout, others] = [true, false].map((isScanout) =>
    sum(
      transfers.filter(({ kind }) => (kind === 'scanout') === isScanout).map(({ bytes }) => bytes),
    ),
  );
  return { crossingBytes: others! + sum(remote?.bytes.flat() ?? []), scanoutBytes: scanout! };
}

/** Returns the share of the visibility phases in the frame on one chiplet. */
export function serialFraction(measurement: FrameMeasurement): number {
  const { cycles, visibilityCycles } = onOneChiplet(measurement);
  return visibilityCycles / cycles;
}

/** Returns the geometric mean. */
export function geometricMean(values: readonly number[]): number {
  // Uses powers instead of logarithms: the product of ratios near 1 stays in range.
  return values.reduce((product, value) => product * value ** (1 / values.length), 1);
}

/** Returns the arithmetic mean. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Returns the sum. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Formats a share as percent. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Returns the geometric mean of a figure over rows. */
export function meanOf(rows: readonly CsvRecord[], figure: (row: CsvRecord) => number): number {
  return geometricMean(rows.map(figure));
}

/** Returns the rows whose columns have the given values. */
export function rowsWhere(
  rows: readonly CsvRecord[],
  values: Readonly<Record<string, Cell>>,
): CsvRecord[] {
  const entries = Object.entries(values).map(([column, value]) => [column, String(value)] as const);
  return rows.filter((row) => entries.every(([column, value]) => row[column] === value));
}

/** Returns the number of scenes in a results file. */
export function countScenes(rows: readonly CsvRecord[]): number {
  return new Set(rows.map(({ scene }) => scene)).size;
}
