/** Thread of {@link ParquetEncoder}: encodes a file for each port that it receives. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { StudyRow } from '@tessera/study';
import { type ParquetColumns, StudyParquet } from '@tessera/study/parquet';

/** Message that starts a file. */
export interface NewFile {
  readonly port: MessagePort;
  readonly columns: ParquetColumns;
}

parentPort!.on('message', ({ port, columns }: NewFile) => {
  const file = new StudyParquet(columns);
  // The other end closes the port, which frees the file.
  port.on('message', (rows: readonly StudyRow[] | null) => {
    port.postMessage(rows === null ? file.finish() : file.add(rows));
  });
});
