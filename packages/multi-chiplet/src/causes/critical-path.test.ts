/**
 * The critical path against changed frames: if a run on it takes a cycle longer, so does the frame.
 * Each chiplet has channels of its own, and bins are assigned statically, so no change lets
 * something else overtake.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateFrames } from '../simulated-time/estimate-frames.ts';
import type { FrameMeasurement, PassMeasurement } from '../simulated-time/frame-measurement.ts';
import type { SimulationOptions } from '../simulated-time/simulated-frames.ts';
import { samplePass } from '../testing/measurement-samples.ts';
import { findCriticalPath, type PathInterval, sumSteps } from './critical-path.ts';
import { FrameRuns } from './frame-runs.ts';
import { findIdleReasons } from './idle-reasons.ts';

function optionsOf(chipletCount: number): SimulationOptions {
  return {
    chipletCount,
    isVisibilityChipletRendering: true,
    policy: 'static-blocks',
    interconnect: { topology: 'full', bytesPerCycle: 16, latencyCycles: 8 },
    overlap: 'none',
    framesInFlight: 1,
  };
}

/** Pass that reads what the pass before it drew. */
const pass = fc.record({
  // With short phases and no streams, commands are the last to arrive.
  visibilityCycles: fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 500 })),
  bins: fc.array(
    fc.record({
      cycles: fc.integer({ min: 1, max: 500 }),
      bytes: fc.integer({ min: 0, max: 4096 }),
    }),
    {
      minLength: 1,
      maxLength: 12,
    },
  ),
  streamBytes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2048 })),
});
const frame = fc.array(pass, { minLength: 1, maxLength: 3 }).map(
  (passes): FrameMeasurement => ({
    passes: passes.map(({ visibilityCycles, bins, streamBytes }, i) => {
      const needs = i === 0 ? {} : { binsNeed: [i - 1] };
      const made = samplePass(
        visibilityCycles,
        bins.map(({ cycles }) => cycles),
        { streamBytes, commandBytes: 64, ...needs },
      );
      return {
        ...made,
        bins: made.bins.map((bin, b) => ({ ...bin, resultBytes: bins[b]!.bytes })),
      };
    }),
  }),
);

function simulate(measurement: FrameMeasurement, chipletCount: number) {
  const simulated = estimateFrames([measurement], optionsOf(chipletCount));
  const runs = new FrameRuns(simulated, chipletCount);
  const path = findCriticalPath(measurement, simulated.frames[0]!, runs);
  return { cycles: simulated.frames[0]!.endCycle, simulated, runs, path };
}

/** Returns the frame with a run that takes a cycle longer. */
function delay({ passes }: FrameMeasurement, { run }: PathInterval): FrameMeasurement {
  const delayed = (each: PassMeasurement): PassMeasurement => {
    if (run!.binIndex === null) return { ...each, visibilityCycles: each.visibilityCycles! + 1 };
    const bins = each.bins.map((bin, i) =>
      i === run!.binIndex ? { ...bin, cycles: bin.cycles! + 1 } : bin,
    );
    return { ...each, bins };
  };
  return { passes: passes.map((each, i) => (i === run!.passIndex ? delayed(each) : each)) };
}

describe('the critical path', () => {
  it('has runs that make the frame longer by as much as they are', () => {
    fc.assert(
      fc.property(frame, fc.integer({ min: 1, max: 5 }), (measurement, chipletCount) => {
        const { cycles, path } = simulate(measurement, chipletCount);
        const runs = path.filter(({ run }) => run !== null);
        expect(runs.length).toBeGreaterThan(0);
        for (const interval of runs) {
          expect(simulate(delay(measurement, interval), chipletCount).cycles).toBe(cycles + 1);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('adds up to the frame, and reasons to the idle cycles', () => {
    fc.assert(
      fc.property(frame, fc.integer({ min: 1, max: 5 }), (measurement, chipletCount) => {
        const { cycles, simulated, runs, path } = simulate(measurement, chipletCount);
        const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
        expect(sum(sumSteps(path).map((step) => step.cycles))).toBe(cycles);
        const idle = findIdleReasons(simulated.frames[0]!, runs);
        const busy = runs.byChiplet.map((own) =>
          sum(own.map((run) => run.endCycle - run.startCycle)),
        );
        expect(idle.map((reasons) => sum(Object.values(reasons)))).toEqual(
          busy.map((each) => cycles - each),
        );
      }),
      { numRuns: 100 },
    );
  });
});
