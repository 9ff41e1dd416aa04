/**
 * Rows of the journal that a store reads. The stores write them, so their content is trusted. A
 * disk or another program can still have changed them.
 */
import { RenderError } from '@tessera/frame';
import { DatabaseError } from './database.ts';

/**
 * Runs code that reads a row.
 *
 * @param place Table and key of the row, for the message.
 * @throws {DatabaseError} If the row does not have what its store writes.
 */
export function readStored<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RenderError || error instanceof DatabaseError) throw error;
    const { message } = error as Error;
    const text = `${place}: the row is damaged (${message}). Restore the data folder from a backup`;
    throw new DatabaseError(text, { cause: error });
  }
}
