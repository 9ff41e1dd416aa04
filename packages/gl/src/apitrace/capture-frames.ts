/**
 * Frames of a capture in their order. One replay gives all of them, where a replay for each frame
 * would begin at the first call every time.
 */
import type { CallBatches, CapturedCall } from './format/capture-reader.ts';
import { FrameReplay, type ReplayedFrame, type ReplayOptions } from './replay.ts';

/**
 * Replay of a capture that stops at each requested frame. Frames are those of `replayFrame`.
 *
 * @example
 * const frames = new CaptureFrames(readCallStream(chunks), { reflection });
 * const first = await frames.take(0);
 * const tenth = await frames.take(9);
 */
export class CaptureFrames {
  readonly #batches: AsyncIterator<Iterable<CapturedCall>>;
  readonly #replay: FrameReplay;
  /** Calls of the current batch that are left. */
  #calls: Iterator<CapturedCall> = [].values();
  /** Calls after a complete frame, in which its errors were searched: they are replayed next. */
  #searched: CapturedCall[] = [];

  constructor(batches: CallBatches, options: Omit<ReplayOptions, 'frame'>) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#replay = new FrameReplay({ ...options, frame: 0 });
  }

  /** Index of the first frame that can be taken. */
  get nextIndex(): number {
    return this.#replay.frameCount;
  }

  /**
   * Replays calls until a frame is complete. After an error, no other frame can be taken.
   *
   * @param frameIndex Index of the frame, at least {@link nextIndex}.
   * @throws {RenderError} Same codes as `replayFrame`.
   */
  async take(frameIndex: number): Promise<ReplayedFrame> {
    if (frameIndex < this.nextIndex) {
      throw new Error(`capture frames: frame ${frameIndex} is before frame ${this.nextIndex}`);
    }
    this.#replay.request(frameIndex);
    if (this.#searched.length > 0) this.#calls = chain(this.#searched, this.#calls);
    this.#searched = [];
    for (;;) {
      for (let call = this.#calls.next(); !call.done; call = this.#calls.next()) {
        if (this.#replay.isComplete) this.#searched.push(call.value);
        const replayed = this.#replay.run(call.value);
        if (replayed !== null) return replayed;
      }
      const batch = await this.#batches.next();
      if (batch.done) return this.#replay.finish();
      this.#calls = batch.value[Symbol.iterator]();
    }
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

function* chain(first: readonly CapturedCall[], rest: Iterator<CapturedCall>) {
  yield* first;
  for (let call = rest.next(); !call.done; call = rest.next()) yield call.value;
}
