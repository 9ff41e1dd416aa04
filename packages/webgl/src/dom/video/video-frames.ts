/** Frames of a video in order, decoded while they are read. */
import type { Pixels } from '../../pixels/pixels.ts';
import type { VideoFile } from './video-file.ts';
import { type RunningTool, startVideoTool } from './video-tool.ts';

/** Decoded frame. */
export interface DecodedFrame {
  /** Index in the file's times. */
  readonly index: number;
  readonly pixels: Pixels;
}

/** Reader of the frames from one on. */
export class VideoFrames {
  readonly #file: VideoFile;
  readonly #tool: RunningTool;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #nextIndex: number;

  /** @param startIndex Index of the first frame to read. */
  constructor(file: VideoFile, startIndex: number) {
    this.#file = file;
    this.#nextIndex = startIndex;
    const { path, frameWidthPx, frameHeightPx, startS, frameTimesS, colorMatrix, alphaDecoder } =
      file;
    const decoder = alphaDecoder === null ? [] : ['-c:v', alphaDecoder];
    // Half a millisecond, because times in the file are rounded.
    const seekS = frameTimesS[startIndex]! + startS - 0.0005;
    const seek = startIndex === 0 ? [] : ['-ss', seekS.toFixed(6)];
    const scale = [
      `scale=${frameWidthPx}:${frameHeightPx}`,
      `in_color_matrix=${colorMatrix}`,
      'out_range=full',
      'flags=bilinear+accurate_rnd+full_chroma_int',
    ].join(':');
    this.#tool = startVideoTool('ffmpeg', ['-nostdin', ...decoder, ...seek], path, [
      ...['-map', '0:v:0', '-fps_mode', 'passthrough', '-vf', scale],
      ...['-pix_fmt', 'rgba', '-f', 'rawvideo', 'pipe:1'],
    ]);
    this.#chunks = this.#tool.output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /**
   * Returns the next frame, or `null` at the end.
   *
   * @throws {Error} If the file is damaged.
   */
  async next(): Promise<DecodedFrame | null> {
    const { frameWidthPx: widthPx, frameHeightPx: heightPx } = this.#file;
    const bytes = widthPx * heightPx * 4;
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < bytes) {
      const { done, value } = await this.#chunks.next();
      if (done === true) break;
      parts.push(value);
      length += value.length;
    }
    if (length < bytes) {
      const { status, messages } = await this.#tool.ended;
      if (status !== 0 && status !== null) throw new Error(messages);
      return null;
    }
    const all = Buffer.concat(parts);
    this.#rest = all.subarray(bytes);
    const rgba = new Uint8ClampedArray(all.subarray(0, bytes));
    const index = this.#nextIndex++;
    return { index, pixels: { widthPx, heightPx, rgba, isPremultiplied: false } };
  }

  /** Ends decoding. */
  close(): void {
    this.#tool.end();
  }
}
