/** `<canvas>` with one context for its lifetime, WebGL or 2D. Setting a new size clears it. */
import type { PixelSource, Pixels } from '../../pixels/pixels.ts';
import { CanvasPlaceholder } from '../canvas/canvas-placeholder.ts';
import {
  type CanvasContext,
  CanvasSurface,
  type DrawableCanvas,
} from '../canvas/canvas-surface.ts';
import type { OffscreenCanvas } from '../canvas/offscreen-canvas.ts';
import type { Context2d } from '../canvas-2d/context-2d.ts';
import { encodeCanvas } from '../images/encode-canvas.ts';
import { type BoxSize, boxSizeOf } from './box-size.ts';
import type { Document } from './document.ts';
import { Element } from './element.ts';

const [INITIAL_WIDTH_PX, INITIAL_HEIGHT_PX] = [300, 150];

/** `<canvas>` element. */
export class CanvasElement extends Element implements DrawableCanvas, PixelSource {
  readonly #surface: CanvasSurface;
  /** Frames of the offscreen canvas that draws in place of the element. */
  #placeholder: CanvasPlaceholder | null = null;

  constructor(document: Document) {
    super(document, 'canvas');
    const { createContext } = document;
    this.#surface = new CanvasSurface(this, INITIAL_WIDTH_PX, INITIAL_HEIGHT_PX, createContext);
  }

  get width(): number {
    return (this.#placeholder ?? this.#surface).widthPx;
  }

  set width(width: number) {
    this.#requireOwn('width').resize(readEdge(width, INITIAL_WIDTH_PX), this.height);
  }

  get height(): number {
    return (this.#placeholder ?? this.#surface).heightPx;
  }

  set height(height: number) {
    this.#requireOwn('height').resize(this.width, readEdge(height, INITIAL_HEIGHT_PX));
  }

  override get boxSize(): BoxSize {
    return boxSizeOf(this, { width: this.width, height: this.height });
  }

  override setAttribute(name: string, value: unknown): void {
    super.setAttribute(name, value);
    if (name === 'width') this.width = Number.parseInt(String(value), 10);
    if (name === 'height') this.height = Number.parseInt(String(value), 10);
  }

  /**
   * Returns the canvas's context, the same on every call. Returns `null` for a kind that the canvas
   * cannot have.
   *
   * @throws {DOMException} InvalidStateError if an offscreen canvas draws in place of the element.
   */
  getContext(name: string, attributes?: object | null): Context2d | CanvasContext | null {
    return this.#requireOwn('getContext').getContext(name, attributes);
  }

  /** Makes this the canvas of an existing context and adopts the context's size. */
  attachContext(kind: 'webgl' | 'webgl2', context: CanvasContext): void {
    this.#surface.attachContext(kind, context);
  }

  /**
   * Returns an offscreen canvas that draws in place of the element.
   *
   * @throws {DOMException} InvalidStateError if the canvas has a context, or has been transferred.
   */
  transferControlToOffscreen(): OffscreenCanvas {
    if (this.#requireOwn('transferControlToOffscreen').hasContext) {
      const message = 'transferControlToOffscreen: the canvas has a context';
      throw new DOMException(message, 'InvalidStateError');
    }
    const { width, height, ownerDocument } = this;
    const placeholder = new CanvasPlaceholder(width, height, () => this.isConnected);
    const offscreen = new ownerDocument.OffscreenCanvas(width, height);
    offscreen.drawFor(placeholder);
    ownerDocument.afterFrames.add(() => placeholder.adoptSize());
    this.#placeholder = placeholder;
    return offscreen;
  }

  get isShown(): boolean {
    return this.isConnected;
  }

  takePixels(): Pixels {
    return (this.#placeholder ?? this.#surface).takePixels();
  }

  endFrame(shown?: Pixels): void {
    if (shown === undefined) this.#surface.endFrame();
  }

  /**
   * Encodes the canvas as {@link encodeCanvas} does.
   *
   * @throws {DOMException} SecurityError if the page cannot read the pixels.
   */
  toDataURL(type?: unknown, quality?: unknown): string {
    if (this.width === 0 || this.height === 0) return 'data:,';
    const encoded = encodeCanvas(this.takePixels(), type, quality);
    return `data:${encoded.type};base64,${encoded.bytes.toBase64()}`;
  }

  /** Passes `null` for a canvas without pixels. */
  toBlob(callback: (blob: Blob | null) => void, type?: unknown, quality?: unknown): void {
    const isEmpty = this.width === 0 || this.height === 0;
    const encoded = isEmpty ? null : encodeCanvas(this.takePixels(), type, quality);
    const blob = encoded && new Blob([encoded.bytes], { type: encoded.type });
    setTimeout(() => callback(blob), 0);
  }

  #requireOwn(caller: string): CanvasSurface {
    if (this.#placeholder === null) return this.#surface;
    const message = `${caller}: an OffscreenCanvas draws in place of the canvas`;
    throw new DOMException(message, 'InvalidStateError');
  }
}

function readEdge(value: number, initial: number): number {
  const edge = Math.trunc(Number(value));
  return edge >= 0 ? edge : initial;
}
