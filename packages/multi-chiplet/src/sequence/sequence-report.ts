/**
 * Makes the report of a sequence of frames from their measurements. Any policy, number of chiplets,
 * link and overlap follows from measurements that were made once, without rendering.
 */
import {
  DEFAULT_PLACEMENT,
  type SequenceFrameReport,
  type SequenceReport,
  type SpecSummary,
  type SteadyState,
} from '@tessera/frame';
import type { Transfer } from '../interconnect/crosslink-model.ts';
import { accountLink, busyCyclesOf } from '../interconnect/link-account.ts';
import { accountRemote } from '../report/account-remote.ts';
import {
  type FrameMeasurement,
  isRecorded,
  serialCycles,
} from '../simulated-time/frame-measurement.ts';
import { compositionRatesOf } from '../simulated-time/layer-merging.ts';
import { simulateFrames } from '../simulated-time/simulate-frames.ts';
import type {
  SimulatedFrame,
  SimulatedFrames,
  SimulationOptions,
} from '../simulated-time/simulated-frames.ts';

/** Measurement of one frame of a sequence, with the hashes of the frame and its image. */
export interface SequenceFrame {
  readonly measurement: FrameMeasurement;
  readonly frameSha256: string;
  readonly imageSha256: string;
}

/** Frames of a sequence and the simulated GPU. */
export interface SequenceReportInput {
  readonly frames: readonly SequenceFrame[];
  readonly simulation: SimulationOptions;
  readonly spec: SpecSummary;
  readonly wall: SequenceReport['wall'];
}

/**
 * Simulates the frames.
 *
 * @returns The report and the simulation that it summarizes.
 */
export function reportSequence(input: SequenceReportInput): {
  readonly report: SequenceReport;
  readonly simulated: SimulatedFrames;
} {
  const { frames, spec } = input;
  const simulation = { compositionRates: compositionRatesOf(spec), ...input.simulation };
  const measurements = frames.map(({ measurement }) => measurement);
  const { chipletCount } = simulation;
  const idleOf = (run: SimulatedFrames) =>
    endOf(run) * chipletCount -
    countBusyCycles(run.frames, chipletCount).reduce((sum, each) => sum + each, 0);
  // This run is simulated first and reduced to its sums, so that the two runs are never in memory
  // together.
  const sumUp = (run: SimulatedFrames) => ({ cycles: endOf(run), idleCycles: idleOf(run) });
  const apart = sumUp(simulateFrames(measurements, { ...simulation, overlap: 'none' }));
  const simulated = simulateFrames(measurements, simulation);
  const isTimed = simulated.clock === 'cycles';
  const timed = (cycles: number) => (isTimed ? cycles : null);
  const cycles = endOf(simulated);
  const busy = countBusyCycles(simulated.frames, chipletCount);
  const report: SequenceReport = {
    sequenceVersion: 1,
    timing: isTimed ? 'cycle' : 'functional',
    coupling: simulated.machines === null ? 'none' : 'exact',
    spec,
    policy: simulation.policy,
    overlap: simulation.overlap,
    framesInFlight: simulation.overlap === 'none' ? 1 : simulation.framesInFlight,
    totals: {
      frames: frames.length,
      cycles: timed(cycles),
      simulatedMs: timed((cycles * 1000) / spec.clockHz),
    },
    frames: simulated.frames.map((frame, index) =>
      accountFrame(frame, index, frames[index]!, isTimed),
    ),
    steadyState: isTimed ? measureSteadyState(simulated, measurements, simulation, spec) : null,
    chiplets: busy.map((busyCycles, id) => ({
      id,
      busyCycles: timed(busyCycles),
      idleCycles: timed(cycles - busyCycles),
      idleShare: timed(cycles === 0 ? 0 : (cycles - busyCycles) / cycles),
    })),
    withoutOverlap: {
      cycles: timed(apart.cycles),
      idleCycles: timed(apart.idleCycles),
      cyclesPerFrame: timed(apart.cycles / frames.length),
    },
    idleCyclesFilled: timed(apart.idleCycles - idleOf(simulated)),
    placement: simulation.placement ?? DEFAULT_PLACEMENT,
    link: {
      ...simulation.interconnect,
      ...accountLink(simulated.transfers, simulated.channels, isTimed),
      remote: accountRemote(simulated),
    },
    wall: input.wall,
  };
  return { report, simulated };
}

function accountFrame(
  { startCycle, endCycle, passes }: SimulatedFrame,
  index: number,
  { frameSha256, imageSha256 }: SequenceFrame,
  isTimed: boolean,
): SequenceFrameReport {
  const timed = (cycles: number) => (isTimed ? cycles : null);
  const starts = passes.flatMap(({ bins }) => bins.map((bin) => bin.startCycle));
  const [first] = passes;
  const isSame = passes.every(({ prediction }) => prediction === first!.prediction);
  return {
    index,
    frameSha256,
    imageSha256,
    startCycle: timed(startCycle),
    visibilityStartCycle: timed(first!.visibilityStartCycle),
    visibilityEndCycle: timed(passes.at(-1)!.visibilityEndCycle),
    firstBinCycle: timed(Math.min(...starts)),
    endCycle: timed(endCycle),
    latencyCycles: timed(endCycle - startCycle),
    prediction: isSame ? first!.prediction : 'mixed',
  };
}

/**
 * Measures the frames that start after the pipeline has filled and finish before it drains.
 *
 * The time between the ends of two frames is too short while queues of bins or transfers grow,
 * because frames that complete late leave work behind. No pipeline is faster than the chiplet or
 * channel with the most work, so this work is a lower bound. Dynamic policies even out the work
 * over many frames, so a single bin more or less on the busiest chiplet counts less in long
 * sequences.
 *
 * @returns Null if fewer than two frames are left.
 */
function measureSteadyState(
  { frames, transfers }: SimulatedFrames,
  measurements: readonly FrameMeasurement[],
  simulation: SimulationOptions,
  { clockHz }: SpecSummary,
): SteadyState | null {
  const firstFrame = simulation.overlap === 'none' ? 1 : simulation.framesInFlight;
  const hasSpare = frames.length >= 3 * firstFrame;
  const lastFrame = frames.length - 1 - (hasSpare ? firstFrame : 0);
  const count = lastFrame - firstFrame + 1;
  if (count < 2) return null;
  // On a saturated link, a frame may complete before the one that started before it.
  const ends = frames.map(({ endCycle }) => endCycle).sort((a, b) => a - b);
  const { chipletCount, isVisibilityChipletRendering } = simulation;
  const measured = frames.slice(firstFrame, lastFrame + 1);
  const isMeasured = ({ frameIndex }: Transfer) =>
    frameIndex >= firstFrame && frameIndex <= lastFrame;
  const cycles = Math.max(
    ends[lastFrame]! - ends[firstFrame - 1]!,
    ...countBusyCycles(measured, chipletCount),
    ...countChannelCycles(transfers.filter(isMeasured)).values(),
  );
  const cyclesPerFrame = cycles / count;
  const { cycles: serial, visibilityCycles: visibility } = sumSerialCycles(
    measurements.slice(firstFrame, lastFrame + 1),
    simulation,
  );
  const serialFraction = serial === 0 ? 0 : visibility / serial;
  const whole = isVisibilityChipletRendering
    ? chipletCount
    : (chipletCount - 1) / (1 - serialFraction);
  return {
    firstFrame,
    lastFrame,
    cyclesPerFrame,
    framesPerSecond: clockHz / cyclesPerFrame,
    speedUp: serial / count / cyclesPerFrame,
    serialFraction,
    speedUpBound: serialFraction === 0 ? whole : Math.min(whole, 1 / serialFraction),
  };
}

/** Returns the cycles of the frames on one chiplet, and the share of their visibility phases. */
function sumSerialCycles(
  frames: readonly FrameMeasurement[],
  simulation: SimulationOptions,
): { readonly cycles: number; readonly visibilityCycles: number } {
  let [cycles, visibilityCycles] = [0, 0];
  if (!frames.every(isRecorded)) {
    for (const alone of frames.map(serialCycles)) {
      cycles += alone.cycles;
      visibilityCycles += alone.visibilityCycles;
    }
    return { cycles, visibilityCycles };
  }
  const alone = { chipletCount: 1, isVisibilityChipletRendering: true, overlap: 'none' } as const;
  const simulated = simulateFrames(frames, { ...simulation, ...alone });
  for (const { visibilityStartCycle, visibilityEndCycle } of simulated.frames.flatMap(
    ({ passes }) => passes,
  )) {
    visibilityCycles += visibilityEndCycle - visibilityStartCycle;
  }
  return { cycles: countBusyCycles(simulated.frames, 1)[0]!, visibilityCycles };
}

function endOf({ frames }: SimulatedFrames): number {
  return frames.reduce((latest, { endCycle }) => Math.max(latest, endCycle), 0);
}

/** Counts the cycles in visibility phases and bins by chiplet. */
function countBusyCycles(frames: readonly SimulatedFrame[], chipletCount: number): number[] {
  const busy = new Array<number>(chipletCount).fill(0);
  for (const { passes } of frames) {
    for (const { bins, visibilityParts } of passes) {
      for (const { chipletId, startCycle, endCycle } of [...visibilityParts, ...bins]) {
        busy[chipletId]! += endCycle - startCycle;
      }
    }
  }
  return busy;
}

/** Counts the cycles in which transfers occupy a channel, by the name of the channel. */
function countChannelCycles(transfers: readonly Transfer[]): Map<string, number> {
  const cyclesByChannel = new Map<string, number>();
  for (const { channels } of transfers) {
    for (const use of channels) {
      const cycles = cyclesByChannel.get(use.channel) ?? 0;
      cyclesByChannel.set(use.channel, cycles + busyCyclesOf(use));
    }
  }
  return cyclesByChannel;
}
