/**
 * Bounds of a frame: the resources whose higher rate shortens its critical path. Units that are
 * about as busy as the busiest one bound the frame together, since a higher rate of one alone gives
 * nothing. The search adds the resource with the greatest gain on the critical path, or if there is
 * none, the busiest one, until a gain appears.
 */
import { type FasterUnits, makeTwiceAsFast, unitsFasterWith } from '@tessera/chiplet-spec';
import {
  type BoundResource,
  type FrameBound,
  type SpecSummary,
  TIMED_UNITS,
  type TimedUnit,
} from '@tessera/frame';
import { INTERCONNECT_FIELDS, type InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import type { PathInterval } from './critical-path.ts';
import { cyclesWith, type FastResources, type FramePredictor } from './predict-cycles.ts';
import type { FrameLoads, RunLoad } from './run-loads.ts';

const COPY_STEPS: ReadonlySet<string> = new Set(['uploads', 'resolves', 'copies', 'stores']);
/** Least gain that makes resources a bound: 1 − cycles ÷ cycles before. */
const LEAST_GAIN = 0.02;
const TWICE = 2;
/** Number of bounds that are named. */
const BOUND_COUNT = 2;
/** Least part of a resource's time on the path that is gained if it bounds the frame by itself. */
const LEAST_PART = 1 / 8;
/** Largest number of units that bound a frame together. */
const MAX_TOGETHER = 8;
/** Least utilization of each of them. */
const LEAST_UTILIZATION = 0.5;

/** Path of a frame with the loads of its runs, and the hardware. */
export interface BoundsInput {
  readonly path: readonly PathInterval[];
  readonly loads: FrameLoads;
  readonly predictor: FramePredictor;
  readonly spec: SpecSummary;
  readonly interconnect: InterconnectSpec;
  /** Cycles of the frame. */
  readonly cycles: number;
  /** Busy cycles of the most used channel of the link. */
  readonly linkCycles: number;
}

/** Returns what bounds a frame, and what would bound it then. */
export function findBounds(input: BoundsInput): FrameBound[] {
  const intervals = weighIntervals(input);
  const bounds: FrameBound[] = [];
  let fast: FastResources = new Map();
  let cycles = input.cycles;
  while (bounds.length < BOUND_COUNT) {
    const found = findTogether(intervals, input, fast, cycles);
    if (found === null) break;
    const { next, ...bound } = found;
    bounds.push({ ...bound, ...joinSettings(input, bound.resources) });
    fast = next;
    cycles = bound.predictedCycles;
  }
  return bounds;
}

/** Part of the critical path with its load. */
interface WeighedInterval {
  readonly cycles: number;
  /** Load of the chiplet's work; null for the link and for messages. */
  readonly load: RunLoad | null;
  readonly isLink: boolean;
}

function weighIntervals({ path, loads }: BoundsInput): WeighedInterval[] {
  const copies = sumLoads(loads.copies);
  return path.map(({ kind, chiplet, cycles, run }) => ({
    cycles,
    load: run !== null ? loads.runs.get(run)! : COPY_STEPS.has(kind) ? copies : null,
    isLink: chiplet === null && kind !== 'decisions',
  }));
}

function sumLoads(loads: readonly RunLoad[]): RunLoad {
  const busyCycles = TIMED_UNITS.map((_, unit) =>
    loads.reduce((sum, load) => sum + load.busyCycles[unit]!, 0),
  );
  return { cycles: loads.reduce((sum, { cycles }) => sum + cycles, 0), busyCycles };
}

/** Returns the cycles of the critical path with resources that are twice as fast. */
function pathCycles(intervals: readonly WeighedInterval[], fast: FastResources): number {
  let sum = 0;
  for (const { cycles, load, isLink } of intervals) {
    if (isLink) sum += cycles / (fast.get('link') ?? 1);
    else if (load === null || load.cycles === 0) sum += cycles;
    else sum += (cycles * cyclesWith(load, fast)) / load.cycles;
  }
  return sum;
}

/** Returns the settings that make a resource twice as fast; null if there are none. */
function fasterOf(
  { spec, interconnect }: BoundsInput,
  resource: BoundResource,
): FasterUnits | null {
  if (resource !== 'link') return makeTwiceAsFast(spec, resource);
  const twice = 2 * interconnect.bytesPerCycle;
  const isPossible = twice <= INTERCONNECT_FIELDS.bytesPerCycle.max;
  return isPossible ? { settings: { linkBytesPerCycle: twice }, factor: TWICE } : null;
}

/** Returns the factors of the resources that become faster with a resource. */
function fasterWith(input: BoundsInput, resource: BoundResource): [BoundResource, number][] {
  const factor = fasterOf(input, resource)?.factor ?? TWICE;
  const all = resource === 'link' ? [resource] : unitsFasterWith(resource);
  return all.map((each) => [each, factor]);
}

/** Resources that bound a frame together. */
interface Together extends Omit<FrameBound, 'settings' | 'factor'> {
  /** Factors of these and of the ones before. */
  readonly next: FastResources;
}

/**
 * Finds the resources that bound a frame together.
 *
 * @param fast Resources that are already faster.
 * @param cycles Cycles of the frame with them.
 * @returns Null if no resources do.
 */
function findTogether(
  intervals: readonly WeighedInterval[],
  input: BoundsInput,
  fast: FastResources,
  cycles: number,
): Together | null {
  let found: Together | null = null;
  let together: readonly BoundResource[] = [];
  let next = fast;
  while (together.length < MAX_TOGETHER) {
    const chosen = chooseNext(intervals, next, LEAST_GAIN * cycles);
    if (chosen === null) break;
    together = [...together, chosen.resource];
    next = new Map([...next, ...fasterWith(input, chosen.resource)]);
    if (!chosen.hasGain) continue;
    const predictedCycles = input.predictor.predict(next);
    const gain = 1 - predictedCycles / cycles;
    if (gain < LEAST_GAIN) continue;
    const use = describeUse(intervals, input, together, fast);
    const grown: Together = { resources: together, ...use, predictedCycles, next };
    // With less, others are about as busy, so they bound the frame too.
    if (gain >= use.share * use.utilization * LEAST_PART) return grown;
    found ??= grown;
  }
  return found;
}

/** Chooses the resource with the greatest gain on the path, or else the busiest one. */
function chooseNext(
  intervals: readonly WeighedInterval[],
  fast: FastResources,
  leastGain: number,
): { readonly resource: BoundResource; readonly hasGain: boolean } | null {
  const start = pathCycles(intervals, fast);
  const left = ([...TIMED_UNITS, 'link'] as const).filter((resource) => !fast.has(resource));
  const gains = left.map((resource) => ({
    resource,
    gain: start - pathCycles(intervals, new Map([...fast, [resource, TWICE] as const])),
    utilization: utilizationOf(intervals, resource),
  }));
  const best = gains.reduce((a, b) => (b.gain > a.gain ? b : a));
  if (best.gain >= leastGain) return { resource: best.resource, hasGain: true };
  const busiest = gains.reduce((a, b) => (b.utilization > a.utilization ? b : a));
  if (busiest.utilization < LEAST_UTILIZATION) return null;
  return { resource: busiest.resource, hasGain: fast.size > 0 };
}

/** Returns the share of the work of chiplets on the path in which a unit is busy. */
function utilizationOf(intervals: readonly WeighedInterval[], resource: BoundResource): number {
  if (resource === 'link') return 0;
  const unit = TIMED_UNITS.indexOf(resource);
  let [busy, all] = [0, 0];
  for (const { cycles, load } of intervals) {
    if (load === null || load.cycles === 0) continue;
    all += cycles;
    busy += (cycles * load.busyCycles[unit]!) / load.cycles;
  }
  return all === 0 ? 0 : busy / all;
}

/** Returns the part of the path that resources bound, and how busy they are in it. */
function describeUse(
  intervals: readonly WeighedInterval[],
  { cycles, linkCycles }: BoundsInput,
  together: readonly BoundResource[],
  before: FastResources,
): Pick<FrameBound, 'share' | 'utilization'> {
  if (together.includes('link')) {
    const bound = intervals.reduce((sum, each) => sum + (each.isLink ? each.cycles : 0), 0);
    return { share: bound / cycles, utilization: linkCycles / cycles };
  }
  const units = together.map((resource) => TIMED_UNITS.indexOf(resource as TimedUnit));
  let [all, bound, busy] = [0, 0, 0];
  for (const interval of intervals) {
    const length = pathCycles([interval], before);
    all += length;
    const { load } = interval;
    if (load === null || load.cycles === 0) continue;
    const left = load.busyCycles.map((own, unit) => own / (before.get(TIMED_UNITS[unit]!) ?? 1));
    const own = Math.max(...units.map((unit) => left[unit]!));
    if (own < Math.max(...left)) continue;
    bound += length;
    busy += (length * own) / cyclesWith(load, before);
  }
  return { share: bound / all, utilization: bound === 0 ? 0 : busy / bound };
}

/** Returns the settings that make all resources faster; null if one of them has none. */
function joinSettings(
  input: BoundsInput,
  together: readonly BoundResource[],
): Pick<FrameBound, 'settings' | 'factor'> {
  const all = together.map((resource) => fasterOf(input, resource));
  const known = all.filter((each) => each !== null);
  if (known.length < all.length) return { settings: null, factor: TWICE };
  return {
    settings: Object.assign({}, ...known.map(({ settings }) => settings)),
    factor: Math.min(...known.map(({ factor }) => factor)),
  };
}
