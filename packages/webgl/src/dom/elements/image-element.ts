/**
 * `<img>` and `new Image()`: PNG, JPEG, GIF and simple SVG images from data addresses, files and
 * any address that the document can fetch.
 */
import type { PixelSource, Pixels } from '../../pixels/pixels.ts';
import { decodePixels } from '../images/decode-pixels.ts';
import { drawSvg, isSvg } from '../images/svg-image.ts';
import { fireEvent } from '../scope/fire-event.ts';
import type { Document } from './document.ts';
import { Element } from './element.ts';

/** `<img>` element. */
export class ImageElement extends Element implements PixelSource {
  crossOrigin: string | null = null;
  onload: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  #address = '';
  #pixels: Pixels | null = null;
  /** SVG source, which is drawn at the size of the element; `null` for other images. */
  #shapes: Uint8Array | null = null;
  #rgba16: Uint16Array | null = null;
  #loading: Promise<void> = Promise.resolve();
  #error: unknown = null;
  #isComplete = true;
  #loadCount = 0;

  constructor(document: Document) {
    super(document, 'img');
  }

  get src(): string {
    return this.#address;
  }

  /** Starts loading. `load` or `error` fires later, never during the assignment. */
  set src(address: string) {
    this.#address = String(address);
    this.#isComplete = false;
    this.#pixels = null;
    this.#rgba16 = null;
    this.#error = null;
    const loading = this.#load(++this.#loadCount);
    this.#loading = this.ownerDocument.pending.track(`image ${address}`, loading);
  }

  override setAttribute(name: string, value: unknown): void {
    super.setAttribute(name, value);
    if (name.toLowerCase() === 'src') this.src = String(value);
  }

  get complete(): boolean {
    return this.#isComplete;
  }

  get naturalWidth(): number {
    return this.#pixels?.widthPx ?? 0;
  }

  get naturalHeight(): number {
    return this.#pixels?.heightPx ?? 0;
  }

  get width(): number {
    return this.#edge('width', this.naturalWidth);
  }

  set width(width: number) {
    this.setAttribute('width', width);
  }

  get height(): number {
    return this.#edge('height', this.naturalHeight);
  }

  set height(height: number) {
    this.setAttribute('height', height);
  }

  takePixels(): Pixels | null {
    const pixels = this.#pixels;
    if (pixels === null || this.#shapes === null) return pixels;
    const { width: widthPx, height: heightPx } = this;
    const isSame = widthPx === pixels.widthPx && heightPx === pixels.heightPx;
    if (isSame || widthPx <= 0 || heightPx <= 0) return pixels;
    return { ...pixels, ...drawSvg(this.#shapes, { widthPx, heightPx }) };
  }

  takeDeepRgba(): Uint16Array | null {
    return this.#rgba16;
  }

  /** Resolves when the image can be drawn; rejects if it cannot. */
  async decode(): Promise<void> {
    await this.#loading;
    if (this.#error !== null) {
      throw new DOMException(`${this.#address}: ${String(this.#error)}`, 'EncodingError');
    }
  }

  #edge(name: string, natural: number): number {
    const attribute = Number.parseInt(this.getAttribute(name) ?? '', 10);
    return Number.isNaN(attribute) ? natural : attribute;
  }

  async #load(count: number): Promise<void> {
    const address = this.#address;
    let pixels: Pixels | null = null;
    let shapes: Uint8Array | null = null;
    let rgba16: Uint16Array | null = null;
    let error: unknown = null;
    try {
      const { fetchBytes, isOwnAddress } = this.ownerDocument;
      const bytes = await fetchBytes(address);
      if (isSvg(bytes)) shapes = bytes;
      if (shapes === null) ({ pixels, rgba16 } = await decodePixels(address.slice(0, 80), bytes));
      else pixels = drawSvg(shapes);
      // If a server sends an image requested with `crossOrigin`, pages may read its pixels.
      const isOwn = /^(data|blob):/.test(address) || isOwnAddress(address);
      if (this.crossOrigin === null && !isOwn) {
        pixels = { ...pixels, isForeign: true };
      }
    } catch (caught) {
      error = caught;
    }
    if (count !== this.#loadCount) return; // Another address has been set in the meantime.
    this.#pixels = pixels;
    this.#shapes = shapes;
    this.#rgba16 = rgba16;
    this.#error = error;
    this.#isComplete = true;
    fireEvent(this, new Event(error === null ? 'load' : 'error'));
  }
}
