/** Canvases of a page or worker that have a WebGL context, in the order of the contexts. */
import type { CanvasContext, DrawableCanvas } from './canvas-surface.ts';

/** Canvas with its WebGL context. */
export interface DrawnCanvas<Context extends CanvasContext = CanvasContext> {
  readonly canvas: DrawableCanvas;
  readonly context: Context;
}

/** Canvases with WebGL contexts. */
export class DrawnCanvases<Context extends CanvasContext = CanvasContext> {
  readonly #drawn: DrawnCanvas<Context>[] = [];

  add(canvas: DrawableCanvas, context: Context): void {
    this.#drawn.push({ canvas, context });
  }

  get isEmpty(): boolean {
    return this.#drawn.length === 0;
  }

  /** Whether a canvas in the page has changes that its next frame would show. */
  get hasShownImage(): boolean {
    return this.#drawn.some(({ canvas, context }) => canvas.isShown && context.hasImage === true);
  }

  /**
   * Ends the frames of the canvases in the page, as a browser does when it displays the page.
   *
   * @param except Canvas whose frame continues.
   */
  endFrames(except?: DrawableCanvas): void {
    for (const { canvas, context } of this.#drawn) {
      if (canvas !== except && canvas.isShown && context.hasImage === true) canvas.endFrame();
    }
  }

  /**
   * Returns the first canvas in the page that has been drawn to, or the last one if none has.
   * Canvases outside of the page are considered only if the page has no canvas with a context.
   * Returns `null` if there is no context.
   */
  findShown(): DrawnCanvas<Context> | null {
    const inPage = this.#drawn.filter(({ canvas }) => canvas.isShown);
    const candidates = inPage.length > 0 ? inPage : this.#drawn;
    const drawn = candidates.find(({ context }) => context.hasImage === true);
    return drawn ?? candidates.at(-1) ?? null;
  }
}
