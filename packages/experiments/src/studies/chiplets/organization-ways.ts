/**
 * Ways in which chiplets share frames, as studies compare them: two-level binning with one chiplet
 * or all in the visibility phases, and the organizations of earlier systems.
 */
import {
  type FrameMeasurement,
  type Organization,
  type SimulatedFrames,
  type SimulationOptions,
  simulateFrames,
} from '@tessera/multi-chiplet';
import type { Cell } from '../../tables/csv.ts';
import type { MeasureSetting } from '../scenes/measurement-store.ts';
import { bytesOnLink, onOneChiplet, simulateSteady, simulationOf } from './chiplet-study.ts';

/** Way of sharing a frame. */
export interface OrganizationWay {
  readonly organization: Organization;
  /** Measurement among those of a number of chiplets; `one` is the same for all. */
  readonly measured: keyof MeasurementsByWay;
}

/** Measurements that the ways on a number of chiplets need. */
export interface MeasurementsByWay {
  readonly one: FrameMeasurement;
  readonly shared: FrameMeasurement;
  readonly 'sort-last': FrameMeasurement;
}

/** Ways by the names that results have. */
export const ORGANIZATION_WAYS = {
  binned: { organization: 'binned', measured: 'one' },
  'binned-shared': { organization: 'binned', measured: 'shared' },
  'split-frame': { organization: 'split-frame', measured: 'one' },
  'sort-last': { organization: 'sort-last', measured: 'sort-last' },
  'alternate-frame': { organization: 'alternate-frame', measured: 'one' },
} as const satisfies Readonly<Record<string, OrganizationWay>>;

/** Columns of the figures of a way. */
export const WAY_COLUMNS = [
  ...['cycles', 'speedUp', 'cyclesPerFrame', 'sequenceSpeedUp', 'crossingBytes'],
] as const;

/** Returns the settings with which frames are measured for all ways. */
export function waySettings(chipletCounts: readonly number[], bins: number): MeasureSetting[] {
  const common = { bins, visibility: 'minimal' } as const;
  return [
    common,
    ...chipletCounts.flatMap((count) => [
      { ...common, visibilityChiplets: count },
      { ...common, sortLastChiplets: count },
    ]),
  ];
}

/**
 * Returns the measurements on a number of chiplets.
 *
 * @param bySetting Measurements with the settings of {@link waySettings}.
 * @param index Index of the number of chiplets.
 */
export function pickMeasurements(
  [one, ...others]: readonly FrameMeasurement[],
  index: number,
): MeasurementsByWay {
  return { one: one!, shared: others[2 * index]!, 'sort-last': others[2 * index + 1]! };
}

/** Returns the simulated GPU of a way, with as many frames in flight as chiplets. */
export function simulationOfWay(
  { organization }: OrganizationWay,
  chiplets: number,
): SimulationOptions {
  return simulationOf(chiplets, { organization, framesInFlight: chiplets });
}

/**
 * Returns the figures of a way in the order of {@link WAY_COLUMNS}.
 *
 * @param hasSequence Whether a sequence is simulated; true by default. Its cells are empty without.
 */
export function figuresOfWay(
  measurements: MeasurementsByWay,
  way: OrganizationWay,
  chiplets: number,
  hasSequence = true,
): Cell[] {
  const measurement = measurements[way.measured];
  const simulation = simulationOfWay(way, chiplets);
  const alone = simulateFrames([measurement], { ...simulation, overlap: 'none' });
  const cyclesPerFrame = hasSequence
    ? simulateSteady(measurement, simulation).cyclesPerFrame
    : null;
  return compareWithOne(measurements.one, alone, alone.frames[0]!.endCycle, cyclesPerFrame);
}

/**
 * Returns cycles beside those of one chiplet, in the order of {@link WAY_COLUMNS}.
 *
 * @param one Measurement of the frame on one chiplet.
 * @param alone Simulation of the frame alone.
 * @param cycles Cycles of the frame alone.
 * @param cyclesPerFrame Cycles per frame of a sequence; null if none is simulated.
 */
export function compareWithOne(
  one: FrameMeasurement,
  alone: SimulatedFrames,
  cycles: number,
  cyclesPerFrame: number | null,
): Cell[] {
  const oneCycles = onOneChiplet(one).cycles;
  const sequence =
    cyclesPerFrame === null
      ? ['', '']
      : [cyclesPerFrame.toFixed(1), (oneCycles / cyclesPerFrame).toFixed(4)];
  return [
    ...[cycles, (oneCycles / cycles).toFixed(4), ...sequence],
    bytesOnLink(alone).crossingBytes,
  ];
}
