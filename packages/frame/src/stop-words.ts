/**
 * Words in shared memory with which one thread stops the work of another thread that does not
 * return to its event loop. The loops of compiled kernels and of the simulated units read them.
 * Each piece of work has a ticket, and a stop names a ticket, so it never affects other work.
 *
 * The working thread calls {@link StopWords.begin} and then polls. The other thread calls
 * {@link StopWords.stop} at any time. Either `stop` sees the ticket as the current one, or `begin`
 * sees that it was stopped, because both write before they read.
 */
import type { FrameId } from './chiplet.ts';
import { RenderError } from './errors.ts';

/** Byte offsets of the words that kernels compare. Work must stop while they are equal. */
export const STOP_WORDS = { currentBytes: 0, stoppedBytes: 4 } as const;
/** Size of the memory in pages of 64 KiB, both initial and maximum. */
export const STOP_PAGES = 1;

const CURRENT = STOP_WORDS.currentBytes / 4;
const STOPPED = STOP_WORDS.stoppedBytes / 4;
/**
 * First word of the table of tickets stopped before they started, indexed by the ticket modulo the
 * table's size. An overwritten entry costs only time, because its work then runs to completion.
 */
const FIRST_EARLY = 16;
const EARLY_PLACES = 4096;
/** Current ticket while no work is in progress. */
const NONE = 0;
/** Stopped ticket before the first stop. */
const NEVER = -1;

/** Means by which another thread stops the work on frames. */
export interface FrameStop {
  readonly words: StopWords;
  /**
   * Returns the ticket of a frame.
   *
   * @throws {RenderError} FRAME_CANCELLED if the frame was released.
   */
  readonly ticketOf: (frameId: FrameId) => number;
}

/** Stops work in another thread by its ticket. */
export class StopWords {
  /** Shared memory, so that it can be posted to another thread. */
  readonly memory: WebAssembly.Memory;
  readonly #words: Int32Array;

  /** @param memory Memory of the other thread's `StopWords`. Without it a new one is allocated. */
  constructor(memory?: WebAssembly.Memory) {
    this.memory =
      memory ?? new WebAssembly.Memory({ initial: STOP_PAGES, maximum: STOP_PAGES, shared: true });
    this.#words = new Int32Array(this.memory.buffer);
    if (memory === undefined) Atomics.store(this.#words, STOPPED, NEVER);
  }

  /**
   * Starts work under a ticket.
   *
   * @param ticket An integer from 1 to 2^31 − 1.
   * @throws {RenderError} FRAME_CANCELLED if the ticket was stopped.
   */
  begin(ticket: number): void {
    Atomics.store(this.#words, CURRENT, ticket);
    if (Atomics.load(this.#words, earlyPlace(ticket)) !== ticket) return;
    this.end();
    throw stopped();
  }

  /** Ends the current work. Later stops do not affect it. */
  end(): void {
    Atomics.store(this.#words, CURRENT, NONE);
  }

  /** Stops the work under `ticket`, whether it is in progress or has not started. */
  stop(ticket: number): void {
    Atomics.store(this.#words, earlyPlace(ticket), ticket);
    if (Atomics.load(this.#words, CURRENT) === ticket) Atomics.store(this.#words, STOPPED, ticket);
  }

  /** Returns whether the current work must stop. */
  isStopped(): boolean {
    return Atomics.load(this.#words, CURRENT) === Atomics.load(this.#words, STOPPED);
  }

  /**
   * Throws if the current work must stop.
   *
   * @throws {RenderError} FRAME_CANCELLED
   */
  throwIfStopped(): void {
    if (this.isStopped()) throw stopped();
  }
}

function stopped(): RenderError {
  return new RenderError('FRAME_CANCELLED', 'the frame was released');
}

function earlyPlace(ticket: number): number {
  return FIRST_EARLY + (ticket % EARLY_PLACES);
}
