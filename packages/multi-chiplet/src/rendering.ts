/**
 * Exports for rendering prepared frames. They load without the shader compiler, which is 100
 * modules.
 */
export { POLICY_NAMES, resolvePolicyName } from './bin-assignment/policies.ts';
export { MAX_SPLITS } from './bins/bin-splitting.ts';
export { BinDispatcher } from './dispatch/bin-dispatcher.ts';
export { HostTrust } from './dispatch/host-trust.ts';
export {
  PassVisit,
  type RecordedPass,
  type RenderVisitedBin,
  visitPasses,
} from './frames/pass-visit.ts';
export { recordPasses } from './frames/record-passes.ts';
export { type RenderedFrame, renderFrame } from './frames/render-frame.ts';
export { type ImmediateChiplet, renderFrameNow } from './frames/render-frame-now.ts';
export {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  LINK_TOPOLOGY_NAMES,
  TOPOLOGY_NAMES,
} from './interconnect/interconnect-spec.ts';
export { hasRecords } from './passes/pass-composition.ts';
export { parsePlacement, sharedPlacement } from './placement/parse-placement.ts';
export { requireLink } from './placement/require-link.ts';
export { type OrganizationOptions, requireOrganization } from './prepare/require-organization.ts';
export {
  type DeliveryOptions,
  requireVisibilityChiplets,
  requireVisibilityDelivery,
  type VisibilityOptions,
} from './prepare/require-visibility.ts';
export { type SimulatedGpuOptions, simulationOf } from './report/account-frame.ts';
export { addTimedCounters } from './report/timed-counters.ts';
export { DEFAULT_FRAMES_IN_FLIGHT } from './sequence/render-sequence.ts';
export { reportSequence, type SequenceFrame } from './sequence/sequence-report.ts';
export {
  accountAssignment,
  divideFrame,
  type FrameParts,
} from './simulated-time/account-chiplets.ts';
export {
  type FrameMeasurement,
  measurementWith,
} from './simulated-time/frame-measurement.ts';
export { cyclesOnOneChiplet } from './simulated-time/one-chiplet.ts';
export {
  DEFAULT_ORGANIZATION,
  ORGANIZATIONS,
  type Organization,
} from './simulated-time/organization.ts';
export { refuseManyMachines, refuseManyRecords } from './simulated-time/record-limits.ts';
export { simulateFrames } from './simulated-time/simulate-frames.ts';
export {
  DEFAULT_OVERLAP,
  OVERLAP_MODES,
  type OverlapMode,
  type SimulatedFrames,
  type SimulationOptions,
  type TextureReadObserver,
} from './simulated-time/simulated-frames.ts';
export type { MachineMaker } from './simulated-time/simulated-machine.ts';
export { type Timeline, timelineJson } from './simulated-time/timeline.ts';
