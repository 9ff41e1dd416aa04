/**
 * Exports for estimates: any number of chiplets, policy, link and overlap from the measurement of a
 * frame. Browsers load them too, so they reach no module of Node and no machine.
 */
export {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
} from './bin-assignment/policies.ts';
export {
  INTERCONNECT_FIELDS,
  TOPOLOGY_NAMES,
  type Topology,
} from './interconnect/interconnect-spec.ts';
export {
  accountAssignment,
  accountChiplets,
  type ChipletAccount,
  idleShareOf,
} from './simulated-time/account-chiplets.ts';
export { estimateFrames } from './simulated-time/estimate-frames.ts';
export { estimateOnOneChiplet } from './simulated-time/estimate-one-chiplet.ts';
export type { FrameMeasurement } from './simulated-time/frame-measurement.ts';
export {
  OVERLAP_MODES,
  type OverlapMode,
  type SimulatedFrames,
  type SimulationOptions,
} from './simulated-time/simulated-frames.ts';
