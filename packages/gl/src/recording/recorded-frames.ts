/** Ends of frames: taken, skipped or discarded. */
import type { Frame, TextureResource } from '@tessera/frame';
import type { Recording } from './recording.ts';

/** Parts of a context that a frame is made from. */
interface FrameParts {
  readonly recording: Recording;
  /** Size of the screen. */
  readonly targets: { readonly widthPx: number; readonly heightPx: number };
  readonly fixedFunctions: { readonly lists: { startFrame(): void } };
}

/** Frames of one context, one after another. */
export class RecordedFrames {
  readonly #parts: FrameParts;

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  /** Ends the frame and returns it. @throws {RenderError} FRAME_UNSUPPORTED if a frame cannot hold it. */
  take(): Frame {
    this.#parts.fixedFunctions.lists.startFrame();
    const { recording, targets } = this.#parts;
    return recording.takeFrame(targets.widthPx, targets.heightPx);
  }

  /** Whether a frame taken at this point has an image of anything. */
  get hasImage(): boolean {
    return this.#parts.recording.hasImage;
  }

  /**
   * Adopts the textures that the last frame taken drew, as its renderer returned them. They need not be
   * rendered again then.
   *
   * @param drawnTextures Contents by index of the frame's textures.
   */
  adopt(drawnTextures: ReadonlyMap<number, TextureResource>): void {
    this.#parts.recording.adoptFrame(drawnTextures);
  }

  /** Sets whether the frame is wanted. Of a skipped frame only draws into textures are recorded. */
  set isWanted(isWanted: boolean) {
    this.#parts.recording.isWanted = isWanted;
  }

  /** Ends a frame that is not wanted. Its draws into textures are kept for later frames that sample them. */
  endSkipped(): void {
    this.#parts.fixedFunctions.lists.startFrame();
    this.#parts.recording.endSkippedFrame();
  }

  /** Ends the frame without making one. */
  discard(): void {
    this.#parts.fixedFunctions.lists.startFrame();
    this.#parts.recording.discardFrame();
  }
}
