export {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  POLICY_ALIASES,
  POLICY_NAMES,
  resolvePolicyName,
} from './bin-assignment/policies.ts';
export { BIN_COST_MODEL, BIN_COST_TERMS } from './bin-cost.ts';
export { BinDispatcher } from './bin-dispatcher.ts';
export { MAX_SPLITS } from './bin-splitting.ts';
export { type BinCostFit, fitBinCost, type MeasuredCost } from './fit-bin-cost.ts';
export type { FrameAccount, PassAccount, SimulatedGpuOptions } from './frame-account.ts';
export { type BroadcastReceiver, InProcessCrosslink } from './in-process-crosslink.ts';
export {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  TOPOLOGIES,
  TOPOLOGY_NAMES,
} from './interconnect/interconnect-spec.ts';
export { hashFrame, type PrepareOptions, ProgramCache, prepareFrame } from './prepare-frame.ts';
export {
  type FrameProgress,
  type RenderedFrame,
  type RenderFrameOptions,
  renderFrame,
} from './render-frame.ts';
export {
  accountTogether,
  type FramePart,
  type FrameRenderedNow,
  type ImmediateChiplet,
  type RenderNowOptions,
  renderFrameNow,
} from './render-now.ts';
export {
  accountSequence,
  DEFAULT_FRAMES_IN_FLIGHT,
  type RenderedSequence,
  renderSequence,
} from './sequence/render-sequence.ts';
export { reportSequence, type SequenceFrame } from './sequence/sequence-report.ts';
export {
  type BinMeasurement,
  type FrameMeasurement,
  type PassMeasurement,
  serialCycles,
} from './simulated-time/frame-measurement.ts';
export { simulateFrames } from './simulated-time/simulate-frames.ts';
export {
  DEFAULT_OVERLAP,
  OVERLAP_MODES,
  type OverlapMode,
  type SimulatedFrames,
  type SimulationOptions,
} from './simulated-time/simulated-frames.ts';
export type { Timeline, TraceEvent } from './timeline.ts';
