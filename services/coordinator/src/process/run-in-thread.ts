/** Runs one job in a worker thread, with limits on its time and memory. */
import type { Worker } from 'node:worker_threads';
import { type ErrorCode, RenderError } from '@tessera/frame';

/** Failure that a thread reports. */
export interface ThreadFailure {
  /** Error code; null for a bug. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string;
}

/** Job for a thread. */
export interface ThreadJob<Answer, Result> {
  /** Name of the job at the start of messages, such as `study-rows`. */
  readonly name: string;
  readonly thread: Worker;
  /** Message that starts the job. */
  readonly request: unknown;
  /** Aborted when the result is not needed. */
  readonly signal: AbortSignal;
  readonly withinMs: number;
  /** JavaScript heap that the thread was started with, in MiB. */
  readonly heapMb: number;
  /**
   * Returns the result, or null for a message that is not the answer. Throws the failure of the
   * job.
   */
  readonly readAnswer: (answer: Answer) => { readonly result: Result } | null;
  /** Terminates the thread after a job that was cancelled or took too long. */
  readonly onGiveUp: () => void;
  /** Returns the error of a job that was cancelled. */
  readonly cancelled: () => RenderError;
  /** Returns the error of a job whose thread was terminated. */
  readonly terminated: () => RenderError;
}

/**
 * Sends a job to its thread and returns the result.
 *
 * @throws {RenderError} LIMIT_EXCEEDED if time or memory is exhausted; the errors of `cancelled`
 *   and `terminated`. Also throws the failure of the job.
 */
export function runInThread<Answer, Result>(job: ThreadJob<Answer, Result>): Promise<Result> {
  const { name, thread, request, signal, withinMs, heapMb } = job;
  if (signal.aborted) return Promise.reject(job.cancelled());
  return new Promise((resolve, reject) => {
    const stopListening = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      thread.off('error', onError);
      thread.off('exit', onExit);
      thread.off('message', onMessage);
    };
    const giveUp = (error: RenderError) => {
      stopListening();
      reject(error);
      job.onGiveUp();
    };
    const cancel = () => giveUp(job.cancelled());
    const timer = setTimeout(() => {
      giveUp(new RenderError('LIMIT_EXCEEDED', `${name}: took longer than ${withinMs} ms`));
    }, withinMs);
    const onError = (error: NodeJS.ErrnoException) => {
      stopListening();
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const message = `${name}: needs more than ${heapMb} MiB of heap`;
      reject(isMemory ? new RenderError('LIMIT_EXCEEDED', message) : error);
    };
    const onExit = () => {
      stopListening();
      reject(job.terminated());
    };
    const onMessage = (answer: Answer) => {
      try {
        const read = job.readAnswer(answer);
        if (read === null) return;
        resolve(read.result);
      } catch (error) {
        reject(error);
      }
      stopListening();
    };
    signal.addEventListener('abort', cancel, { once: true });
    thread.on('error', onError);
    thread.on('exit', onExit);
    thread.on('message', onMessage);
    thread.postMessage(request);
  });
}

/** Returns the error of a failure, with the stack that it had in the thread. */
export function errorOf({ code, message, stack }: ThreadFailure): Error {
  if (code !== null) return new RenderError(code, message);
  return Object.assign(new Error(message), { stack });
}
