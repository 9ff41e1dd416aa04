/**
 * WebGL contexts of a running program. Each canvas has its own, because libraries try out WebGL on
 * a canvas outside of the page before they draw. The canvas that the page shows is the program's
 * frame.
 */
import type { PartObserver } from '@tessera/local-gpu';
import { createObservedContext, createServiceContext } from '../create-context.ts';
import type { CanvasContext, CreateCanvasContext, DrawableCanvas } from '../dom/index.ts';
import type { DrawnFrame } from '../frames/frame-source.ts';
import type { ServiceOptions } from '../frames/service-renderer.ts';
import type { ServedFrame } from '../frames/service-source.ts';
import type { SimulatedGpuChoice } from '../frames/simulated-gpu-choice.ts';
import { fitDrawingBuffer } from '../interface/limits.ts';

/** Renderer of the program's frames. */
export type ProgramBackEnd =
  | {
      readonly kind: 'in-process';
      readonly gpu?: SimulatedGpuChoice;
      /**
       * Called with each part of a frame before it is rendered. A frame has one part unless the
       * program reads what it drew.
       */
      readonly onPart?: PartObserver;
    }
  | { readonly kind: 'service'; readonly service: ServiceOptions };

/** Context whose frames either renderer can render. */
interface FramedContext extends CanvasContext {
  readonly hasImage: boolean;
  frame(): DrawnFrame | Promise<ServedFrame>;
}

interface CanvasWithContext {
  readonly canvas: DrawableCanvas;
  readonly context: FramedContext;
}

/** Contexts of all canvases of a program, in the order of their creation. */
export class PageContexts {
  readonly #backEnd: ProgramBackEnd;
  readonly #created: CanvasWithContext[] = [];

  constructor(backEnd: ProgramBackEnd) {
    this.#backEnd = backEnd;
  }

  get isEmpty(): boolean {
    return this.#created.length === 0;
  }

  /** Whether the shown canvas has changes that its next frame would show. */
  get hasImage(): boolean {
    return !this.isEmpty && this.#findShown().context.hasImage;
  }

  readonly create: CreateCanvasContext = (name, canvas, attributes) => {
    const given = { ...attributes, createWebGL2Context: name === 'webgl2' };
    const size = fitDrawingBuffer(canvas.width, canvas.height);
    const backEnd = this.#backEnd;
    const context: FramedContext =
      backEnd.kind === 'service'
        ? createServiceContext(...size, { ...given, service: backEnd.service })
        : createObservedContext(
            ...size,
            { ...given, gpu: backEnd.gpu },
            backEnd.onPart ?? (() => {}),
          );
    this.#created.push({ canvas, context });
    return context;
  };

  /** Ends the frame of the shown canvas, and renders it. Frames of other canvases end too. */
  async takeFrame(): Promise<DrawnFrame | ServedFrame> {
    const shown = this.#findShown();
    for (const { canvas, context } of this.#created) {
      if (context !== shown.context && canvas.isShown && context.hasImage) canvas.endFrame();
    }
    const frame = await shown.context.frame();
    const { widthPx, heightPx, rgba } = frame.image;
    const { buffer, byteOffset, length } = rgba;
    const pixels = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, length);
    shown.canvas.endFrame({ widthPx, heightPx, rgba: pixels, isPremultiplied: true });
    return frame;
  }

  /**
   * Returns the context of the first canvas in the page that has been drawn to. Canvases outside of
   * the page are considered only if the page has no canvas with a context.
   */
  #findShown(): CanvasWithContext {
    const inPage = this.#created.filter(({ canvas }) => canvas.isShown);
    const candidates = inPage.length > 0 ? inPage : this.#created;
    const drawn = candidates.find(({ context }) => context.hasImage);
    return drawn ?? candidates.at(-1)!;
  }
}
