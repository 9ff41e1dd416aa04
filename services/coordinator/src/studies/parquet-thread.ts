/** Thread of `ParquetEncoder`: encodes several files at once. */
import { parentPort } from 'node:worker_threads';
import type { StudyRow } from '@tessera/study';
import { type ParquetColumns, StudyParquet } from '@tessera/study/parquet';

/** Message to the thread. All but `drop` have an answer. */
export type ParquetMessage = { readonly file: number } & (
  | { readonly kind: 'open'; readonly columns: ParquetColumns }
  | { readonly kind: 'add'; readonly rows: readonly StudyRow[] }
  | { readonly kind: 'finish' | 'drop' }
);

/** Next bytes of a file. */
export interface ParquetAnswer {
  readonly file: number;
  readonly bytes: Uint8Array;
}

const files = new Map<number, StudyParquet>();

parentPort!.on('message', (message: ParquetMessage) => {
  const { file } = message;
  if (message.kind === 'open') files.set(file, new StudyParquet(message.columns));
  const open = files.get(file)!;
  if (message.kind === 'drop') files.delete(file);
  else {
    const bytes = message.kind === 'finish' ? open.finish() : open.add(rowsOf(message));
    parentPort!.postMessage({ file, bytes } satisfies ParquetAnswer);
  }
});

function rowsOf(message: ParquetMessage): readonly StudyRow[] {
  return message.kind === 'add' ? message.rows : [];
}
