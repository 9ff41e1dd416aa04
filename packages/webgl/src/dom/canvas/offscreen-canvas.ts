/**
 * `OffscreenCanvas` (HTML, section 4.12.5.3): a canvas without an element. It can draw in the place
 * of an element, and move to a worker.
 */
import type { PixelSource, Pixels } from '../../pixels/pixels.ts';
import type { Context2d } from '../canvas-2d/context-2d.ts';
import { encodeCanvas } from '../images/encode-canvas.ts';
import { ImageBitmap } from '../images/image-bitmap.ts';
import type { CanvasPlaceholder } from './canvas-placeholder.ts';
import {
  type CanvasContext,
  CanvasSurface,
  type CreateCanvasContext,
  type DrawableCanvas,
} from './canvas-surface.ts';

/** Receiver of the frames of a canvas that draws in the place of an element. */
export type FrameTarget = Pick<CanvasPlaceholder, 'isShown' | 'link' | 'show'>;

/** Canvas without an element. */
export class OffscreenCanvas extends EventTarget implements DrawableCanvas, PixelSource {
  /** Handlers of events of 2D contexts, which are never lost. */
  oncontextlost: ((event: Event) => void) | null = null;
  oncontextrestored: ((event: Event) => void) | null = null;
  readonly #surface: CanvasSurface;
  #target: FrameTarget | null = null;
  #isDetached = false;

  /**
   * @param createContext Context factory of the page or worker.
   * @throws {TypeError} If an edge is no integer from 0 to 2^53 − 1.
   */
  constructor(width: number, height: number, createContext: CreateCanvasContext) {
    super();
    const [widthPx, heightPx] = [readEdge(width, 'width'), readEdge(height, 'height')];
    this.#surface = new CanvasSurface(this, widthPx, heightPx, createContext);
  }

  get width(): number {
    return this.#isDetached ? 0 : this.#surface.widthPx;
  }

  set width(width: number) {
    const widthPx = readEdge(width, 'width');
    if (!this.#isDetached) this.#surface.resize(widthPx, this.#surface.heightPx);
  }

  get height(): number {
    return this.#isDetached ? 0 : this.#surface.heightPx;
  }

  set height(height: number) {
    const heightPx = readEdge(height, 'height');
    if (!this.#isDetached) this.#surface.resize(this.#surface.widthPx, heightPx);
  }

  /**
   * Returns the context, the same on every call, or `null` for a kind that the canvas cannot have.
   *
   * @throws {DOMException} InvalidStateError if the canvas has moved to another thread.
   */
  getContext(name: string, attributes?: object | null): Context2d | CanvasContext | null {
    this.#requireAttached('getContext');
    return this.#surface.getContext(name, attributes);
  }

  /**
   * Moves the image out of the canvas, which becomes transparent black.
   *
   * @throws {DOMException} InvalidStateError if the canvas has no context or has moved away.
   */
  transferToImageBitmap(): ImageBitmap {
    this.#requireAttached('transferToImageBitmap');
    if (!this.#surface.hasContext) {
      const message = 'transferToImageBitmap: the canvas has no context';
      throw new DOMException(message, 'InvalidStateError');
    }
    return new ImageBitmap(this.#surface.movePixels());
  }

  /** Encodes the canvas as {@link encodeCanvas} does. */
  async convertToBlob(options?: {
    readonly type?: unknown;
    readonly quality?: unknown;
  }): Promise<Blob> {
    this.#requireAttached('convertToBlob');
    if (this.width === 0 || this.height === 0) {
      throw new DOMException('convertToBlob: the canvas is empty', 'IndexSizeError');
    }
    const { type, bytes } = encodeCanvas(this.takePixels(), options?.type, options?.quality);
    return new Blob([bytes], { type });
  }

  get isShown(): boolean {
    return this.#target?.isShown ?? false;
  }

  /** Lets the canvas draw in the place of an element. */
  drawFor(target: FrameTarget): void {
    this.#target = target;
    target.link(this);
  }

  takePixels(): Pixels {
    return this.#surface.takePixels();
  }

  endFrame(shown?: Pixels): void {
    if (this.#target !== null) this.#target.show(shown ?? copyPixels(this.takePixels()));
    if (shown === undefined) this.#surface.endFrame();
  }

  /**
   * Moves the canvas out of this thread. The canvas that is left has no size.
   *
   * @returns Receiver of its frames.
   * @throws {DOMException} InvalidStateError if the canvas has a context; DataCloneError if it has
   *   moved already.
   */
  detach(): FrameTarget | null {
    if (this.#isDetached) {
      throw new DOMException('the OffscreenCanvas has moved already', 'DataCloneError');
    }
    if (this.#surface.hasContext) {
      throw new DOMException('an OffscreenCanvas with a context cannot move', 'InvalidStateError');
    }
    this.#isDetached = true;
    this.#target?.link(null);
    return this.#target;
  }

  #requireAttached(caller: string): void {
    if (!this.#isDetached) return;
    const message = `${caller}: the canvas has moved to another thread`;
    throw new DOMException(message, 'InvalidStateError');
  }
}

/** Class of the offscreen canvases of a page or worker. */
export type OffscreenCanvasClass = new (width: number, height: number) => OffscreenCanvas;

/** Returns the class of a page or worker, whose constructor has no argument for the factory. */
export function offscreenCanvasOf(createContext: CreateCanvasContext): OffscreenCanvasClass {
  const Bound = class extends OffscreenCanvas {
    constructor(width: number, height: number) {
      super(width, height, createContext);
    }
  };
  Object.defineProperty(Bound, 'name', { value: 'OffscreenCanvas' });
  return Bound;
}

/** Copies pixels that a 2D context continues to draw into. */
function copyPixels(pixels: Pixels): Pixels {
  return { ...pixels, rgba: pixels.rgba.slice() };
}

/** Converts an edge as WebIDL converts `[EnforceRange] unsigned long long`. */
function readEdge(value: number, name: string): number {
  const edgePx = Math.trunc(Number(value));
  if (edgePx >= 0 && edgePx <= Number.MAX_SAFE_INTEGER) return edgePx;
  throw new TypeError(`OffscreenCanvas: ${name} ${value} is not a number of pixels from 0`);
}
