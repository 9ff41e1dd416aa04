export {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  POLICY_ALIASES,
  POLICY_NAMES,
  resolvePolicyName,
} from './bin-assignment/policies.ts';
export type { AssignmentInput, BinAssignmentPolicy, ChipletBins } from './bin-assignment/policy.ts';
export { type BroadcastReceiver, InProcessCrosslink } from './in-process-crosslink.ts';
export { type PrepareOptions, ProgramCache, prepareFrame } from './prepare-frame.ts';
export {
  type FrameProgress,
  type RenderedFrame,
  type RenderFrameOptions,
  renderFrame,
} from './render-frame.ts';
export type { Timeline, TraceEvent } from './timeline.ts';
