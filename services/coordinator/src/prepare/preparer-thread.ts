/** Thread that prepares models, one at a time. */
import { Worker } from 'node:worker_threads';
import { RenderError } from '@tessera/frame';
import { errorOf, runInThread } from '../process/run-in-thread.ts';
import { MissingResourcesError } from '../store/missing-resources.ts';
import type { PreparedModel } from './model-preparer.ts';
import type { PrepareRequest } from './prepare-source.ts';
import type { PrepareAnswer, ThreadReady } from './prepare-thread.ts';

/** Thread that prepares models. */
export class PreparerThread {
  readonly #worker: Worker;
  readonly #heapMb: number;
  #isReady = false;
  #isOver = false;

  /** @param heapMb JavaScript heap of the thread, in MiB. */
  constructor(heapMb: number) {
    this.#heapMb = heapMb;
    this.#worker = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    this.#worker.once('message', () => (this.#isReady = true));
    // The thread may die during a job or while it is idle.
    for (const event of ['error', 'exit']) this.#worker.on(event, () => (this.#isOver = true));
  }

  /** Whether the thread accepts no more jobs because it died, was terminated, or should end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Calls `listener` once the thread has loaded its modules, or immediately if it already has.
   * Never calls it if the thread dies first.
   */
  onReady(listener: () => void): void {
    if (this.#isReady) listener();
    else this.#worker.once('message', listener);
  }

  /** Terminates the thread and resolves when it has ended. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  /** Terminates the thread without waiting for its end. */
  end(): void {
    this.#isOver = true;
    this.#worker.terminate();
  }

  /**
   * Prepares a model.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if time or memory is exhausted; FRAME_CANCELLED if
   *   `signal` is aborted; the errors of the model.
   */
  prepare(request: PrepareRequest, signal: AbortSignal, withinMs: number): Promise<PreparedModel> {
    return runInThread<PrepareAnswer | ThreadReady, PreparedModel>({
      name: 'preparing the model',
      thread: this.#worker,
      request,
      signal,
      withinMs,
      heapMb: this.#heapMb,
      readAnswer: (answer) => {
        if (answer.kind === 'ready') return null;
        if (answer.kind === 'prepared') {
          // The end of a thread returns more memory than a collection, and sooner.
          this.#isOver ||= answer.isLarge;
          return { result: answer.model };
        }
        if (answer.code === 'RESOURCES_MISSING') throw new MissingResourcesError(answer.missing);
        throw errorOf(answer);
      },
      onGiveUp: () => this.end(),
      cancelled: () => new RenderError('FRAME_CANCELLED', 'the frame was cancelled'),
      terminated: () => new RenderError('FRAME_CANCELLED', 'the preparing thread was terminated'),
    });
  }
}
