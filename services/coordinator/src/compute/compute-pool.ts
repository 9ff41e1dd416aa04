/**
 * Computations that take long (a sequence's report, rows of a study, images of bins) in a thread of their own, one after
 * the other, so that the event loop keeps answering. A computation that takes too long, or more memory than the thread
 * may have, ends the thread; so does one whose client left. The thread also ends after a computation that took much memory
 * and when it has been idle for a while, which returns its memory.
 */
import { Worker } from 'node:worker_threads';
import { RenderError } from '@tessera/frame';
import type { ComputeInput, ComputeResult, ComputeTaskName } from './compute-tasks.ts';
import type { ComputeAnswer, ComputeRequest } from './compute-thread.ts';

export interface ComputePoolOptions {
  /** Longest wall time of one computation, its wait not included, in milliseconds. */
  readonly withinMs: number;
  /** JavaScript heap of the thread, in MiB. */
  readonly heapMb: number;
  /** Requests that may wait; admitted work (see {@link ComputePool.runAdmitted}) is not counted. */
  readonly maxWaiting: number;
}

/** Idle time after which the thread ends. */
const IDLE_MS = 2000;

interface Job {
  readonly request: ComputeRequest;
  readonly signal: AbortSignal;
  readonly isRequest: boolean;
  readonly settled: PromiseWithResolvers<unknown>;
}

export class ComputePool {
  readonly #options: ComputePoolOptions;
  readonly #waiting: Job[] = [];
  #thread: Worker | null = null;
  #isRunning = false;
  #isClosed = false;
  /** Resolves when the last thread that was ended has returned its memory. */
  #ended: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ComputePoolOptions) {
    this.#options = options;
  }

  /**
   * Computes what a request asks for.
   *
   * @param signal Aborted when the client leaves: the computation ends, or is never started.
   * @throws {RenderError} TOO_MANY_COMPUTATIONS when too many wait; otherwise as {@link runAdmitted}.
   */
  run<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
  ): Promise<ComputeResult<Name>> {
    const waiting = this.#waiting.filter(({ isRequest }) => isRequest).length;
    if (waiting >= this.#options.maxWaiting) {
      const message = `${waiting} computations wait; at most ${this.#options.maxWaiting}`;
      return Promise.reject(new RenderError('TOO_MANY_COMPUTATIONS', message));
    }
    return this.#add(name, input, signal, true);
  }

  /**
   * Computes what admitted work needs. The number of sequences and studies that run bounds how many of these wait.
   *
   * @throws {RenderError} LIMIT_EXCEEDED when time or memory is used up, FRAME_CANCELLED when `signal` is aborted,
   *   SHUTTING_DOWN when the pool is closed; and what the computation throws.
   */
  runAdmitted<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
  ): Promise<ComputeResult<Name>> {
    return this.#add(name, input, signal, false);
  }

  /** Ends the thread; what runs or waits fails with SHUTTING_DOWN. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    for (const { settled } of this.#waiting.splice(0)) settled.reject(stopped());
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #add<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
    isRequest: boolean,
  ): Promise<ComputeResult<Name>> {
    if (this.#isClosed) return Promise.reject(stopped());
    const settled = Promise.withResolvers<unknown>();
    const request = { name, input } as ComputeRequest; // name and input belong together
    const job: Job = { request, signal, isRequest, settled };
    this.#waiting.push(job);
    const leave = () => {
      const at = this.#waiting.indexOf(job);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      settled.reject(cancelled());
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const unlisten = () => signal.removeEventListener('abort', leave);
    settled.promise.then(unlisten, unlisten);
    this.#runNext();
    return settled.promise as Promise<ComputeResult<Name>>; // the thread answers with the result of that name
  }

  #runNext(): void {
    if (this.#isRunning) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#isRunning = true;
    clearTimeout(this.#idleTimer);
    const computed = this.#compute(job);
    job.settled.resolve(computed);
    const next = () => {
      this.#isRunning = false;
      this.#idleTimer = setTimeout(() => this.#endThread(), IDLE_MS).unref();
      this.#runNext();
    };
    const whenFree = () => this.#ended.then(next);
    computed.then(whenFree, whenFree);
  }

  #compute({ request, signal }: Job): Promise<unknown> {
    const { withinMs, heapMb } = this.#options;
    this.#thread ??= new Worker(new URL('./compute-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const thread = this.#thread;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        thread.off('error', onError);
        thread.off('exit', onExit);
        thread.off('message', onAnswer);
        finish();
      };
      const giveUp = (error: RenderError) => {
        settle(() => reject(error));
        this.#endThread();
      };
      const cancel = () => giveUp(cancelled());
      const timer = setTimeout(() => {
        giveUp(new RenderError('LIMIT_EXCEEDED', `${request.name}: took over ${withinMs} ms`));
      }, withinMs);
      const onError = (error: NodeJS.ErrnoException) => {
        if (this.#thread === thread) this.#thread = null;
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const message = `${request.name}: took over ${heapMb} MiB`;
        settle(() => reject(isMemory ? new RenderError('LIMIT_EXCEEDED', message) : error));
      };
      const onExit = () => settle(() => reject(stopped()));
      const onAnswer = (answer: ComputeAnswer) => {
        settle(() => {
          if (answer.kind === 'done') {
            resolve(answer.result);
            if (answer.isLarge) this.#endThread();
          } else if (answer.code !== null) reject(new RenderError(answer.code, answer.message));
          else reject(Object.assign(new Error(answer.message), { stack: answer.stack }));
        });
      };
      signal.addEventListener('abort', cancel, { once: true });
      thread.on('error', onError);
      thread.on('exit', onExit);
      thread.on('message', onAnswer);
      thread.postMessage(request);
    });
  }

  #endThread(): void {
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    thread.on('error', () => {}); // what it still throws is of no use to anybody
    this.#ended = thread.terminate().catch(() => {}); // it ends with the process then
  }
}

function cancelled(): RenderError {
  return new RenderError('FRAME_CANCELLED', 'the computation was cancelled');
}

function stopped(): RenderError {
  return new RenderError('SHUTTING_DOWN', 'the service is stopping');
}
