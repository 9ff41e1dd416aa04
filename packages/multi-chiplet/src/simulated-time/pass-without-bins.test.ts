import { expect, it } from 'vitest';
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
} from '../bin-assignment/policies.ts';
import { DEFAULT_INTERCONNECT } from '../interconnect/interconnect-spec.ts';
import { samplePass } from '../testing/measurement-samples.ts';
import { accountAssignment } from './account-chiplets.ts';
import { simulateFrames } from './simulate-frames.ts';

const POLICIES = Object.keys(BIN_ASSIGNMENT_POLICIES) as BinAssignmentPolicyName[];

it.each(POLICIES)('a pass without bins ends with its visibility phase, policy %s', (policy) => {
  const simulate = (passes: readonly ReturnType<typeof samplePass>[]) =>
    simulateFrames([{ passes }], {
      chipletCount: 3,
      isVisibilityChipletRendering: true,
      policy,
      interconnect: DEFAULT_INTERCONNECT,
      overlap: 'none',
      framesInFlight: 1,
    });
  const drawn = samplePass(10, [5, 6]);
  const both = simulate([samplePass(40, [], { streamBytes: 0 }), drawn]);
  const [first, second] = both.frames[0]!.passes;
  expect(first).toMatchObject({ visibilityEndCycle: 40, endCycle: 40, bins: [] });
  expect(first!.assignment).toEqual({ steps: 0, cycles: 0 });
  expect(second).toMatchObject({ visibilityStartCycle: 40, visibilityEndCycle: 50 });
  const streams = both.transfers.filter(({ kind }) => kind === 'streams');
  expect(streams.map(({ passIndex }) => passIndex)).not.toContain(0);
  // The quality of the assignment is that of the other pass.
  expect(accountAssignment(both, 3, true)).toEqual(accountAssignment(simulate([drawn]), 3, true));
});
