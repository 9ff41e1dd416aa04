/**
 * Predicts a frame whose units or link are faster: the simulation of the frame is repeated
 * with the cycles of its runs, changed as their loads say, without machines. What this simulation
 * gets wrong of the frame as it is, it is expected to get wrong of the faster one, so the ratio of
 * both is used.
 */
import { type BoundResource, TIMED_UNITS } from '@tessera/frame';
import { TOPOLOGY_NAMES } from '../interconnect/interconnect-spec.ts';
import { IsolatedWork } from '../simulated-time/chiplet-work.ts';
import { ISOLATED_TIMING } from '../simulated-time/estimate-frames.ts';
import {
  type FrameMeasurement,
  type PassMeasurement,
  type SegmentMeasurement,
  visibilityPartsOf,
} from '../simulated-time/frame-measurement.ts';
import { FrameSimulation } from '../simulated-time/frame-simulation.ts';
import { LayerMerging } from '../simulated-time/layer-merging.ts';
import type { SimulatedFrames, SimulationOptions } from '../simulated-time/simulated-frames.ts';
import type { ChipletRun, FrameRuns } from './frame-runs.ts';
import type { FrameLoads, RunLoad } from './run-loads.ts';

/** Frame to predict. */
export interface PredictionInput {
  readonly measurement: FrameMeasurement;
  readonly simulated: SimulatedFrames;
  readonly options: SimulationOptions;
  readonly runs: FrameRuns;
  readonly loads: FrameLoads;
}

/** Factors by which resources are faster. */
export type FastResources = ReadonlyMap<BoundResource, number>;

const NONE: FastResources = new Map();
const DRAM = TIMED_UNITS.indexOf('dram');

/** Returns the cycles of a load if resources were faster. */
export function cyclesWith({ cycles, busyCycles }: RunLoad, fast: FastResources): number {
  let [before, after] = [0, 0];
  for (const [unit, busy] of busyCycles.entries()) {
    before = Math.max(before, busy);
    after = Math.max(after, busy / (fast.get(TIMED_UNITS[unit]!) ?? 1));
  }
  return cycles - before + after;
}

/** Predicts the cycles of one frame. */
export class FramePredictor {
  readonly #input: PredictionInput;
  /** Cycles of the frame, and those of the simulation without machines. */
  readonly #cycles: number;
  readonly #estimatedCycles: number;
  /** Lines that arrive over the link and are stored. */
  readonly #storedLines: number;

  constructor(input: PredictionInput) {
    this.#input = input;
    this.#cycles = input.simulated.frames[0]!.endCycle;
    const { cycles, storedLines } = this.#estimate(NONE, 0);
    this.#storedLines = storedLines;
    this.#estimatedCycles =
      storedLines === 0 ? cycles : this.#estimate(NONE, this.#storeLineCycles(NONE)).cycles;
  }

  /** Returns the cycles of the frame with resources that are faster. */
  predict(fast: FastResources): number {
    const { cycles } = this.#estimate(fast, this.#storeLineCycles(fast));
    return Math.round((this.#cycles * cycles) / this.#estimatedCycles);
  }

  /**
   * Returns the time for storing a line in the memory of chiplet 0: the copy engine writes one per
   * cycle, and memory carries the bytes of the chiplet's bins in the same time.
   */
  #storeLineCycles(fast: FastResources): number {
    const { runs, loads } = this.#input;
    if (this.#storedLines === 0) return 0;
    const bins = runs.byChiplet[0]!.filter(({ binIndex }) => binIndex !== null);
    const busy = bins.reduce((sum, run) => sum + loads.runs.get(run)!.busyCycles[DRAM]!, 0);
    const ofMemory = busy / this.#storedLines / (fast.get('dram') ?? 1);
    return Math.max(1 / (fast.get('copyEngine') ?? 1), ofMemory);
  }

  #estimate(
    fast: FastResources,
    storeLineCycles: number,
  ): { readonly cycles: number; readonly storedLines: number } {
    const { interconnect, ...options } = this.#input.options;
    const { topology, bytesPerCycle } = interconnect;
    const isCrosslink = TOPOLOGY_NAMES.some((name) => name === topology);
    const link = {
      ...interconnect,
      topology: isCrosslink ? topology : 'full',
      bytesPerCycle: bytesPerCycle * (fast.get('link') ?? 1),
    };
    let storedLines = () => 0;
    const simulation = new FrameSimulation(
      [this.#frameWith(fast)],
      { ...options, interconnect: link },
      {
        makeLink: ISOLATED_TIMING.makeLink,
        makeWork: (_frames, isTimed, _options, events) => {
          const work = new IsolatedWork(events, isTimed, storeLineCycles);
          storedLines = () => work.storedLines;
          return work;
        },
        makeMerging: (merging) => new LayerMerging(merging),
      },
    );
    for (const _cycle of simulation.run());
    return { cycles: simulation.result.frames[0]!.endCycle, storedLines: storedLines() };
  }

  /** Returns the measurement of the frame with the cycles of its runs. */
  #frameWith(fast: FastResources): FrameMeasurement {
    const { measurement, runs, loads } = this.#input;
    const cyclesByRun = new Map<string, number>();
    for (const run of runs.byChiplet.flat()) {
      cyclesByRun.set(keyOf(run), Math.round(cyclesWith(loads.runs.get(run)!, fast)));
    }
    const copies = new Map(
      loads.copies.map((load) => [
        `${load.passIndex} ${load.timing}`,
        Math.round(cyclesWith(load, fast)),
      ]),
    );
    return {
      passes: measurement.passes.map((pass, passIndex) =>
        passWith(pass, {
          phase: (part) => cyclesByRun.get(keyOf({ passIndex, part, binIndex: null })) ?? 0,
          bin: (binIndex) => cyclesByRun.get(keyOf({ passIndex, part: null, binIndex })) ?? 0,
          copy: (timing) => copies.get(`${passIndex} ${timing}`)!,
        }),
      ),
    };
  }
}

function keyOf({
  passIndex,
  part,
  binIndex,
}: Pick<ChipletRun, 'passIndex' | 'part' | 'binIndex'>): string {
  return `${passIndex} ${part} ${binIndex}`;
}

/** Cycles of the runs and copies of a pass. */
interface PassCycles {
  readonly phase: (part: number) => number;
  readonly bin: (binIndex: number) => number;
  readonly copy: (timing: number) => number;
}

/** Returns a pass whose runs have cycles instead of records. */
function passWith(pass: PassMeasurement, cycles: PassCycles): PassMeasurement {
  const { visibilityRecords: _, visibilityParts, visibilitySegments, copyWork, ...rest } = pass;
  const parts = visibilityPartsOf(pass).map(({ records: _records, segments, ...part }, index) => ({
    ...part,
    cycles: cycles.phase(index),
    ...(segments === undefined ? {} : { segments: spread(segments, cycles.phase(index)) }),
  }));
  return {
    ...rest,
    visibilityCycles: visibilityParts === undefined ? parts[0]!.cycles : pass.visibilityCycles,
    ...(visibilityParts === undefined ? {} : { visibilityParts: parts }),
    ...(visibilitySegments === undefined ? {} : { visibilitySegments: parts[0]!.segments! }),
    bins: pass.bins.map(({ records: _records, ...bin }, i) => ({ ...bin, cycles: cycles.bin(i) })),
    copyWork: {
      ...copyWork,
      timings: copyWork.timings.map((timing, i) => ({ ...timing, cycles: cycles.copy(i) })),
    },
  };
}

/** Spreads the ends of segments over a phase. */
function spread(segments: readonly SegmentMeasurement[], cycles: number): SegmentMeasurement[] {
  return segments.map((segment, i) => ({
    ...segment,
    endCycle: Math.round((cycles * (i + 1)) / segments.length),
  }));
}
