/** `ImageDecoder` (WebCodecs, section 10.2) for still images: PNG and JPEG. */
import { type Pixels, withPremultipliedAlpha } from '../../pixels/pixels.ts';
import { decodePixels } from './decode-pixels.ts';
import { VideoFrame } from './video-frame.ts';

/** Types that can be decoded. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg'];

interface ImageDecoderInit {
  /** Media type of the data, such as `image/png`. */
  readonly type: string;
  readonly data: AllowSharedBufferSource | ReadableStream<Uint8Array>;
  readonly premultiplyAlpha?: 'none' | 'premultiply' | 'default';
}

/** The only track of a still image (WebCodecs, section 10.7). */
const TRACK = { animated: false, frameCount: 1, repetitionCount: 0, selected: true } as const;

/** Decoder of one file. */
export class ImageDecoder {
  readonly type: string;
  /** Resolves when all data has arrived. */
  readonly completed: Promise<void>;
  readonly tracks: {
    readonly ready: Promise<void>;
    readonly length: 1;
    readonly selectedIndex: 0;
    readonly selectedTrack: typeof TRACK;
    readonly 0: typeof TRACK;
  };
  readonly #bytes: Promise<Uint8Array>;
  readonly #isPremultiplied: boolean;
  #isComplete = false;
  #pixels: Promise<Pixels> | null = null;
  #isClosed = false;

  /** Whether files of a media type can be decoded. */
  static async isTypeSupported(type: string): Promise<boolean> {
    return TYPES.includes(String(type).toLowerCase());
  }

  /** @throws {TypeError} If the type or the data is missing. */
  constructor(init: ImageDecoderInit) {
    const { type, data, premultiplyAlpha } = Object(init) as Partial<ImageDecoderInit>;
    if (typeof type !== 'string' || type === '') {
      throw new TypeError('ImageDecoder: init.type is missing');
    }
    this.type = type.toLowerCase();
    this.#isPremultiplied = premultiplyAlpha === 'premultiply';
    this.#bytes = readAll(data).then((bytes) => {
      this.#isComplete = true;
      return bytes;
    });
    this.completed = this.#bytes.then(() => undefined);
    const track = { 0: TRACK, length: 1, selectedIndex: 0, selectedTrack: TRACK } as const;
    this.tracks = { ...track, ready: this.completed };
    // A page that waits for `decode` alone hears of failures there.
    this.completed.catch(() => undefined);
  }

  /** Whether all data has arrived. */
  get complete(): boolean {
    return this.#isComplete;
  }

  /**
   * Decodes the image.
   *
   * @throws {DOMException} EncodingError if the data is damaged; NotSupportedError for other types;
   *   InvalidStateError if the decoder is closed.
   * @throws {RangeError} If the index is not 0.
   */
  async decode({ frameIndex = 0 }: { readonly frameIndex?: number } = {}): Promise<{
    readonly image: VideoFrame;
    readonly complete: true;
  }> {
    this.#requireOpen();
    if (!TYPES.includes(this.type)) {
      const message = `ImageDecoder: ${this.type} is not supported`;
      throw new DOMException(message, 'NotSupportedError');
    }
    const bytes = await this.#bytes;
    this.#requireOpen();
    if (frameIndex !== 0) {
      throw new RangeError(`ImageDecoder: frame ${frameIndex} of a file with one frame`);
    }
    this.#pixels ??= this.#decode(bytes);
    const pixels = await this.#pixels;
    return {
      image: new VideoFrame({ takePixels: () => pixels }, { timestamp: 0 }),
      complete: true,
    };
  }

  /** Ends decoding; nothing is kept between calls. */
  reset(): void {
    this.#requireOpen();
  }

  close(): void {
    this.#isClosed = true;
    this.#pixels = null;
  }

  async #decode(bytes: Uint8Array): Promise<Pixels> {
    try {
      const { pixels } = await decodePixels('ImageDecoder', bytes);
      return this.#isPremultiplied ? withPremultipliedAlpha(pixels) : pixels;
    } catch (cause) {
      throw new DOMException(String(cause), 'EncodingError');
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new DOMException('ImageDecoder: it is closed', 'InvalidStateError');
  }
}

/** Copies the data; a stream is read to its end. */
function readAll(data: ImageDecoderInit['data'] | undefined): Promise<Uint8Array> {
  if (data instanceof ReadableStream) {
    return new Response(data).arrayBuffer().then((buffer) => new Uint8Array(buffer));
  }
  if (ArrayBuffer.isView(data)) {
    const view = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return Promise.resolve(view.slice());
  }
  if (data instanceof ArrayBuffer) return Promise.resolve(new Uint8Array(data.slice(0)));
  throw new TypeError('ImageDecoder: init.data is neither bytes nor a stream');
}
