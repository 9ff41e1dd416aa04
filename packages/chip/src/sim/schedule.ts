/**
 * State that modules, queues and the clock share, in flat arrays by module number: the next cycle
 * of each module, its state, and the cycles it spent in each state.
 *
 * Cycles are counted by gaps. A module sets its state once (busy, starved, stalled) and is not
 * called again until it wakes. The whole gap counts as that state. The three states of every module
 * therefore add up to the cycles of the run.
 */
import type { i32 } from '../portable/number-types.ts';

/** State of a module that did work. */
export const BUSY = 0;
/** State of a module that had nothing to pop. */
export const STARVED = 1;
/** State of a module that could not push. */
export const STALLED = 2;
/** Number of states. */
export const STATE_COUNT = 3;

/** Wake-up cycle of a module that only a queue wakes. Cycle numbers stay below it. */
export const NEVER = 0x7fff_ffff;

/** Arrays by module number. */
export class Schedule {
  /** Next cycle in which the module is clocked. */
  readonly wakes: Int32Array;
  /** State of the module from the cycle in which it was last clocked. */
  readonly states: Int32Array;
  /** Cycle up to which the module's time is accounted for. */
  readonly since: Int32Array;
  /** Cycles by module and state, at `module × STATE_COUNT + state`. */
  readonly cycles: Int32Array;
  /** Number of queue transfers in the run. The watchdog reads it to detect progress. */
  readonly transfers: Int32Array = new Int32Array(1);

  constructor(moduleCount: i32) {
    this.wakes = new Int32Array(moduleCount);
    this.states = new Int32Array(moduleCount);
    this.since = new Int32Array(moduleCount);
    this.cycles = new Int32Array(moduleCount * STATE_COUNT);
    this.reset();
  }

  /** Resets to cycle 0, in which every module is clocked. */
  reset(): void {
    this.wakes.fill(0);
    this.states.fill(STARVED);
    this.since.fill(0);
    this.cycles.fill(0);
    this.transfers[0] = 0;
  }

  /** Clocks a module at `cycle` unless it is clocked earlier. */
  wake(module: i32, cycle: i32): void {
    if (cycle < this.wakes[module]!) this.wakes[module] = cycle;
  }

  /** Whether no module will be clocked again. */
  isAsleep(): boolean {
    for (let i = 0; i < this.wakes.length; i++) if (this.wakes[i]! !== NEVER) return false;
    return true;
  }

  /** Accounts for a module's time up to `cycle`. */
  account(module: i32, cycle: i32): void {
    this.add(module, this.states[module]!, cycle - this.since[module]!);
    this.since[module] = cycle;
  }

  /** Adds cycles during which a module was in a state. */
  add(module: i32, state: i32, cycles: i32): void {
    this.cycles[module * STATE_COUNT + state]! += cycles;
  }
}
