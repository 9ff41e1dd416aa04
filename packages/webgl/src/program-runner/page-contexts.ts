/**
 * WebGL contexts of a running program. Each canvas has its own, because libraries try out WebGL on
 * a canvas outside of the page before they draw. The canvas that the page shows is the program's
 * frame.
 */
import type { PartObserver } from '@tessera/local-gpu';
import { createObservedContext, createServiceContext } from '../create-context.ts';
import { type CanvasContext, type CreateCanvasContext, DrawnCanvases } from '../dom/index.ts';
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
       * program reads what it drew. Workers cannot draw then.
       */
      readonly onPart?: PartObserver;
    }
  | { readonly kind: 'service'; readonly service: ServiceOptions };

/** Context whose frames either renderer can render. */
interface FramedContext extends CanvasContext {
  readonly hasImage: boolean;
  frame(): DrawnFrame | Promise<ServedFrame>;
}

/** Contexts of all canvases of a program, or of one of its workers. */
export class PageContexts {
  readonly #backEnd: ProgramBackEnd;
  readonly #drawn = new DrawnCanvases<FramedContext>();

  constructor(backEnd: ProgramBackEnd) {
    this.#backEnd = backEnd;
  }

  get isEmpty(): boolean {
    return this.#drawn.isEmpty;
  }

  /** Whether the shown canvas has changes that its next frame would show. */
  get hasImage(): boolean {
    return this.#drawn.findShown()?.context.hasImage === true;
  }

  /** Whether a canvas in the page has such changes. */
  get hasShownImage(): boolean {
    return this.#drawn.hasShownImage;
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
    this.#drawn.add(canvas, context);
    return context;
  };

  /** Ends the frames of all canvases in the page without a report. */
  endFrames(): void {
    this.#drawn.endFrames();
  }

  /**
   * Ends the frame of the shown canvas, and renders it. Frames of other canvases end too.
   *
   * @throws {Error} If there is no context.
   */
  async takeFrame(): Promise<DrawnFrame | ServedFrame> {
    const shown = this.#drawn.findShown();
    if (shown === null) throw new Error('the page has no WebGL context');
    this.#drawn.endFrames(shown.canvas);
    const frame = await shown.context.frame();
    const { widthPx, heightPx, rgba } = frame.image;
    const { buffer, byteOffset, length } = rgba;
    const pixels = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, length);
    shown.canvas.endFrame({ widthPx, heightPx, rgba: pixels, isPremultiplied: true });
    return frame;
  }
}
