/**
 * Timelines of sequences, computed on first use and kept as files. Sequences live as long as the
 * process, and so do the files: the folder is emptied at the start. Beyond a total size the least
 * recently used file is removed and computed again on its next use.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError } from '@tessera/frame';

/** Default upper bound on the bytes of all files. */
const MAX_KEPT_BYTES = 2 ** 30;

/** Writes a timeline to `path`. Returns its bytes, or null if the sequence has none. */
export type WriteTimeline = (path: string, signal: AbortSignal) => Promise<number | null>;

/** File, or computation that readers wait for. */
interface Entry {
  readonly path: string;
  readonly bytes: Promise<number | null>;
  readonly abort: AbortController;
  /** Number of waiting readers. The computation ends when all of them have disconnected. */
  readerCount: number;
  /** Bytes of the file; null during the computation and if there is no timeline. */
  finalBytes: number | null;
}

/** Open timeline. The caller closes the file. */
export interface OpenTimeline {
  readonly file: FileHandle;
  readonly bytes: number;
}

/** Cache of timelines. */
export class SequenceTimelines {
  readonly #folder: string;
  readonly #maxKeptBytes: number;
  /** Entries by sequence id, least recently used first. */
  readonly #entryById = new Map<string, Entry>();
  #fileCount = 0;

  /**
   * @param folder Folder of the files, which is emptied.
   * @param maxKeptBytes Upper bound on the bytes of all files.
   */
  constructor(folder: string, maxKeptBytes = MAX_KEPT_BYTES) {
    this.#folder = folder;
    this.#maxKeptBytes = maxKeptBytes;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  /**
   * Opens the timeline of a sequence. Computes it if there is no file; concurrent readers share the
   * computation.
   *
   * @param signal Aborted when the reader disconnects.
   * @returns Null if the sequence has no timeline.
   * @throws {RenderError} The errors of `write`.
   */
  async open(id: string, write: WriteTimeline, signal: AbortSignal): Promise<OpenTimeline | null> {
    signal.throwIfAborted();
    const entry = this.#entryById.get(id) ?? this.#compute(write);
    // Moves the entry to the most recently used end.
    this.#entryById.delete(id);
    this.#entryById.set(id, entry);
    const leave = () => {
      entry.readerCount--;
      if (entry.readerCount === 0 && entry.finalBytes === null) this.delete(id);
    };
    entry.readerCount++;
    signal.addEventListener('abort', leave, { once: true });
    try {
      const bytes = await entry.bytes;
      signal.throwIfAborted();
      if (bytes === null) return null;
      // The open file survives an eviction.
      const file = await open(entry.path, 'r');
      this.#evictBeyond();
      return { file, bytes };
    } catch (error) {
      if (this.#entryById.get(id) === entry) this.delete(id);
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      if (!signal.aborted) entry.readerCount--;
    }
  }

  /** Removes the timeline of a sequence and ends its computation. */
  delete(id: string): void {
    const entry = this.#entryById.get(id);
    if (entry === undefined) return;
    this.#entryById.delete(id);
    entry.abort.abort(new RenderError('FRAME_CANCELLED', 'the sequence was deleted'));
    // A terminated thread leaves an incomplete file.
    const remove = () => rmSync(entry.path, { force: true });
    entry.bytes.then(remove, remove);
  }

  #compute(write: WriteTimeline): Entry {
    const abort = new AbortController();
    const path = join(this.#folder, `${this.#fileCount++}.json`);
    const bytes = write(path, abort.signal);
    const entry: Entry = { path, bytes, abort, readerCount: 0, finalBytes: null };
    bytes.then(
      (known) => {
        entry.finalBytes = known;
      },
      () => {}, // Readers receive the error.
    );
    return entry;
  }

  #evictBeyond(): void {
    let sum = 0;
    for (const { finalBytes } of this.#entryById.values()) sum += finalBytes ?? 0;
    for (const [id, { finalBytes, readerCount }] of this.#entryById) {
      if (sum <= this.#maxKeptBytes) return;
      if (finalBytes === null || readerCount > 0) continue;
      sum -= finalBytes;
      this.delete(id);
    }
  }
}
