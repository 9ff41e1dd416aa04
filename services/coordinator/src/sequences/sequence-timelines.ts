/**
 * Timelines of sequences, computed when they are first asked for and kept as files. Sequences live as long as the process,
 * and so do these files: the folder is emptied at the start. Beyond a sum of bytes the longest unused is removed; it is
 * computed again for its next reader.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError } from '@tessera/frame';

/** Sum of the bytes of all files, by default. */
const MAX_KEPT_BYTES = 2 ** 30;

/** Writes a timeline to `path`; returns its bytes, or null if the sequence has none. */
export type WriteTimeline = (path: string, signal: AbortSignal) => Promise<number | null>;

/** A file, or a computation that readers wait for. */
interface Entry {
  readonly path: string;
  readonly bytes: Promise<number | null>;
  readonly abort: AbortController;
  /** Readers that wait; when all of them have left the computation ends. */
  readerCount: number;
  /** Null while it is computed, and where there is no timeline. */
  knownBytes: number | null;
}

/** An open timeline; the caller closes the file. */
export interface OpenTimeline {
  readonly file: FileHandle;
  readonly bytes: number;
}

export class SequenceTimelines {
  readonly #folder: string;
  readonly #maxKeptBytes: number;
  /** By id of the sequence, the longest unused first. */
  readonly #entryById = new Map<string, Entry>();
  #fileCount = 0;

  /**
   * @param folder Owned by this object, and emptied.
   * @param maxKeptBytes Sum of the bytes of all files.
   */
  constructor(folder: string, maxKeptBytes = MAX_KEPT_BYTES) {
    this.#folder = folder;
    this.#maxKeptBytes = maxKeptBytes;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  /**
   * Opens the timeline of a sequence; computes it if there is no file. Readers that come meanwhile share the computation.
   *
   * @param signal Aborted when the reader leaves.
   * @returns Null if the sequence has no timeline.
   * @throws {RenderError} What `write` throws.
   */
  async open(id: string, write: WriteTimeline, signal: AbortSignal): Promise<OpenTimeline | null> {
    signal.throwIfAborted();
    const entry = this.#entryById.get(id) ?? this.#compute(write);
    // The most recently used is last.
    this.#entryById.delete(id);
    this.#entryById.set(id, entry);
    const leave = () => {
      entry.readerCount--;
      if (entry.readerCount === 0 && entry.knownBytes === null) this.delete(id);
    };
    entry.readerCount++;
    signal.addEventListener('abort', leave, { once: true });
    try {
      const bytes = await entry.bytes;
      signal.throwIfAborted();
      if (bytes === null) return null;
      // An open file outlives its name, so it may be evicted from here on.
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

  /** Removes the timeline of a sequence; ends its computation. */
  delete(id: string): void {
    const entry = this.#entryById.get(id);
    if (entry === undefined) return;
    this.#entryById.delete(id);
    entry.abort.abort(new RenderError('FRAME_CANCELLED', 'the sequence was deleted'));
    // A thread that is ended in the middle leaves its file behind.
    const remove = () => rmSync(entry.path, { force: true });
    entry.bytes.then(remove, remove);
  }

  #compute(write: WriteTimeline): Entry {
    const abort = new AbortController();
    const path = join(this.#folder, `${this.#fileCount++}.json`);
    const bytes = write(path, abort.signal);
    const entry: Entry = { path, bytes, abort, readerCount: 0, knownBytes: null };
    bytes.then(
      (known) => {
        entry.knownBytes = known;
      },
      () => {}, // its readers get the error
    );
    return entry;
  }

  #evictBeyond(): void {
    let sum = 0;
    for (const { knownBytes } of this.#entryById.values()) sum += knownBytes ?? 0;
    for (const [id, { knownBytes, readerCount }] of this.#entryById) {
      if (sum <= this.#maxKeptBytes) return;
      if (knownBytes === null || readerCount > 0) continue;
      sum -= knownBytes;
      this.delete(id);
    }
  }
}
