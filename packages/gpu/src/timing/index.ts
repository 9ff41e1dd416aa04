/** The timing of recorded runs, without the units that compute images. */
export type { ChipletMachine } from './chiplet-machine.ts';
export { MachinePool } from './machine-pool.ts';
