/** Reads a recorded history. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CallEntry, History, HistoryEntry, HistoryHeader, ProcessEntry } from './entries.ts';

/**
 * Reads a file that {@link Recorder} wrote.
 *
 * @throws {Error} If a line is not JSON, or the file has no header.
 */
export async function readHistory(path: string): Promise<History> {
  let header: HistoryHeader | null = null;
  const calls: CallEntry[] = [];
  const processes: ProcessEntry[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const entry = JSON.parse(line) as HistoryEntry;
    if (entry.type === 'header') header = entry;
    else if (entry.type === 'process') processes.push(entry);
    else calls.push({ ...entry, completedMs: entry.completedMs ?? Number.POSITIVE_INFINITY });
  }
  if (header === null) throw new Error(`${path}: has no header, so it is not a recorded history`);
  calls.sort((a, b) => a.number - b.number);
  return { header, calls, processes };
}
