/**
 * Encodes the rows of studies as Parquet in a thread, because a row group takes about
 * 0.1 s. The thread runs while files are sent.
 */
import { Worker } from 'node:worker_threads';
import type { StudyRow } from '@tessera/study';
import type { ParquetColumns } from '@tessera/study/parquet';
import type { ParquetAnswer, ParquetMessage } from './parquet-thread.ts';

/** Rows of a study list by list. */
export type RowLists = Iterable<readonly StudyRow[]> | AsyncIterable<readonly StudyRow[]>;

/** Encoder of Parquet files. */
export class ParquetEncoder {
  #thread: Worker | null = null;
  #fileCount = 0;
  /** Answers that are awaited, by number of the file; null while a file awaits none. */
  readonly #awaited = new Map<number, PromiseWithResolvers<Uint8Array> | null>();

  /** Yields the bytes of a file. Rows are read as the bytes are used. */
  async *encode(columns: ParquetColumns, lists: RowLists): AsyncGenerator<Uint8Array, void> {
    const file = this.#fileCount++;
    this.#awaited.set(file, null);
    this.#thread ??= this.#startThread();
    const thread = this.#thread;
    try {
      yield await this.#ask(thread, { kind: 'open', file, columns });
      for await (const rows of lists) {
        const bytes = await this.#ask(thread, { kind: 'add', file, rows });
        if (bytes.length > 0) yield bytes;
      }
      yield await this.#ask(thread, { kind: 'finish', file });
    } finally {
      this.#awaited.delete(file);
      thread.postMessage({ kind: 'drop', file } satisfies ParquetMessage);
      if (this.#awaited.size === 0 && this.#thread === thread) {
        this.#thread = null;
        await thread.terminate();
      }
    }
  }

  /** Sends a message and returns the next bytes of its file. */
  #ask(thread: Worker, message: ParquetMessage): Promise<Uint8Array> {
    if (this.#thread !== thread) return Promise.reject(new Error('parquet: the thread ended'));
    const answer = Promise.withResolvers<Uint8Array>();
    this.#awaited.set(message.file, answer);
    thread.postMessage(message);
    return answer.promise;
  }

  #startThread(): Worker {
    const thread = new Worker(new URL('./parquet-thread.ts', import.meta.url));
    thread.on('message', ({ file, bytes }: ParquetAnswer) => {
      this.#awaited.get(file)?.resolve(bytes);
    });
    thread.once('error', (error) => {
      this.#thread = null;
      for (const answer of this.#awaited.values()) answer?.reject(error);
    });
    return thread;
  }
}
