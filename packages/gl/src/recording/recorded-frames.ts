/** Finishes the frames of a context: takes, skips or discards them. */
import type { Frame, TextureResource } from '@tessera/frame';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import type { TimedPass } from './passes/pass-time.ts';
import type { CountedPass } from './passes/query-part.ts';
import type { Recording } from './recording.ts';

/** Parts of a context that frames depend on. */
interface FrameParts {
  readonly recording: Recording;
  /** Size of the screen in pixels. */
  readonly targets: { readonly widthPx: number; readonly heightPx: number };
  readonly framebuffers: Pick<FramebufferState, 'drawFramebuffer' | 'readFramebuffer' | 'sizeOf'>;
  readonly fixedFunctions: { readonly lists: { startFrame(): void } };
}

/** Access to the frames of one context, in sequence. */
export class RecordedFrames {
  readonly #parts: FrameParts;

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  /**
   * Finishes the frame and returns it.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if the frame format cannot represent it.
   */
  take(): Frame {
    this.#parts.fixedFunctions.lists.startFrame();
    const { recording, targets } = this.#parts;
    return recording.takeFrame(targets.widthPx, targets.heightPx);
  }

  /**
   * Finishes the frame of a program that does not show it, and returns it with the image of a bound
   * framebuffer. No other frame may follow.
   *
   * @param isRead Whether the framebuffer for reading is meant, not that for drawing.
   * @throws {RenderError} FRAME_UNSUPPORTED if the frame format cannot represent it.
   */
  takeBound(isRead: boolean): Frame {
    const { framebuffers, recording } = this.#parts;
    const bound = isRead ? framebuffers.readFramebuffer : framebuffers.drawFramebuffer;
    if (bound === null) return this.take();
    const { widthPx, heightPx } = framebuffers.sizeOf(bound, isRead);
    // An image is read without decoding sRGB.
    const target = { framebuffer: bound, widthPx, heightPx, isSrgbRaw: true };
    return recording.takeFramebuffer(target, isRead);
  }

  /** Whether anything was drawn to the screen or the drawing buffer. */
  get hasImage(): boolean {
    return this.#parts.recording.hasImage;
  }

  /**
   * Adopts the textures that the renderer returned for the last frame taken, so they are not
   * rendered again. Occlusion queries of the frame count 0 unless `adoptCounts` is called too.
   *
   * @param drawnTextures Contents by texture index in that frame.
   */
  adopt(drawnTextures: ReadonlyMap<number, TextureResource>): void {
    this.#parts.recording.adoptFrame(drawnTextures);
  }

  /**
   * Adopts the counts of occlusion queries that the renderer returned for a frame taken, so that
   * its passes are not rendered again for them.
   *
   * @param passes Results by pass of the frame.
   */
  adoptCounts(frame: Frame, passes: readonly CountedPass[]): void {
    this.#parts.recording.adoptCounts(frame, passes);
  }

  /**
   * Adopts the simulated times of all passes since the frame before, which timer queries return.
   *
   * @param passes Passes of the report of the last frame taken; empty if it has none.
   */
  adoptTimes(passes: readonly TimedPass[], clockHz: number): void {
    this.#parts.recording.renderer?.times.adopt(passes, clockHz);
  }

  /** Returns whether times were lost since the last call. */
  takeDisjoint(): boolean {
    return this.#parts.recording.renderer?.times.takeDisjoint() ?? false;
  }

  /**
   * Sets whether the frame is wanted. In a skipped frame, only draws into textures are recorded.
   */
  set isWanted(isWanted: boolean) {
    this.#parts.recording.isWanted = isWanted;
  }

  /**
   * Finishes a skipped frame. Keeps its draws into textures, because later frames may sample them.
   */
  endSkipped(): void {
    this.#parts.fixedFunctions.lists.startFrame();
    this.#parts.recording.endSkippedFrame();
  }

  /** Discards the frame in progress. */
  discard(): void {
    this.#parts.fixedFunctions.lists.startFrame();
    this.#parts.recording.discardFrame();
  }
}
