/** `<canvas>` with one context for its lifetime, WebGL or 2D. Setting a new size clears it. */
import { readContextAttributes } from '../../options/check-options.ts';
import {
  type PixelSource,
  type Pixels,
  requireReadable,
  withStraightAlpha,
} from '../../pixels/pixels.ts';
import { Context2d } from '../canvas-2d/context-2d.ts';
import { encodeCanvasPng } from '../images/encode-canvas-png.ts';
import { readDrawingBuffer } from '../images/read-drawing-buffer.ts';
import { type BoxSize, boxSizeOf } from './box-size.ts';
import type { Document } from './document.ts';
import { Element } from './element.ts';

/** Members of a context that its canvas uses. */
export interface CanvasContext {
  canvas: unknown;
  readonly drawingBufferWidth: number;
  readonly drawingBufferHeight: number;
  /** Resizes and clears the drawing buffer. */
  resize?(width: number, height: number): void;
}

type Drawn =
  | { readonly kind: '2d'; readonly context: Context2d }
  | { readonly kind: 'webgl' | 'webgl2'; readonly context: CanvasContext };

const KIND_BY_NAME: Readonly<Record<string, Drawn['kind']>> = {
  '2d': '2d',
  webgl: 'webgl',
  'experimental-webgl': 'webgl',
  webgl2: 'webgl2',
};

/** `<canvas>` element. */
export class CanvasElement extends Element implements PixelSource {
  #widthPx = 300;
  #heightPx = 150;
  #drawn: Drawn | null = null;

  constructor(document: Document) {
    super(document, 'canvas');
  }

  get width(): number {
    return this.#widthPx;
  }

  set width(width: number) {
    this.#resize(readEdge(width, 300), this.#heightPx);
  }

  get height(): number {
    return this.#heightPx;
  }

  set height(height: number) {
    this.#resize(this.#widthPx, readEdge(height, 150));
  }

  override get boxSize(): BoxSize {
    return boxSizeOf(this, { width: this.#widthPx, height: this.#heightPx });
  }

  override setAttribute(name: string, value: unknown): void {
    super.setAttribute(name, value);
    if (name === 'width') this.width = Number.parseInt(String(value), 10);
    if (name === 'height') this.height = Number.parseInt(String(value), 10);
  }

  /**
   * Returns the canvas's context, the same on every call. Returns `null` for a kind that the canvas
   * cannot have.
   */
  getContext(name: string, attributes?: object | null): Context2d | CanvasContext | null {
    const kind = KIND_BY_NAME[name];
    if (kind === undefined) return null;
    this.#drawn ??= this.#createContext(kind, attributes ?? {});
    return this.#drawn?.kind === kind ? this.#drawn.context : null;
  }

  /** Makes this the canvas of an existing context and adopts the context's size. */
  attachContext(kind: 'webgl' | 'webgl2', context: CanvasContext): void {
    context.canvas = this;
    this.#widthPx = context.drawingBufferWidth;
    this.#heightPx = context.drawingBufferHeight;
    this.#drawn = { kind, context };
  }

  takePixels(): Pixels {
    if (this.#drawn?.kind === '2d') return this.#drawn.context.takePixels();
    if (this.#drawn !== null)
      return readDrawingBuffer(this.#drawn.context as unknown as WebGLRenderingContext);
    const [widthPx, heightPx] = [this.#widthPx, this.#heightPx];
    const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
    return { widthPx, heightPx, rgba, isPremultiplied: false };
  }

  /** Encodes the canvas as PNG for every requested type, as the standard permits. */
  toDataURL(): string {
    return `data:image/png;base64,${Buffer.from(this.#encode()).toString('base64')}`;
  }

  toBlob(callback: (blob: Blob) => void): void {
    const blob = new Blob([this.#encode()], { type: 'image/png' });
    setTimeout(() => callback(blob), 0);
  }

  #encode(): Uint8Array<ArrayBuffer> {
    const pixels = this.takePixels();
    requireReadable('canvas', pixels);
    return encodeCanvasPng(withStraightAlpha(pixels));
  }

  #createContext(kind: Drawn['kind'], attributes: object): Drawn | null {
    if (kind === '2d') return { kind, context: new Context2d(this) };
    const known = readContextAttributes(attributes);
    const context = this.ownerDocument.createContext(kind, this, known);
    if (context === null) return null;
    context.canvas = this;
    return { kind, context };
  }

  #resize(widthPx: number, heightPx: number): void {
    const isSame = widthPx === this.#widthPx && heightPx === this.#heightPx;
    // Setting the same size clears a 2D canvas but not a drawing buffer.
    if (isSame && this.#drawn?.kind !== '2d') return;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    if (this.#drawn?.kind === '2d') this.#drawn.context.reset(widthPx, heightPx);
    else this.#drawn?.context.resize?.(widthPx, heightPx);
  }
}

function readEdge(value: number, initial: number): number {
  const edge = Math.trunc(Number(value));
  return edge >= 0 ? edge : initial;
}
