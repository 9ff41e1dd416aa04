/**
 * Words in shared memory by which one thread stops the work of another that does not return to its event loop meanwhile: loops of
 * compiled kernels and of units read them. Work goes under tickets, and a stop names a ticket, so it never reaches other work.
 *
 * The thread that works calls {@link StopWords.begin} and then asks; the other one calls {@link StopWords.stop} at any time. Either
 * `stop` sees the ticket as the current one, or `begin` sees that it was stopped: both write before they read.
 */
import type { FrameId } from './chiplet.ts';
import { RenderError } from './errors.ts';

/** Byte offsets of the words that kernels compare: work is to stop while they are equal. */
export const STOP_WORDS = { currentBytes: 0, stoppedBytes: 4 } as const;
/** Size of the memory in pages of 64 KiB, never more or less. */
export const STOP_PAGES = 1;

const CURRENT = STOP_WORDS.currentBytes / 4;
const STOPPED = STOP_WORDS.stoppedBytes / 4;
/** Tickets that were stopped before they were begun, by their last bits. A place that is used again only loses time. */
const FIRST_EARLY = 16;
const EARLY_PLACES = 4096;
/** Ticket of no work. */
const NONE = 0;
/** In place of a stopped ticket, before there is one. */
const NEVER = -1;

/** How another thread stops the work on frames. */
export interface FrameStop {
  readonly words: StopWords;
  /** Ticket of a frame. @throws {RenderError} FRAME_CANCELLED if the frame was released. */
  readonly ticketOf: (frameId: FrameId) => number;
}

export class StopWords {
  /** Shared, so that it can be posted to another thread. */
  readonly memory: WebAssembly.Memory;
  readonly #words: Int32Array;

  /** @param memory That of the other thread's `StopWords`; without it a new one. */
  constructor(memory?: WebAssembly.Memory) {
    this.memory =
      memory ?? new WebAssembly.Memory({ initial: STOP_PAGES, maximum: STOP_PAGES, shared: true });
    this.#words = new Int32Array(this.memory.buffer);
    if (memory === undefined) Atomics.store(this.#words, STOPPED, NEVER);
  }

  /**
   * Starts work under a ticket. @param ticket An integer from 1 to 2^31 − 1.
   *
   * @throws {RenderError} FRAME_CANCELLED if the ticket was stopped.
   */
  begin(ticket: number): void {
    Atomics.store(this.#words, CURRENT, ticket);
    if (Atomics.load(this.#words, earlyPlace(ticket)) !== ticket) return;
    this.end();
    throw stopped();
  }

  /** Ends the work in hand: what is stopped from now on is other work. */
  end(): void {
    Atomics.store(this.#words, CURRENT, NONE);
  }

  /** Stops the work under `ticket`, in progress or still to come. */
  stop(ticket: number): void {
    Atomics.store(this.#words, earlyPlace(ticket), ticket);
    if (Atomics.load(this.#words, CURRENT) === ticket) Atomics.store(this.#words, STOPPED, ticket);
  }

  /** Whether the work in hand is to stop. */
  isStopped(): boolean {
    return Atomics.load(this.#words, CURRENT) === Atomics.load(this.#words, STOPPED);
  }

  /** @throws {RenderError} FRAME_CANCELLED if the work in hand is to stop. */
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
