/** A simulated chiplet that runs on from run to run, as the multi-chiplet layer sees it. */
import type { Counters, RecordedRun, UnitSpan } from '@tessera/frame';

/** Activity of a machine. */
export interface MachineActivity {
  readonly cycles: number;
  readonly counters: Counters;
  readonly spans: readonly UnitSpan[];
}

/** Machine of one chiplet. `@tessera/gpu` has the only one. */
export interface SimulatedMachine {
  /** Upper bound on the runs that the machine should have at a time. */
  readonly maxRuns: number;
  /** Current cycle: all earlier ones were simulated. */
  readonly cycle: number;
  /** Whether the machine has read all runs and takes another one in this cycle. */
  readonly wantsRun: boolean;
  /** Number of runs that have left the chiplet. */
  readonly leftCount: number;
  /** Returns the cycle in which a run had left the chiplet. */
  leftAt(run: number): number;
  /** Returns the cycle in which the visibility stream of a run leaves; 0 while it is not known. */
  streamLeftAt(run: number): number;
  /**
   * Adds a run in the current cycle.
   *
   * @param pass Number of the run's pass, unique in the simulation.
   * @returns Number of the run.
   */
  feed(run: RecordedRun, pass: number): number;
  /**
   * Simulates up to cycle `until`. Returns earlier when a run is wanted, has left, or the end of
   * its stream became known.
   */
  advance(until: number): void;
  /** Ends the machine's work. */
  finish(): MachineActivity;
}

/** Creates the machine of a chiplet. */
export type MachineMaker = () => SimulatedMachine;
