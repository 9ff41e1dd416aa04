/** The simulated chiplet. */

export {
  FRAGMENT,
  SLOT_STATE,
  TaskScheduler,
  TwoLevelRoundRobin,
  VERTEX,
} from '@tessera/chip/parts';
export { SLOT_POLICIES, type SlotPolicyName } from '@tessera/chip/records';
export {
  createLocalChiplet,
  type LocalChiplet,
  type LocalChipletOptions,
} from './chiplet/local-chiplet.ts';
export { SimulatedChiplet } from './chiplet/simulated-chiplet.ts';
export type { ResidentFrame } from './command/resident-frame.ts';
export type { SubTileCounts } from './modes/count-sub-tiles.ts';
export type { RenderedBin } from './modes/rendered-bin.ts';
export type { VisibilityResult } from './modes/visibility-mode.ts';
export type { TilePoint, TraversalSwitches } from './raster/hardware/seven-level-traversal.ts';
export { ChipletMachine } from './timing/chiplet-machine.ts';
export { MachinePool } from './timing/machine-pool.ts';
export { type MemoryLoad, measureMemory } from './timing/measure-memory.ts';
export { timingSpecOf } from './timing/timing-spec-words.ts';
