/**
 * The simulated chip of a chiplet, and the packet network between chiplets, compiled to
 * WebAssembly. Records of the chip are in `@tessera/chip/records`.
 */
export {
  type ChipEngine,
  type ChipOptions,
  CompiledChip,
  type RingView,
  type VertexTraceMaker,
} from './compiled/chip-engine.ts';
export { NetworkEngine, type NetworkEngineOptions } from './compiled/network-engine.ts';
export { DELIVERY, DELIVERY_WORDS } from './network/delivery-list.ts';
export { INJECTION } from './network/injections.ts';
export {
  BUSY,
  STALLED,
  STARVED,
  STATE_COUNT,
  stalled,
  starved,
  WAIT_WORDS,
} from './sim/schedule.ts';
