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

/**
 * Row groups that are filled and encoded at the same time, by different files. A group needs about
 * 12 MB, so files of clients that read nothing must not hold one each.
 */
const GROUPS_AT_ONCE = 4;

/** Encoder of Parquet files. */
export class ParquetEncoder {
  /** Ends of the last turns. A file takes the turns of one of them. */
  readonly #turns = Array.from({ length: GROUPS_AT_ONCE }, () => Promise.resolve());
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
    const reader = readerOf(lists);
    try {
      yield await this.#ask(thread, { kind: 'open', file, columns });
      for (let isLast = false; !isLast; ) {
        const part = await this.#inTurn(file, () => this.#nextPart(thread, file, reader));
        isLast = part.isLast;
        yield part.bytes;
      }
    } finally {
      await reader.return();
      this.#awaited.delete(file);
      thread.postMessage({ kind: 'drop', file } satisfies ParquetMessage);
      if (this.#awaited.size === 0 && this.#thread === thread) {
        this.#thread = null;
        await thread.terminate();
      }
    }
  }

  /** Fills a row group and returns its bytes; with the last rows, also those of the file's end. */
  async #nextPart(
    thread: Worker,
    file: number,
    reader: AsyncGenerator<readonly StudyRow[], void>,
  ): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
    for (;;) {
      const { done = false, value: rows } = await reader.next();
      const message: ParquetMessage = done
        ? { kind: 'finish', file }
        : { kind: 'add', file, rows: rows! };
      const bytes = await this.#ask(thread, message);
      if (done || bytes.length > 0) return { bytes, isLast: done };
    }
  }

  /** Runs work when the work of earlier files in the same turns has ended. */
  #inTurn<T>(file: number, work: () => Promise<T>): Promise<T> {
    const at = file % GROUPS_AT_ONCE;
    const result = this.#turns[at]!.then(work);
    this.#turns[at] = result.then(
      () => {},
      () => {},
    );
    return result;
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

async function* readerOf(lists: RowLists): AsyncGenerator<readonly StudyRow[], void> {
  yield* lists;
}
