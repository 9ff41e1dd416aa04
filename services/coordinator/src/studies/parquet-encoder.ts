/**
 * Encodes the rows of studies as Parquet in a thread, because a row group takes tens of
 * milliseconds. The thread runs while a file is sent.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { StudyRow } from '@tessera/study';
import type { ParquetColumns } from '@tessera/study/parquet';

/** Rows of a study list by list. */
export type RowLists = Iterable<readonly StudyRow[]> | AsyncIterable<readonly StudyRow[]>;

/** Encoder of Parquet files. */
export class ParquetEncoder {
  #thread: Worker | null = null;
  #openFiles = 0;

  /** Yields the bytes of a file. Rows are read as the bytes are used. */
  async *encode(columns: ParquetColumns, lists: RowLists): AsyncGenerator<Uint8Array, void> {
    const { port1: port, port2 } = new MessageChannel();
    this.#openFiles++;
    this.#thread ??= new Worker(new URL('./parquet-thread.ts', import.meta.url));
    const thread = this.#thread;
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => {}); // An encoding reports it.
    thread.once('error', failure.reject);
    try {
      thread.postMessage({ port: port2, columns }, [port2]);
      for await (const rows of lists) {
        const bytes = await ask(port, rows, failure.promise);
        if (bytes.length > 0) yield bytes;
      }
      yield await ask(port, null, failure.promise);
    } finally {
      port.close();
      thread.off('error', failure.reject);
      if (--this.#openFiles === 0) {
        this.#thread = null;
        await thread.terminate();
      }
    }
  }
}

/** Sends rows, or null for the end, and returns the next bytes of the file. */
async function ask(
  port: MessagePort,
  rows: readonly StudyRow[] | null,
  failure: Promise<never>,
): Promise<Uint8Array> {
  const answer = Promise.withResolvers<Uint8Array>();
  port.once('message', answer.resolve);
  port.postMessage(rows);
  return Promise.race([answer.promise, failure]);
}
