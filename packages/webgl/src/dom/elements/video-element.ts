/**
 * `<video>` without a decoder. It can play no type, and setting a source fires `error`, as in a
 * browser that does not support the format.
 */

import type { PixelSource } from '../../pixels/pixels.ts';
import { fireEvent } from '../scope/fire-event.ts';
import type { Document } from './document.ts';
import { Element } from './element.ts';

const SOURCE_NOT_SUPPORTED = 4;
const [NETWORK_EMPTY, NETWORK_NO_SOURCE] = [0, 3];

/** `<video>` element. */
export class VideoElement extends Element implements PixelSource {
  readonly videoWidth = 0;
  readonly videoHeight = 0;
  readonly readyState = 0;
  readonly paused = true;
  readonly ended = false;
  readonly duration = Number.NaN;
  currentTime = 0;
  crossOrigin: string | null = null;
  loop = false;
  muted = false;
  autoplay = false;
  playsInline = false;
  error: { readonly code: number; readonly message: string } | null = null;

  constructor(document: Document) {
    super(document, 'video');
  }

  get networkState(): number {
    return this.error === null ? NETWORK_EMPTY : NETWORK_NO_SOURCE;
  }

  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(address: string) {
    this.setAttribute('src', address);
  }

  override setAttribute(name: string, value: unknown): void {
    super.setAttribute(name, value);
    if (name.toLowerCase() === 'src') this.load();
  }

  get width(): number {
    return Number.parseInt(this.getAttribute('width') ?? '', 10) || 0;
  }

  get height(): number {
    return Number.parseInt(this.getAttribute('height') ?? '', 10) || 0;
  }

  /** Returns `''`, because no type can be played. */
  canPlayType(_type: string): string {
    return '';
  }

  /** Fires `error` asynchronously. */
  load(): void {
    this.error = { code: SOURCE_NOT_SUPPORTED, message: `${this.src}: videos are not supported` };
    setTimeout(() => fireEvent(this, new Event('error')), 0);
  }

  async play(): Promise<void> {
    throw new DOMException(`${this.src}: videos are not supported`, 'NotSupportedError');
  }

  pause(): void {}

  takePixels(): null {
    return null;
  }
}
