/** The timing of recorded runs, without the units that compute images. */
export { MachinePool } from './machine-pool.ts';
