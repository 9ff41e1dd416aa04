/** Playback of a video: which frame is shown at which time of the page. */
import type { Pixels } from '../../pixels/pixels.ts';
import type { VideoFile } from './video-file.ts';
import { type DecodedFrame, VideoFrames } from './video-frames.ts';

/** Shown frame of a video. */
export interface ShownFrame {
  readonly pixels: Pixels;
  /** Time of the frame in the video, in seconds. */
  readonly timeS: number;
}

/** Frames of one video, by time. */
export class VideoPlayer {
  readonly file: VideoFile;
  #frames: VideoFrames;
  #shown: DecodedFrame | null = null;

  constructor(file: VideoFile) {
    this.file = file;
    this.#frames = new VideoFrames(file, 0);
  }

  /**
   * Returns the last frame that starts at or before a time.
   *
   * @throws {Error} If the file is damaged.
   */
  async frameAt(timeS: number): Promise<ShownFrame> {
    const { frameTimesS } = this.file;
    // Times of frames are rounded in files.
    const wanted = Math.max(
      frameTimesS.findLastIndex((time) => time <= timeS + 0.0005),
      0,
    );
    if (this.#shown === null || wanted < this.#shown.index) this.#restart(wanted);
    while (this.#shown === null || this.#shown.index < wanted) {
      const frame = await this.#frames.next();
      // Files can have fewer frames than they say. The last one stays then.
      if (frame === null) break;
      this.#shown = frame;
    }
    if (this.#shown === null) throw new Error('the video has no frame that can be decoded');
    const { pixels, index } = this.#shown;
    return { pixels, timeS: frameTimesS[index]! };
  }

  close(): void {
    this.#frames.close();
  }

  #restart(index: number): void {
    // A new player has not read anything yet.
    if (this.#shown === null && index === 0) return;
    this.#frames.close();
    this.#frames = new VideoFrames(this.file, index);
    this.#shown = null;
  }
}
