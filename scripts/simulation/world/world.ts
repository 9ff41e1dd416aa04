/**
 * Simulated world: virtual time and the events of all its processes. Every timer, message, answer
 * of a disk and answer of a thread is an event. One event runs at a time, with everything that its
 * promises cause, so one seed determines the whole run.
 */
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { EventQueue, type QueuedEvent } from './event-queue.ts';

/** Place where code runs: a process or a thread. Events of an ended context never run. */
export interface Context {
  readonly name: string;
  readonly process: ProcessContext;
  readonly isAlive: boolean;
  /** Called with an error that no code of the context caught. */
  fail(error: unknown): void;
}

/** Context of a process with what the world needs to know about it. */
export interface ProcessContext extends Context {
  /** Virtual time until which the process is halted, as by SIGSTOP. */
  readonly haltedUntilMs: number;
  /** Difference of its system clock to virtual time. */
  readonly clockOffsetMs: number;
}

/** Event that can be cancelled. */
export interface WorldEvent extends QueuedEvent {
  atMs: number;
  order: number;
  readonly context: Context;
  readonly run: () => void;
  isCancelled: boolean;
  /** Whether its process stays alive for it. */
  isRef: boolean;
}

/** Time of an event that no resource delays. */
const SOON_MS = 0.01;
/** Virtual time at the start of each world, 2026-01-01T00:00:00Z. */
export const START_MS = Date.UTC(2026, 0, 1);
/** Thrown by calls of a process that has ended, so that nothing after its end takes effect. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

const realSetImmediate = setImmediate;

/** World of simulated processes. */
export class World {
  readonly random: SeededRandom;
  /** Called before each event; may end or disturb processes. */
  beforeEvent: (event: WorldEvent) => void = () => {};
  /** Number of events that have run. */
  eventCount = 0;
  /**
   * Context whose modules are being loaded, which takes several turns of the real event loop. The
   * first statement of its file ends that.
   */
  loading: Context | null = null;
  /** Hash of all events so far: equal runs have equal digests. */
  digest = 0;
  #nowMs = 0;
  #order = 0;
  #current: Context | null = null;
  /** All processes that were started, so that their files can be closed at the end. */
  readonly processes = new Set<{ finish: (end: { kind: 'killed'; cause: string }) => void }>();
  readonly #queue = new EventQueue<WorldEvent>();

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** Virtual time since the start of the world. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Context whose code runs. */
  get context(): Context {
    if (this.#current === null) throw new Error('no simulated process is running');
    return this.#current;
  }

  get hasContext(): boolean {
    return this.#current !== null;
  }

  /** Adds an event of a context. */
  schedule(context: Context, delayMs: number, run: () => void): WorldEvent {
    const atMs = this.#nowMs + Math.max(delayMs, SOON_MS);
    const event: WorldEvent = {
      atMs,
      order: this.#order++,
      context,
      run,
      isCancelled: false,
      isRef: true,
    };
    this.#queue.push(event);
    return event;
  }

  /** Whether a process has events for which it stays alive. */
  hasWork(process: ProcessContext): boolean {
    return this.#queue.some(
      ({ context, isCancelled, isRef }) =>
        isRef && !isCancelled && context.isAlive && context.process === process,
    );
  }

  /** Runs code of a context now, as part of the current event. */
  within<T>(context: Context, run: () => T): T {
    const outer = this.#current;
    this.#current = context;
    try {
      return run();
    } finally {
      this.#current = outer;
    }
  }

  /** Fails the context whose code runs. Called for errors that nothing caught. */
  failCurrent(error: unknown): void {
    if (error instanceof ProcessEnded) return;
    this.#current?.fail(error);
  }

  /**
   * Runs events until `isOver`, or until no event is left.
   *
   * @returns Whether `isOver` returned true.
   */
  async run(isOver: () => boolean): Promise<boolean> {
    while (!isOver()) {
      const event = this.#queue.pop();
      if (event === undefined) return false;
      if (event.isCancelled || !event.context.isAlive) continue;
      const { haltedUntilMs } = event.context.process;
      if (haltedUntilMs > event.atMs) {
        event.atMs = haltedUntilMs;
        event.order = this.#order++;
        this.#queue.push(event);
        continue;
      }
      this.#nowMs = Math.max(this.#nowMs, event.atMs);
      this.beforeEvent(event);
      if (!event.context.isAlive) continue;
      await this.#execute(event);
    }
    return true;
  }

  /** Ends all processes. */
  end(): void {
    for (const process of this.processes)
      process.finish({ kind: 'killed', cause: 'end of the world' });
    this.processes.clear();
  }

  async #execute({ context, run, order, atMs }: WorldEvent): Promise<void> {
    this.eventCount++;
    this.digest = (Math.imul(this.digest, 31) + Math.imul(order, 7) + atMs * 1000) | 0;
    this.#current = context;
    try {
      run();
    } catch (error) {
      this.failCurrent(error);
    }
    // A turn of the real event loop runs all promises and ticks that the event caused.
    do await new Promise<void>((resolve) => realSetImmediate(resolve));
    while (this.loading !== null);
    this.#current = null;
  }
}

let world: World | null = null;

/** Returns the world of the current run. */
export function theWorld(): World {
  if (world === null) throw new Error('no world is running');
  return world;
}

const loading = seededRandom(0);

/** Returns the random numbers of the world, or others while modules are loaded before one. */
export function theRandom(): SeededRandom {
  return world?.random ?? loading;
}

/** Makes a world the current one. */
export function enterWorld(entered: World): void {
  world = entered;
}

/**
 * Returns the context of the running code.
 *
 * @throws {ProcessEnded} If its process has ended.
 */
export function currentContext(): Context {
  const { context } = theWorld();
  if (!context.isAlive) throw new ProcessEnded(`${context.name} has ended`);
  return context;
}

/**
 * Returns a promise that is resolved or rejected in a later event of the running context.
 *
 * @param act Runs at that event. The promise gets its result or error.
 */
export function later<T>(delayMs: number, act: () => T): Promise<T> {
  const context = currentContext();
  return new Promise((resolve, reject) => {
    theWorld().schedule(context, delayMs, () => {
      try {
        resolve(act());
      } catch (error) {
        reject(error);
      }
    });
  });
}
