/** Test kit: the chip as TypeScript, against which the compiled one is compared. */
export { DirectChip } from './direct-chip.ts';
