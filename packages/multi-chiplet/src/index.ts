export {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  POLICY_ALIASES,
  POLICY_NAMES,
  resolvePolicyName,
} from './bin-assignment/policies.ts';
export { BIN_COST_MODEL, BIN_COST_TERMS, type BinCostModel } from './bins/bin-cost.ts';
export { MAX_SPLITS } from './bins/bin-splitting.ts';
export { binCostError, fitBinCost, type MeasuredCost } from './bins/fit-bin-cost.ts';
export { BinDispatcher } from './dispatch/bin-dispatcher.ts';
export { countVisibility, type VisibilityCounts } from './frames/count-visibility.ts';
export type { FrameProgress } from './frames/frame-progress.ts';
export {
  type RenderedFrame,
  type RenderFrameOptions,
  renderFrame,
} from './frames/render-frame.ts';
export {
  accountTogether,
  type FramePart,
  type FrameRenderedNow,
  type ImmediateChiplet,
  type RenderNowOptions,
  renderFrameNow,
} from './frames/render-frame-now.ts';
export { type BroadcastReceiver, InProcessCrosslink } from './interconnect/in-process-crosslink.ts';
export {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  LINK_TOPOLOGY_NAMES,
  TOPOLOGIES,
  TOPOLOGY_NAMES,
} from './interconnect/interconnect-spec.ts';
export { DEFAULT_NETWORK, NETWORK_FIELDS } from './network/network-spec.ts';
export { NETWORK_TOPOLOGIES } from './network/topologies/topologies.ts';
export { parsePlacement, requirePlacement } from './placement/parse-placement.ts';
export { requireLink } from './placement/require-link.ts';
export { hashFrame } from './prepare/hash-frame.ts';
export { type PrepareOptions, prepareFrame } from './prepare/prepare-frame.ts';
export { ProgramCache } from './prepare/program-cache.ts';
export { requireOrganization } from './prepare/require-organization.ts';
export {
  requireVisibilityChiplets,
  requireVisibilityDelivery,
} from './prepare/require-visibility.ts';
export type { FrameAccount, PassAccount, SimulatedGpuOptions } from './report/account-frame.ts';
export {
  accountSequence,
  DEFAULT_FRAMES_IN_FLIGHT,
  type RenderedSequence,
  renderSequence,
} from './sequence/render-sequence.ts';
export { reportSequence, type SequenceFrame } from './sequence/sequence-report.ts';
export { accountChiplets } from './simulated-time/account-chiplets.ts';
export {
  type BinMeasurement,
  type FrameMeasurement,
  isRecorded,
  measurementWith,
  type PassMeasurement,
  serialCycles,
} from './simulated-time/frame-measurement.ts';
export { compositionRatesOf } from './simulated-time/layer-merging.ts';
export { cyclesOnOneChiplet } from './simulated-time/one-chiplet.ts';
export {
  DEFAULT_ORGANIZATION,
  ORGANIZATIONS,
  type Organization,
} from './simulated-time/organization.ts';
export { refuseManyMachines } from './simulated-time/record-limits.ts';
export { simulateFrames } from './simulated-time/simulate-frames.ts';
export {
  DEFAULT_OVERLAP,
  OVERLAP_MODES,
  type OverlapMode,
  type SimulatedFrames,
  type SimulationOptions,
} from './simulated-time/simulated-frames.ts';
export type { Timeline, TraceEvent } from './simulated-time/timeline.ts';
