/**
 * `VideoFrame` (WebCodecs, section 9.4): one decoded image with its time, as texture calls read.
 */
import {
  cropPixels,
  isPixelSource,
  type PixelSource,
  type Pixels,
  requireReadable,
  withStraightAlpha,
} from '../../pixels/pixels.ts';

/** Times of a frame in microseconds, and whether its alpha is kept. */
export interface VideoFrameInit {
  readonly timestamp?: number;
  readonly duration?: number;
  readonly alpha?: 'keep' | 'discard';
}

/** Size and format of a frame that is made from bytes, 4 per pixel and tightly packed. */
interface BufferInit extends VideoFrameInit {
  readonly format: string;
  readonly codedWidth: number;
  readonly codedHeight: number;
}

/** Part of a frame in pixels, from the top left corner. */
interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Positions of red, green, blue and alpha in a pixel; −1 stands for opaque. */
const FORMATS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  RGBA: [0, 1, 2, 3],
  RGBX: [0, 1, 2, -1],
  BGRA: [2, 1, 0, 3],
  BGRX: [2, 1, 0, -1],
};

/** Frame with 8 bits per channel. */
export class VideoFrame implements PixelSource {
  readonly timestamp: number;
  readonly duration: number | null;
  readonly colorSpace = {
    primaries: 'bt709',
    transfer: 'iec61966-2-1',
    matrix: 'rgb',
    fullRange: true,
  } as const;
  /** Size in which the page shows the frame. */
  readonly displaySizePx: readonly [widthPx: number, heightPx: number];
  #pixels: Pixels | null;

  /**
   * @param source Image, canvas, bitmap, video or other frame; or bytes in a format of RGB.
   * @throws {TypeError} If the source is no image, or bytes are too few.
   * @throws {DOMException} InvalidStateError if the source has no pixels; NotSupportedError for
   *   bytes in other formats; SecurityError if the page cannot read the pixels.
   */
  constructor(
    source: PixelSource | AllowSharedBufferSource,
    init: VideoFrameInit | Partial<BufferInit> = {},
  ) {
    const known = source instanceof VideoFrame ? source : null;
    const timestamp = init.timestamp ?? known?.timestamp;
    if (timestamp === undefined) throw new TypeError('VideoFrame: init.timestamp is missing');
    this.timestamp = Math.trunc(timestamp);
    this.duration = init.duration ?? known?.duration ?? null;
    const pixels = isPixelSource(source) ? takeImage(source) : readBytes(source, init);
    this.#pixels = init.alpha === 'discard' ? withoutAlpha(pixels) : pixels;
    const own = [pixels.widthPx, pixels.heightPx] as const;
    this.displaySizePx = (isPixelSource(source) && source.displaySizePx) || own;
  }

  /** `null` after {@link close}. */
  get format(): 'RGBA' | null {
    return this.#pixels === null ? null : 'RGBA';
  }

  get codedWidth(): number {
    return this.#pixels?.widthPx ?? 0;
  }

  get codedHeight(): number {
    return this.#pixels?.heightPx ?? 0;
  }

  get displayWidth(): number {
    return this.#pixels === null ? 0 : this.displaySizePx[0];
  }

  get displayHeight(): number {
    return this.#pixels === null ? 0 : this.displaySizePx[1];
  }

  get codedRect(): Rectangle | null {
    if (this.#pixels === null) return null;
    return { x: 0, y: 0, width: this.codedWidth, height: this.codedHeight };
  }

  get visibleRect(): Rectangle | null {
    return this.codedRect;
  }

  takePixels(): Pixels | null {
    return this.#pixels;
  }

  /** @throws {DOMException} InvalidStateError if the frame is closed. */
  clone(): VideoFrame {
    return new VideoFrame(this);
  }

  close(): void {
    this.#pixels = null;
  }

  /**
   * Returns the number of bytes that {@link copyTo} writes.
   *
   * @throws {DOMException} InvalidStateError if the frame is closed; NotSupportedError for a layout
   *   or another format.
   */
  allocationSize(options: CopyOptions = {}): number {
    const { width, height } = this.#copiedPart(options);
    return width * height * 4;
  }

  /**
   * Copies the pixels, row by row and with straight alpha.
   *
   * @returns Offset and bytes per row of the only plane.
   * @throws {TypeError} If the destination is too small.
   * @throws {RangeError} If the rectangle is not inside the frame.
   */
  async copyTo(
    destination: AllowSharedBufferSource,
    options: CopyOptions = {},
  ): Promise<readonly { readonly offset: number; readonly stride: number }[]> {
    const { x, y, width, height } = this.#copiedPart(options);
    const { rgba } = withStraightAlpha(cropPixels(this.#pixels!, x, y, width, height));
    const bytes = bytesOf(destination);
    if (bytes.length < rgba.length) {
      throw new TypeError(`copyTo: ${rgba.length} bytes do not fit into ${bytes.length}`);
    }
    bytes.set(rgba);
    return [{ offset: 0, stride: width * 4 }];
  }

  #copiedPart({ rect, layout, format = 'RGBA' }: CopyOptions): Rectangle {
    const whole = this.codedRect;
    if (whole === null) throw new DOMException('the VideoFrame is closed', 'InvalidStateError');
    if (layout !== undefined || format !== 'RGBA') {
      const message = 'copyTo: only tightly packed RGBA is supported';
      throw new DOMException(message, 'NotSupportedError');
    }
    const { x = 0, y = 0, width = whole.width, height = whole.height } = rect ?? {};
    const isInside = x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= whole.width;
    if (isInside && y + height <= whole.height) return { x, y, width, height };
    throw new RangeError(
      `copyTo: ${width}×${height} at (${x}, ${y}) is not inside ${whole.width}×${whole.height}`,
    );
  }
}

/** Options of `copyTo` (WebCodecs, section 9.4.6). */
interface CopyOptions {
  readonly rect?: Partial<Rectangle>;
  readonly layout?: unknown;
  readonly format?: string;
}

/** Copies the pixels of an image, which may be drawn into later. */
function takeImage(source: PixelSource): Pixels {
  const pixels = source.takePixels();
  if (pixels === null) {
    throw new DOMException('VideoFrame: the source has no pixels', 'InvalidStateError');
  }
  requireReadable('VideoFrame', pixels);
  return { ...pixels, rgba: pixels.rgba.slice() };
}

function readBytes(source: AllowSharedBufferSource, init: Partial<BufferInit>): Pixels {
  if (!ArrayBuffer.isView(source) && !(source instanceof ArrayBuffer)) {
    throw new TypeError('VideoFrame: the source is neither an image nor bytes');
  }
  const { format = '', codedWidth: widthPx = 0, codedHeight: heightPx = 0 } = init;
  const order = FORMATS[format];
  if (order === undefined) {
    throw new DOMException(`VideoFrame: format ${format} is not supported`, 'NotSupportedError');
  }
  if (!(Number.isInteger(widthPx) && widthPx > 0 && Number.isInteger(heightPx) && heightPx > 0)) {
    throw new TypeError(`VideoFrame: ${widthPx}×${heightPx} is not a size in pixels`);
  }
  const bytes = bytesOf(source);
  const length = widthPx * heightPx * 4;
  if (bytes.length < length) {
    throw new TypeError(`VideoFrame: ${widthPx}×${heightPx} needs ${length} bytes`);
  }
  const rgba = new Uint8ClampedArray(length);
  for (let at = 0; at < length; at++) {
    const position = order[at % 4]!;
    rgba[at] = position < 0 ? 255 : bytes[at - (at % 4) + position]!;
  }
  return { widthPx, heightPx, rgba, isPremultiplied: false };
}

function withoutAlpha(pixels: Pixels): Pixels {
  const rgba = withStraightAlpha(pixels).rgba.map((value, at) => (at % 4 === 3 ? 255 : value));
  return { ...pixels, rgba, isPremultiplied: false };
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}
