/**
 * Runs long computations (report of a sequence, rows of a study, images with bins) in a thread, one
 * after the other, so that the event loop stays responsive. A computation that exceeds its time or
 * memory ends the thread, and so does one whose client disconnected. To return memory, the thread
 * also ends after a computation that used much of it, and when it is idle.
 */
import { Worker } from 'node:worker_threads';
import { RenderError } from '@tessera/frame';
import { NO_CLIENT } from '../config/clients.ts';
import { onAbortBefore } from '../process/on-abort.ts';
import { errorOf, runInThread } from '../process/run-in-thread.ts';
import type { ComputeInput, ComputeResult, ComputeTaskName } from './compute-tasks.ts';
import type { ComputeAnswer, ComputeRequest } from './compute-thread.ts';

/** Limits of a pool. */
export interface ComputePoolOptions {
  /** Upper bound on the wall time of one computation without its wait, in milliseconds. */
  readonly withinMs: number;
  /** JavaScript heap of the thread, in MiB. */
  readonly heapMb: number;
  /** Upper bound on waiting requests, excluding those of {@link ComputePool.runAdmitted}. */
  readonly maxWaiting: number;
  /**
   * Memory of the thread, including garbage and without that of simulated chiplets, above which it
   * ends, because that returns the memory sooner than a collection; KEPT_BYTES by default.
   */
  readonly keptBytes?: number | undefined;
  /** Runs a computation, which it may surround with preparations; the identity by default. */
  readonly around?: (<Result>(compute: () => Promise<Result>) => Promise<Result>) | undefined;
  /** Called before each computation. */
  readonly onStart?: (() => void) | undefined;
  /** Receives the seconds that a computation of a client took, whatever the outcome. */
  readonly onWorked?: ((client: string, seconds: number) => void) | undefined;
  /** Time without computations after which the thread ends, in milliseconds; IDLE_MS by default. */
  readonly idleMs?: number | undefined;
}

const KEPT_BYTES = 2 ** 26;
/**
 * Memory of simulated chiplets above which the thread ends: 64 chiplets with large bins, or 128
 * with small ones.
 */
const KEPT_MACHINE_BYTES = 2 ** 28;
const IDLE_MS = 2000;

interface Job {
  readonly request: ComputeRequest;
  readonly signal: AbortSignal;
  readonly isRequest: boolean;
  readonly client: string;
  readonly outcome: PromiseWithResolvers<unknown>;
}

/** Thread for computations, with a queue. */
export class ComputePool {
  readonly #options: ComputePoolOptions;
  readonly #waiting: Job[] = [];
  #thread: Worker | null = null;
  #isRunning = false;
  #isClosed = false;
  /** Resolves when the last terminated thread has returned its memory. */
  #ended: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ComputePoolOptions) {
    this.#options = options;
  }

  /** Number of computations that run or wait. */
  get load(): number {
    return this.#waiting.length + (this.#isRunning ? 1 : 0);
  }

  /** Starts the thread, which a computation needs soon. */
  start(): void {
    if (!this.#isClosed) this.#thread ??= this.#startThread();
  }

  /**
   * Runs a computation for a request.
   *
   * @param signal Aborted when the client disconnects, which ends the computation.
   * @param client Client whose seconds the computation takes.
   * @throws {RenderError} TOO_MANY_COMPUTATIONS if too many wait; the errors of
   *   {@link runAdmitted}.
   */
  run<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
    client: string = NO_CLIENT,
  ): Promise<ComputeResult<Name>> {
    const waiting = this.#waiting.filter(({ isRequest }) => isRequest).length;
    if (waiting >= this.#options.maxWaiting) {
      const message = `${waiting} computations are waiting; at most ${this.#options.maxWaiting}`;
      return Promise.reject(new RenderError('TOO_MANY_COMPUTATIONS', message));
    }
    return this.#add(name, input, signal, client, true);
  }

  /**
   * Runs a computation for a sequence or study. These are not limited here, because the number of
   * running sequences and studies is.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if time or memory is exhausted; FRAME_CANCELLED if
   *   `signal` is aborted; SHUTTING_DOWN if the pool is closed; the errors of the computation.
   */
  runAdmitted<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
    client: string = NO_CLIENT,
  ): Promise<ComputeResult<Name>> {
    return this.#add(name, input, signal, client, false);
  }

  /** Ends the thread if it has nothing to compute, which returns its memory. */
  endIdle(): void {
    if (this.load === 0) this.#endThread();
  }

  /** Terminates the thread. Running and waiting computations fail with SHUTTING_DOWN. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    for (const { outcome } of this.#waiting.splice(0)) outcome.reject(stopped());
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #add<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
    client: string,
    isRequest: boolean,
  ): Promise<ComputeResult<Name>> {
    if (this.#isClosed) return Promise.reject(stopped());
    const outcome = Promise.withResolvers<unknown>();
    const request = { name, input } as ComputeRequest; // The name determines the type of the input.
    const job: Job = { request, signal, client, isRequest, outcome };
    this.#waiting.push(job);
    const leave = () => {
      const at = this.#waiting.indexOf(job);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      outcome.reject(cancelled());
    };
    onAbortBefore(outcome.promise, signal, leave);
    this.#runNext();
    // The name determines the type of the result.
    return outcome.promise as Promise<ComputeResult<Name>>;
  }

  #runNext(): void {
    if (this.#isRunning) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#isRunning = true;
    clearTimeout(this.#idleTimer);
    const startMs = performance.now();
    const { around = (compute) => compute(), onStart } = this.#options;
    onStart?.();
    const computed = around(() => this.#compute(job));
    job.outcome.resolve(computed);
    const { idleMs = IDLE_MS } = this.#options;
    const next = () => {
      this.#options.onWorked?.(job.client, (performance.now() - startMs) / 1000);
      this.#isRunning = false;
      this.#idleTimer = setTimeout(() => this.#endThread(), idleMs).unref();
      this.#runNext();
    };
    const whenFree = () => this.#ended.then(next);
    computed.then(whenFree, whenFree);
  }

  #compute({ request, signal }: Job): Promise<unknown> {
    const { withinMs, heapMb, keptBytes = KEPT_BYTES } = this.#options;
    this.#thread ??= this.#startThread();
    return runInThread<ComputeAnswer, unknown>({
      name: request.name,
      thread: this.#thread,
      request,
      signal,
      withinMs,
      heapMb,
      readAnswer: (answer) => {
        if (answer.kind === 'failed') throw errorOf(answer);
        const { heldBytes, machineBytes } = answer;
        if (heldBytes > keptBytes || machineBytes > KEPT_MACHINE_BYTES) this.#endThread();
        return { result: answer.result };
      },
      onGiveUp: () => this.#endThread(),
      cancelled,
      terminated: stopped,
    });
  }

  #startThread(): Worker {
    const thread = new Worker(new URL('./compute-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
    });
    thread.once('error', () => {
      if (this.#thread === thread) this.#thread = null;
    });
    return thread;
  }

  #endThread(): void {
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    thread.on('error', () => {}); // Errors of a terminated thread are irrelevant.
    this.#ended = thread.terminate().catch(() => {}); // Otherwise it ends with the process.
  }
}

function cancelled(): RenderError {
  return new RenderError('FRAME_CANCELLED', 'the computation was cancelled');
}

function stopped(): RenderError {
  return new RenderError('SHUTTING_DOWN', 'the service is stopping');
}
