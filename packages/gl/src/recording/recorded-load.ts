import { DEFAULT_FRAME_LIMITS, type Draw, primitiveCountOf } from '@tessera/frame';

/** Fraction of a frame limit that may be recorded before the passes are rendered. */
const FULL_SHARE = 0.75;
/** Numbers of draws and passes that may be recorded before the passes are rendered. */
const FULL_DRAWS = 15_000;
const FULL_PASSES = 192;

interface SizePx {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Size of the recorded passes relative to the limits of a frame. */
export class RecordedLoad {
  #draws = 0;
  #primitives = 0;
  #passes = 0;
  #targetPixels = 0;

  count(draw: Draw): void {
    this.#draws++;
    this.#primitives += primitiveCountOf(draw);
  }

  /**
   * Returns whether the passes should be rendered before more is recorded.
   *
   * @param target Size of the target of the next pass.
   */
  isFull({ passCount }: { readonly passCount: number }, { widthPx, heightPx }: SizePx): boolean {
    const { maxPrimitives, maxTargetPixels } = DEFAULT_FRAME_LIMITS;
    // Estimate: each new pass has two images of the size of the next target.
    this.#targetPixels += (passCount - this.#passes) * widthPx * heightPx * 2;
    this.#passes = passCount;
    return (
      this.#draws >= FULL_DRAWS ||
      this.#primitives >= maxPrimitives * FULL_SHARE ||
      passCount >= FULL_PASSES ||
      this.#targetPixels >= maxTargetPixels * FULL_SHARE
    );
  }
}
