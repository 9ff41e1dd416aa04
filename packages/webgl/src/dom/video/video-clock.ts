/**
 * Clock of the videos of a page. They advance with the animation frames of the page, so that the
 * same frames of the page show the same frames of a video.
 */

/** Video that plays. */
export interface ClockedVideo {
  /** Shows the frame at a time of the page. */
  advance(timeMs: number): Promise<void>;
}

/** Playing videos of one page. */
export class VideoClock {
  readonly #playing = new Set<ClockedVideo>();
  /** Called when a video starts to play, so that frames run even if the page requests none. */
  onStart: () => void = () => {};

  get isRunning(): boolean {
    return this.#playing.size > 0;
  }

  start(video: ClockedVideo): void {
    this.#playing.add(video);
    this.onStart();
  }

  stop(video: ClockedVideo): void {
    this.#playing.delete(video);
  }

  /** Resolves when all videos show their frames of a time of the page. */
  async advance(timeMs: number): Promise<void> {
    await Promise.all([...this.#playing].map((video) => video.advance(timeMs)));
  }
}
