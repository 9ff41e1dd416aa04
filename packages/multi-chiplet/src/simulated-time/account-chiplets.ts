/** Summarizes a simulation: the work of each chiplet, and the quality of the assignment. */
import type { Report } from '@tessera/frame';
import type { FrameMeasurement } from './frame-measurement.ts';
import type { SimulatedBin, SimulatedFrames } from './simulated-frames.ts';

/** Work of one chiplet in a frame. */
export interface ChipletAccount {
  readonly binCount: number;
  readonly estimatedCost: number;
  /** Cycles in visibility phases and bins. They mean nothing without cycle timing. */
  readonly busyCycles: number;
  /** Cycles of its copy engine. */
  readonly copyCycles: number;
}

/** Returns the work of each chiplet in the only frame. */
export function accountChiplets(
  { passes }: FrameMeasurement,
  { frames }: SimulatedFrames,
  chipletCount: number,
): ChipletAccount[] {
  const accounts = Array.from({ length: chipletCount }, () => ({
    binCount: 0,
    estimatedCost: 0,
    busyCycles: 0,
    copyCycles: 0,
  }));
  for (const [passIndex, pass] of frames[0]!.passes.entries()) {
    const { bins } = passes[passIndex]!;
    for (const { chipletId, startCycle, endCycle } of pass.visibilityParts) {
      accounts[chipletId]!.busyCycles += endCycle - startCycle;
    }
    for (const { chipletId, cycles } of pass.copies) accounts[chipletId]!.copyCycles += cycles;
    for (const [binIndex, bin] of pass.bins.entries()) {
      const account = accounts[bin.chipletId]!;
      account.binCount++;
      account.estimatedCost += bins[binIndex]!.estimatedCycles;
      account.busyCycles += workCyclesOf(bin);
    }
  }
  return accounts;
}

/** Returns the share of a frame's cycles in which a chiplet was not busy; 0 for a frame of none. */
export function idleShareOf(busyCycles: number, cycles: number): number {
  return cycles === 0 ? 0 : (cycles - busyCycles) / cycles;
}

/** Lower bounds on the time in which chiplets render the bins of a pass. */
interface BinBounds {
  /** Cycles of the longest bin. */
  readonly longestCycles: number;
  /** Cycles of all bins ÷ chiplets that render, not rounded. */
  readonly meanCycles: number;
}

/** Returns the cycles of a bin without those in which it waited for its visibility. */
function workCyclesOf({ startCycle, endCycle, waitedCycles = 0 }: SimulatedBin): number {
  return endCycle - startCycle - waitedCycles;
}

function boundBins(bins: readonly SimulatedBin[], rendererCount: number): BinBounds {
  let [longestCycles, total] = [0, 0];
  for (const bin of bins) {
    longestCycles = Math.max(longestCycles, workCyclesOf(bin));
    total += workCyclesOf(bin);
  }
  return { longestCycles, meanCycles: total / rendererCount };
}

/** Parts of a frame's cycles. Their largest is what bounds the frame. */
export interface FrameParts {
  /** Cycles of the visibility phases. */
  readonly visibilityCycles: number;
  /** Part of the report's `lowerBoundCycles` from passes in which the longest bin is the bound. */
  readonly longestBinCycles: number;
  /** Part from passes in which all bins ÷ chiplets is the bound. */
  readonly allBinsCycles: number;
  /**
   * Remaining cycles: transfers over the link, uneven assignment, copies. Less than 0 if passes
   * overlap.
   */
  readonly otherCycles: number;
}

/** Divides the cycles of the only frame into parts, from the figures of its report. */
export function divideFrame(
  { frames }: SimulatedFrames,
  chipletCount: number,
  isVisibilityChipletRendering: boolean,
): FrameParts {
  const rendererCount = isVisibilityChipletRendering ? chipletCount : chipletCount - 1;
  const { endCycle, passes } = frames[0]!;
  let [visibilityCycles, longestBinCycles, allBinsCycles] = [0, 0, 0];
  for (const { bins, visibilityStartCycle, visibilityEndCycle } of passes) {
    visibilityCycles += visibilityEndCycle - visibilityStartCycle;
    const { longestCycles, meanCycles } = boundBins(bins, rendererCount);
    const mean = Math.ceil(meanCycles);
    if (longestCycles >= mean) longestBinCycles += longestCycles;
    else allBinsCycles += mean;
  }
  const otherCycles = endCycle - visibilityCycles - longestBinCycles - allBinsCycles;
  return { visibilityCycles, longestBinCycles, allBinsCycles, otherCycles };
}

/** Returns how the bins of the only frame were assigned. Cycles are sums over the passes. */
export function accountAssignment(
  simulated: SimulatedFrames,
  chipletCount: number,
  isVisibilityChipletRendering: boolean,
): Report['assignment'] {
  const isTimed = simulated.clock === 'cycles';
  const rendererCount = isVisibilityChipletRendering ? chipletCount : chipletCount - 1;
  // Passes of transform feedback have no bins.
  const passes = simulated.frames[0]!.passes.filter(({ bins }) => bins.length > 0);
  let [steps, cycles, makespanCycles, lowerBoundCycles] = [0, 0, 0, 0];
  let [largestLoads, meanLoads, error, measured] = [0, 0, 0, 0];
  for (const { assignment, bins } of passes) {
    steps += assignment.steps;
    cycles += assignment.cycles;
    const start = Math.min(...bins.map(({ startCycle }) => startCycle));
    const end = Math.max(...bins.map(({ endCycle }) => endCycle));
    makespanCycles += end - start;
    const loads = new Array<number>(chipletCount).fill(0);
    for (const bin of bins) {
      const lasts = workCyclesOf(bin);
      loads[bin.chipletId]! += lasts;
      error += Math.abs(bin.predictedCycles - lasts);
      measured += lasts;
    }
    const { longestCycles, meanCycles } = boundBins(bins, rendererCount);
    lowerBoundCycles += Math.max(Math.ceil(meanCycles), longestCycles);
    largestLoads += Math.max(...loads);
    meanLoads += meanCycles;
  }
  const prediction = passes.map((pass) => pass.prediction);
  const isSame = prediction.every((each) => each === prediction[0]);
  const hasError = isTimed && prediction[0] !== 'none' && measured > 0;
  return {
    unit: isTimed ? 'cycles' : 'estimatedCost',
    clock: simulated.clock,
    prediction: isSame ? (prediction[0] ?? 'none') : 'mixed',
    predictionError: hasError ? error / measured : null,
    steps,
    cycles: isTimed ? cycles : null,
    makespanCycles: isTimed ? makespanCycles : null,
    lowerBoundCycles: isTimed ? lowerBoundCycles : null,
    imbalance: meanLoads === 0 ? 1 : largestLoads / meanLoads,
  };
}
