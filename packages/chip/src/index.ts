/**
 * The simulated chip of a chiplet, compiled to WebAssembly. Its records are in
 * `@tessera/chip/records`.
 */
export {
  type ChipEngine,
  type ChipOptions,
  CompiledChip,
  type RingView,
  type VertexTraceMaker,
} from './compiled/chip-engine.ts';
export { BUSY, STALLED, STARVED, STATE_COUNT } from './sim/schedule.ts';
