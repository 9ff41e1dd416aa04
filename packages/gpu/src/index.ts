/** The simulated chiplet. */

export {
  FRAGMENT,
  SLOT_STATE,
  TaskScheduler,
  TwoLevelRoundRobin,
  VERTEX,
} from '@tessera/chip/parts';
export { SLOT_POLICIES, type SlotPolicyName } from '@tessera/chip/records';
export type { RenderedBin } from './bin-render-mode.ts';
export { CHIPLET_PRESETS, type ChipletPresetName, chipletPreset } from './chiplet-presets.ts';
export {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  defineChipletSpec,
  requireChipletSpec,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
  summarizeSpec,
} from './chiplet-spec.ts';
export type { ResidentFrame } from './command/resident-frame.ts';
export {
  createLocalChiplet,
  type LocalChiplet,
  type LocalChipletOptions,
} from './local-chiplet.ts';
export { type MemoryLoad, measureMemory } from './memory/measure-memory.ts';
export type { SubTileCounts } from './raster/count-sub-tiles.ts';
export type { TilePoint, TraversalSwitches } from './raster/seven-level-traversal.ts';
export { SimulatedChiplet } from './simulated-chiplet.ts';
export { timingSpecOf } from './timing-spec-words.ts';
export type { VisibilityResult } from './visibility-mode.ts';
