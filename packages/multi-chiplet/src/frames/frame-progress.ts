/** Progress of a frame, reported to the caller of `renderFrame`. */
import { type CoarseBinGrid, coarseBinCount } from '@tessera/frame';

/** State of a frame in progress. */
export interface FrameProgress {
  /** Phase of the pass that is rendering; `done` after the last pass. */
  readonly phase: 'visibility' | 'bins' | 'done';
  /** Number of finished bins, over all passes. */
  readonly binsDone: number;
  /** Number of bins of all passes. */
  readonly binCount: number;
}

/** Counts the finished bins of a frame and reports each change. */
export class ProgressCounter {
  readonly #onProgress: (progress: FrameProgress) => void;
  readonly #binCount: number;
  #binsDone = 0;

  /** @param grids Grid of each pass. */
  constructor(
    grids: readonly CoarseBinGrid[],
    onProgress: ((progress: FrameProgress) => void) | undefined,
  ) {
    this.#binCount = grids.reduce((sum, grid) => sum + coarseBinCount(grid), 0);
    this.#onProgress = onProgress ?? (() => {});
  }

  /** Reports that a phase begins, or that the frame is done. */
  enter(phase: FrameProgress['phase']): void {
    this.#onProgress({ phase, binsDone: this.#binsDone, binCount: this.#binCount });
  }

  /** Counts and reports a finished bin. */
  finishBin(): void {
    this.#binsDone++;
    this.enter('bins');
  }
}
