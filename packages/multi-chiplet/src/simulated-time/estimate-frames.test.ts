import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
} from '../bin-assignment/policies.ts';
import { TOPOLOGY_NAMES } from '../interconnect/interconnect-spec.ts';
import { sampleFrame } from '../testing/measurement-samples.ts';
import { estimateFrames } from './estimate-frames.ts';
import { simulateFrames } from './simulate-frames.ts';
import { OVERLAP_MODES } from './simulated-frames.ts';

const POLICIES = Object.keys(BIN_ASSIGNMENT_POLICIES) as BinAssignmentPolicyName[];

describe('an estimate', () => {
  it('equals the simulation of services for any GPU', () => {
    const options = fc.record({
      chipletCount: fc.integer({ min: 2, max: 64 }),
      isVisibilityChipletRendering: fc.boolean(),
      policy: fc.constantFrom(...POLICIES),
      interconnect: fc.record({
        topology: fc.constantFrom(...TOPOLOGY_NAMES),
        bytesPerCycle: fc.integer({ min: 1, max: 4096 }),
        latencyCycles: fc.integer({ min: 0, max: 1000 }),
      }),
      overlap: fc.constantFrom(...OVERLAP_MODES),
      framesInFlight: fc.integer({ min: 1, max: 6 }),
    });
    const cycles = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(options, cycles, fc.integer({ min: 1, max: 6 }), (gpu, bins, frameCount) => {
        const frame = sampleFrame(300, bins, { commandBytes: 64, streamBytes: 640 });
        const frames = Array.from({ length: frameCount }, () => frame);
        expect(estimateFrames(frames, gpu)).toEqual(simulateFrames(frames, gpu));
      }),
      { numRuns: 60 },
    );
  });

  it('refuses records, which need machines', () => {
    const { passes } = sampleFrame(null, []);
    const records = {} as never;
    const frame = { passes: passes.map((pass) => ({ ...pass, visibilityRecords: records })) };
    const gpu = {
      chipletCount: 2,
      isVisibilityChipletRendering: true,
      policy: 'static-blocks',
      interconnect: { topology: 'bus', bytesPerCycle: 256, latencyCycles: 32 },
      overlap: 'none',
      framesInFlight: 1,
    } as const;
    expect(() => estimateFrames([frame], gpu)).toThrow('recorded frames need machines');
  });
});
