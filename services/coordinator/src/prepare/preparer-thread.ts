/** A thread that prepares models, one at a time. */
import { Worker } from 'node:worker_threads';
import { RenderError } from '@tessera/frame';
import { MissingResourcesError } from '../store/missing-resources.ts';
import type { PreparedModel } from './model-preparer.ts';
import type { PrepareAnswer, PrepareRequest, ThreadReady } from './prepare-thread.ts';

export class PreparerThread {
  readonly #worker: Worker;
  readonly #heapMb: number;
  #isReady = false;
  #isOver = false;

  /** @param heapMb JavaScript heap of the thread, in MB. */
  constructor(heapMb: number) {
    this.#heapMb = heapMb;
    this.#worker = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    this.#worker.once('message', () => (this.#isReady = true));
    // Whether it dies at work or idle.
    for (const event of ['error', 'exit']) this.#worker.on(event, () => (this.#isOver = true));
  }

  /** Whether the thread takes no more: it died, or a model was given up in it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls `listener` once the thread has loaded its modules; at once if it has. Never, if it dies before. */
  onReady(listener: () => void): void {
    if (this.#isReady) listener();
    else this.#worker.once('message', listener);
  }

  /** Ends the thread, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  /** Ends the thread without waiting for its end, which Node never rejects. */
  end(): void {
    this.#isOver = true;
    this.#worker.terminate();
  }

  /**
   * Prepares a model.
   *
   * @throws {RenderError} As the model demands; LIMIT_EXCEEDED when time or memory is used up; FRAME_CANCELLED when `signal`
   *   is aborted.
   */
  prepare(request: PrepareRequest, signal: AbortSignal, withinMs: number): Promise<PreparedModel> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
        return;
      }
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        worker.off('error', onError);
        worker.off('exit', onExit);
        worker.off('message', onAnswer);
        finish();
      };
      const giveUp = (error: RenderError) => {
        settle(() => reject(error));
        this.#isOver = true;
        worker.terminate();
      };
      const cancel = () => giveUp(new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
      const timer = setTimeout(() => {
        giveUp(new RenderError('LIMIT_EXCEEDED', `preparing the model took over ${withinMs} ms`));
      }, withinMs);
      const onError = (error: NodeJS.ErrnoException) => {
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const message = `preparing the model took over ${this.#heapMb} MB`;
        settle(() => reject(isMemory ? new RenderError('LIMIT_EXCEEDED', message) : error));
      };
      const onExit = () => {
        settle(() => reject(new RenderError('FRAME_CANCELLED', 'the thread was ended')));
      };
      const onAnswer = (answer: PrepareAnswer | ThreadReady) => {
        if (answer.kind === 'ready') return;
        settle(() => {
          if (answer.kind === 'prepared') {
            // Its end returns more memory, and sooner, than its collector.
            this.#isOver ||= answer.isLarge;
            resolve(answer.model);
          } else if (answer.code === null) reject(bugOf(answer.message, answer.stack));
          else if (answer.code === 'RESOURCES_MISSING') {
            reject(new MissingResourcesError(answer.missing));
          } else reject(new RenderError(answer.code, answer.message));
        });
      };
      signal.addEventListener('abort', cancel, { once: true });
      worker.on('error', onError);
      worker.on('exit', onExit);
      worker.on('message', onAnswer);
      worker.postMessage(request);
    });
  }
}

/** A bug in the thread, with the stack that it had there. */
function bugOf(message: string, stack: string): Error {
  const bug = new Error(message);
  bug.stack = stack;
  return bug;
}
