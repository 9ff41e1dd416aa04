/**
 * State that modules, queues and the clock share, in flat arrays by module number: the next cycle
 * of each module, its state, and the cycles it spent in each state.
 *
 * Cycles are counted by gaps. A module sets its state once (busy, starved, stalled) and is not
 * called again until it wakes. The whole gap counts as that state. The three states of every module
 * therefore add up to the cycles of the run.
 */
import type { i32 } from '../portable/number-types.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';

/** State of a module that did work. */
export const BUSY = 0;
/** State of a module that had nothing to pop. */
export const STARVED = 1;
/** State of a module that could not push. */
export const STALLED = 2;
/** Number of states. */
export const STATE_COUNT = 3;
/** Bits of a word of `states` that are the state. The others are the kind of wait. */
const STATE_BITS = 2;
const STATE_MASK = 3;
/** Number of words of `states` that there can be, and more. */
export const WAIT_WORDS: i32 = WAIT.count << STATE_BITS;

/** Returns the word of a module that is starved because it waits for something of a kind. */
export function starved(kind: i32): i32 {
  return STARVED | (kind << STATE_BITS);
}

/** Returns the word of a module that is stalled because it waits for something of a kind. */
export function stalled(kind: i32): i32 {
  return STALLED | (kind << STATE_BITS);
}

/** Returns the state in a word of `states`. */
export function stateOf(word: i32): i32 {
  return word & STATE_MASK;
}

/** Wake-up cycle of a module that only a queue wakes. Cycle numbers stay below it. */
export const NEVER = 0x7fff_ffff;

/** Arrays by module number. */
export class Schedule {
  /** Next cycle in which the module is clocked. */
  readonly wakes: Int32Array;
  /** State of the module from the cycle in which it was last clocked, and what it waits for. */
  readonly states: Int32Array;
  /** Cycle up to which the module's time is accounted for. */
  readonly since: Int32Array;
  /** Cycles by module and state, at `module × STATE_COUNT + state`. */
  readonly cycles: Int32Array;
  /** Cycles by module and word of `states`, at `module × WAIT_WORDS + word`. */
  readonly waits: Int32Array;
  /** Cycle up to which the module's waits are accounted for. */
  private readonly waitsSince: Int32Array;
  /** Number of queue transfers in the run. The watchdog reads it to detect progress. */
  readonly transfers: Int32Array = new Int32Array(1);

  constructor(moduleCount: i32) {
    this.wakes = new Int32Array(moduleCount);
    this.states = new Int32Array(moduleCount);
    this.since = new Int32Array(moduleCount);
    this.cycles = new Int32Array(moduleCount * STATE_COUNT);
    this.waits = new Int32Array(moduleCount * WAIT_WORDS);
    this.waitsSince = new Int32Array(moduleCount);
    this.reset();
  }

  /** Resets to cycle 0, in which every module is clocked. */
  reset(): void {
    this.wakes.fill(0);
    this.states.fill(starved(WAIT.input));
    this.since.fill(0);
    this.cycles.fill(0);
    this.waits.fill(0);
    this.waitsSince.fill(0);
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
    this.endState(module, this.states[module]!, cycle);
  }

  /**
   * Accounts for what a module has waited for up to `cycle`. Lines say where they
   * came from when they arrive, so waits are accounted for when they end.
   */
  accountWait(module: i32, cycle: i32): void {
    this.endWait(module, this.states[module]!, cycle);
  }

  /** Accounts for the time of a module up to `cycle`, in which its word stops to be `word`. */
  end(module: i32, word: i32, cycle: i32): void {
    this.endState(module, word, cycle);
    this.endWait(module, word, cycle);
  }

  private endState(module: i32, word: i32, cycle: i32): void {
    this.cycles[module * STATE_COUNT + stateOf(word)]! += cycle - this.since[module]!;
    this.since[module] = cycle;
  }

  private endWait(module: i32, word: i32, cycle: i32): void {
    this.waits[module * WAIT_WORDS + word]! += cycle - this.waitsSince[module]!;
    this.waitsSince[module] = cycle;
  }

  /**
   * Names the memory that lines of a module came from, if it waits for memory. The first memory
   * behind the second-level cache names the whole wait.
   */
  nameWait(module: i32, kind: i32): void {
    const word = this.states[module]!;
    const before = word >>> STATE_BITS;
    if (before === WAIT.l2) this.states[module] = stateOf(word) | (kind << STATE_BITS);
  }
}
