/**
 * Content of a canvas element after `transferControlToOffscreen`: the last frame of the offscreen
 * canvas, which may belong to a worker.
 */
import type { Pixels } from '../../pixels/pixels.ts';

/** Canvas that draws in place of an element of the same thread. */
interface LinkedCanvas {
  readonly width: number;
  readonly height: number;
  takePixels(): Pixels;
}

/** Shown frame and size of a canvas element that is drawn elsewhere. */
export class CanvasPlaceholder {
  readonly #isShown: () => boolean;
  #widthPx: number;
  #heightPx: number;
  #shown: Pixels | null = null;
  #canvas: LinkedCanvas | null = null;

  /** @param isShown Returns whether the page shows the element. */
  constructor(widthPx: number, heightPx: number, isShown: () => boolean) {
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    this.#isShown = isShown;
  }

  get widthPx(): number {
    return this.#widthPx;
  }

  get heightPx(): number {
    return this.#heightPx;
  }

  get isShown(): boolean {
    return this.#isShown();
  }

  /** Sets the offscreen canvas, or `null` when it has left this thread. */
  link(canvas: LinkedCanvas | null): void {
    this.#canvas = canvas;
  }

  /** Shows a frame of the offscreen canvas, and adopts its size. */
  show(pixels: Pixels): void {
    this.#shown = pixels;
    this.#widthPx = pixels.widthPx;
    this.#heightPx = pixels.heightPx;
  }

  /** Adopts the size of the offscreen canvas at the end of a frame of the page. */
  adoptSize(): void {
    if (this.#canvas === null) return;
    this.#widthPx = this.#canvas.width;
    this.#heightPx = this.#canvas.height;
  }

  /**
   * Returns the shown frame. Before a frame has been shown, these are the current pixels of the
   * offscreen canvas.
   */
  takePixels(): Pixels {
    if (this.#shown !== null) return this.#shown;
    if (this.#canvas !== null) return this.#canvas.takePixels();
    const [widthPx, heightPx] = [this.#widthPx, this.#heightPx];
    const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
    return { widthPx, heightPx, rgba, isPremultiplied: false };
  }
}
