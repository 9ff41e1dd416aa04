/**
 * What modules, queues and the clock share, as flat arrays by module number: when each module is to be
 * clocked next, what it has been doing since it was clocked last, and what that sums up to.
 *
 * Accounting by gaps: a module says once what it does (works, waits for input, cannot hand on) and is then
 * left alone until it wakes; the whole gap is counted under that state. So the three states sum up to the
 * cycles of the run for every module.
 */
import type { i32 } from '../portable/number-types.ts';

/** The module did work. */
export const BUSY = 0;
/** It had nothing to pop. */
export const STARVED = 1;
/** It could not push. */
export const STALLED = 2;
export const STATE_COUNT = 3;

/** A wake cycle that never comes: only a queue wakes the module. Cycle numbers stay below it. */
export const NEVER = 0x7fff_ffff;

/** Arrays by module number. */
export class Schedule {
  /** Next cycle at which the module is clocked. */
  readonly wakes: Int32Array;
  /** What the module does from the cycle it was clocked last. */
  readonly states: Int32Array;
  /** Cycle up to which its time is accounted for. */
  readonly since: Int32Array;
  /** Cycles by module and state: `module × STATE_COUNT + state`. */
  readonly cycles: Int32Array;
  /** Queue transfers of the run: the watchdog's sign of life. */
  readonly transfers: Int32Array = new Int32Array(1);

  constructor(moduleCount: i32) {
    this.wakes = new Int32Array(moduleCount);
    this.states = new Int32Array(moduleCount);
    this.since = new Int32Array(moduleCount);
    this.cycles = new Int32Array(moduleCount * STATE_COUNT);
    this.reset();
  }

  /** Starts at cycle 0: every module is clocked once. */
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

  /** Whether nobody is ever clocked again. */
  isAsleep(): boolean {
    for (let i = 0; i < this.wakes.length; i++) if (this.wakes[i]! !== NEVER) return false;
    return true;
  }

  /** Accounts for a module's time up to `cycle`. */
  account(module: i32, cycle: i32): void {
    this.add(module, this.states[module]!, cycle - this.since[module]!);
    this.since[module] = cycle;
  }

  /** Counts cycles that a module was in a state. */
  add(module: i32, state: i32, cycles: i32): void {
    this.cycles[module * STATE_COUNT + state]! += cycles;
  }
}
