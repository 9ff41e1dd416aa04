/**
 * Drawing surface of a canvas: its size and its one context, WebGL or 2D. Elements and offscreen
 * canvases share it. Setting a new size clears it.
 */
import { readContextAttributes } from '../../options/context-attributes.ts';
import { type PixelSource, type Pixels, withPremultipliedAlpha } from '../../pixels/pixels.ts';
import { Context2d } from '../canvas-2d/context-2d.ts';
import { readDrawingBuffer } from '../images/read-drawing-buffer.ts';

/** Members of a context that its canvas uses. Contexts of other packages have no frames. */
export interface CanvasContext {
  canvas: unknown;
  readonly drawingBufferWidth: number;
  readonly drawingBufferHeight: number;
  /** Resizes and clears the drawing buffer. */
  resize?(width: number, height: number): void;
  /** Whether the drawing buffer has changes that the next frame would show. */
  readonly hasImage?: boolean;
  /** Ends the frame without rendering it. */
  skipFrame?(): void;
}

/** Canvas as seen by its context and by the page that shows it. */
export interface DrawableCanvas extends PixelSource {
  width: number;
  height: number;
  /** Whether the page shows the canvas, itself or in the place of an element. */
  readonly isShown: boolean;
  /**
   * Ends the frame of the canvas, as a browser does when it displays the page. The drawing buffer
   * is cleared unless the context preserves it.
   *
   * @param shown Pixels of the frame, if they have been rendered already.
   */
  endFrame(shown?: Pixels): void;
}

/** Creates the context of a canvas. Returns `null` if no context is available. */
export type CreateCanvasContext = (
  kind: 'webgl' | 'webgl2',
  canvas: DrawableCanvas,
  attributes: object,
) => CanvasContext | null;

type Drawn =
  | { readonly kind: '2d'; readonly context: Context2d }
  | { readonly kind: 'webgl' | 'webgl2'; readonly context: CanvasContext };

const KIND_BY_NAME: Readonly<Record<string, Drawn['kind']>> = {
  '2d': '2d',
  webgl: 'webgl',
  'experimental-webgl': 'webgl',
  webgl2: 'webgl2',
};

/** Size and context of one canvas. */
export class CanvasSurface {
  readonly #canvas: DrawableCanvas;
  readonly #createContext: CreateCanvasContext;
  #widthPx: number;
  #heightPx: number;
  #drawn: Drawn | null = null;

  constructor(
    canvas: DrawableCanvas,
    widthPx: number,
    heightPx: number,
    createContext: CreateCanvasContext,
  ) {
    this.#canvas = canvas;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    this.#createContext = createContext;
  }

  get widthPx(): number {
    return this.#widthPx;
  }

  get heightPx(): number {
    return this.#heightPx;
  }

  get hasContext(): boolean {
    return this.#drawn !== null;
  }

  /**
   * Returns the context, the same on every call. Returns `null` for a kind that the canvas cannot
   * have.
   */
  getContext(name: string, attributes?: object | null): Context2d | CanvasContext | null {
    const kind = KIND_BY_NAME[name];
    if (kind === undefined) return null;
    this.#drawn ??= this.#create(kind, attributes ?? {});
    return this.#drawn?.kind === kind ? this.#drawn.context : null;
  }

  /** Adopts an existing context and its size. */
  attachContext(kind: 'webgl' | 'webgl2', context: CanvasContext): void {
    context.canvas = this.#canvas;
    this.#widthPx = context.drawingBufferWidth;
    this.#heightPx = context.drawingBufferHeight;
    this.#drawn = { kind, context };
  }

  resize(widthPx: number, heightPx: number): void {
    const isSame = widthPx === this.#widthPx && heightPx === this.#heightPx;
    // Setting the same size clears a 2D canvas but not a drawing buffer.
    if (isSame && this.#drawn?.kind !== '2d') return;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    if (this.#drawn?.kind === '2d') this.#drawn.context.reset(widthPx, heightPx);
    else this.#drawn?.context.resize?.(widthPx, heightPx);
  }

  /** Returns the current pixels; transparent black without a context. */
  takePixels(): Pixels {
    if (this.#drawn?.kind === '2d') return this.#drawn.context.takePixels();
    if (this.#drawn !== null)
      return readDrawingBuffer(this.#drawn.context as unknown as WebGLRenderingContext);
    const [widthPx, heightPx] = [this.#widthPx, this.#heightPx];
    const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
    return { widthPx, heightPx, rgba, isPremultiplied: false };
  }

  /** Moves the pixels out of the canvas, which becomes transparent black. */
  movePixels(): Pixels {
    const pixels = this.takePixels();
    if (this.#drawn?.kind === '2d') {
      this.#drawn.context.clearPixels();
      return withPremultipliedAlpha(pixels);
    }
    this.endFrame();
    // Clears the drawing buffer even if the context preserves it.
    this.#drawn?.context.resize?.(this.#widthPx, this.#heightPx);
    return pixels;
  }

  /** Ends the frame of a WebGL context. A 2D context keeps its pixels. */
  endFrame(): void {
    if (this.#drawn !== null && this.#drawn.kind !== '2d') this.#drawn.context.skipFrame?.();
  }

  #create(kind: Drawn['kind'], attributes: object): Drawn | null {
    if (kind === '2d') return { kind, context: new Context2d(this.#canvas, attributes) };
    const known = readContextAttributes(attributes);
    const context = this.#createContext(kind, this.#canvas, known);
    if (context === null) return null;
    context.canvas = this.#canvas;
    return { kind, context };
  }
}
