/** Test kit: the chip as TypeScript, for comparison with the compiled one. */
export { DirectChip } from './direct-chip.ts';
