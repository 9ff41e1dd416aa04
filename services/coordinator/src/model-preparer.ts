/**
 * Turns posted models, captures and native frames into prepared frames in a thread of its own, so that a large model does not hold
 * up the event loop. One model at a time; a model that takes too long, or more memory than the thread
 * may have, ends the thread, and the next model gets a new one.
 */
import { Worker } from 'node:worker_threads';
import { type PreparedFrame, RenderError, type Sha256 } from '@tessera/frame';
import type { FrameOptions } from './frame-options.ts';
import type { FrameSource, SourceLimits } from './frame-source.ts';
import { MissingResourcesError } from './missing-resources.ts';
import type { PrepareAnswer, PrepareRequest } from './prepare-thread.ts';

export interface ModelPreparerOptions {
  readonly withinMs: number;
  readonly heapMb: number;
  readonly limits: SourceLimits;
  /** Where a posted file lies. */
  readonly pathOf: (sha256: Sha256) => string;
  /** Folder of all that lies in the store. */
  readonly filesFolder: string;
}

export interface PreparedModel {
  readonly frame: PreparedFrame;
  readonly warnings: readonly string[];
  /** What a native frame named by hash. */
  readonly resources: readonly Sha256[];
  /** Wall time in the thread. */
  readonly prepareMs: number;
}

export class ModelPreparer {
  readonly #options: ModelPreparerOptions;
  #thread: Worker | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ModelPreparerOptions) {
    this.#options = options;
  }

  /**
   * @throws {RenderError} MODEL_INVALID and others of the importer, FRAME_INVALID and others of replaying a
   *   capture; LIMIT_EXCEEDED when time or memory
   *   is used up; FRAME_CANCELLED when `signal` is aborted.
   */
  prepare(source: FrameSource, options: FrameOptions, signal: AbortSignal): Promise<PreparedModel> {
    const { limits, pathOf, filesFolder } = this.#options;
    const { kind, frameIndex } = source;
    const files = source.files.map(({ name, sha256 }) => ({ name, path: pathOf(sha256) }));
    const request: PrepareRequest = { kind, files, frameIndex, filesFolder, limits, options };
    const prepared = this.#tail.then(() => this.#prepareNow(request, signal));
    this.#tail = prepared.catch(() => {}); // whoever asked is told; the next one starts all the same
    return prepared;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = null;
  }

  #prepareNow(request: PrepareRequest, signal: AbortSignal): Promise<PreparedModel> {
    const { withinMs, heapMb } = this.#options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
        return;
      }
      const thread = this.#startedThread();
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        thread.off('error', onError);
        thread.off('message', onAnswer);
        finish();
      };
      const giveUp = (error: RenderError) => {
        settle(() => reject(error));
        this.#thread = null;
        thread.on('error', () => {}); // whatever it still throws, it is given up
        thread.terminate();
      };
      const cancel = () => giveUp(new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
      const timer = setTimeout(() => {
        giveUp(new RenderError('LIMIT_EXCEEDED', `preparing the model took over ${withinMs} ms`));
      }, withinMs);
      const onError = (error: NodeJS.ErrnoException) => {
        this.#thread = null;
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        settle(() =>
          reject(
            isMemory
              ? new RenderError('LIMIT_EXCEEDED', `preparing the model took over ${heapMb} MB`)
              : error,
          ),
        );
      };
      const onAnswer = (answer: PrepareAnswer) => {
        settle(() => {
          if (answer.kind === 'prepared') resolve(answer.model);
          else if (answer.code === null) reject(bugOf(answer.message, answer.stack));
          else if (answer.code === 'RESOURCES_MISSING') {
            reject(new MissingResourcesError(answer.missing));
          } else reject(new RenderError(answer.code, answer.message));
        });
      };
      signal.addEventListener('abort', cancel, { once: true });
      thread.on('error', onError);
      thread.on('message', onAnswer);
      thread.postMessage(request);
    });
  }

  #startedThread(): Worker {
    this.#thread ??= new Worker(new URL('./prepare-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
    });
    return this.#thread;
  }
}

/** A bug in the thread, with the stack that it had there. */
function bugOf(message: string, stack: string): Error {
  const bug = new Error(message);
  bug.stack = stack;
  return bug;
}
