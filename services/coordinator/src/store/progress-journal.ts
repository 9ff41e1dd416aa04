/**
 * Records in the journal which frames are in progress, so that the next process knows which of them
 * may have crashed this one. Records may be lost while the disk is full.
 */
import { RenderError } from '@tessera/frame';
import type { Database } from './database.ts';

/**
 * Values of the column `progress`: whether a frame is being prepared or rendered, and whether
 * others are too.
 */
const PROGRESS_VALUES = { idle: 0, shared: 1, alone: 2 } as const;
/**
 * Progress of an unfinished frame: `idle`, in progress beside others (`shared`), or in progress
 * `alone`.
 */
export type FrameProgress = keyof typeof PROGRESS_VALUES;

/** Journal of frames in progress. */
export class ProgressJournal {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Records whether a frame is in progress. An unexpected end of the process makes such a frame a
   * suspect.
   */
  note(frameId: string, progress: FrameProgress): void {
    skipWhenFull(() =>
      this.#database.run(
        'UPDATE frames SET progress = ? WHERE id = ?',
        PROGRESS_VALUES[progress],
        frameId,
      ),
    );
  }

  /** Records an orderly stop, which counts against no frame. */
  noteStop(): void {
    skipWhenFull(() => this.#database.run('UPDATE service SET is_running = 0'));
  }

  /**
   * Counts the end of the previous process if it was unexpected: a bug, a signal, lack of memory or
   * power. Frames in progress become suspects. An end while no frame ran alone has another cause,
   * so it reduces older counts.
   */
  blameUnseenEnd(): void {
    skipWhenFull(() => this.#database.commit(() => this.#blame()));
  }

  #blame(): void {
    const database = this.#database;
    const { shared, alone } = PROGRESS_VALUES;
    const wasRunning = database.first('SELECT is_running FROM service')?.is_running === 1;
    if (wasRunning) {
      const ranAlone = database.first('SELECT 1 FROM frames WHERE progress = ?', alone);
      if (ranAlone === undefined) {
        database.run('UPDATE frames SET ends_alone = ends_alone - 1 WHERE ends_alone > 0');
      }
      database.run(
        'UPDATE frames SET is_suspect = 1, ends_alone = ends_alone + (progress = ?) WHERE progress >= ?',
        alone,
        shared,
      );
    }
    database.run('UPDATE frames SET progress = 0 WHERE progress > 0');
    database.run('UPDATE service SET is_running = 1');
  }
}

function skipWhenFull(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof RenderError) || error.code !== 'STORAGE_FULL') throw error;
  }
}
