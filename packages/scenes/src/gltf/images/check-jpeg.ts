/**
 * Checks a JPEG (ITU-T T.81, annex B) before a library reads it: one frame of a supported kind,
 * segments as long as their contents, and a bounded number of scans. jpeg-js reads tables by their
 * content, not by the length of their segment, and decodes any number of scans. Every length is
 * compared with the content here, so jpeg-js meets the same markers as this walk.
 */
import { RenderError } from '@tessera/frame';

/**
 * Maximum number of scans. Progressive encoders write about ten, and every scan visits all blocks
 * again.
 */
const MAX_SCANS = 64;
/** Memory of jpeg-js per 8×8 block: 64 coefficients of 4 bytes, then 64 samples. */
const BLOCK_BYTES = 64 * 4 + 64;
const ADOBE = [...'Adobe'].map((letter) => letter.charCodeAt(0));

/** Properties of an image according to its markers. */
export interface CheckedJpeg {
  /**
   * Whether the channels are red, green and blue, rather than brightness and two color differences.
   */
  readonly isRgb: boolean;
  /** Memory for decoding in bytes, as jpeg-js counts it. */
  readonly decodeBytes: number;
}

/** Whether a file begins as a JPEG. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/**
 * Checks the bytes of a JPEG.
 *
 * @param path Path of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID if the segments are not in order, MODEL_UNSUPPORTED for
 *   arithmetic coding, lossless coding, 12 bits and four channels.
 */
export function checkJpeg(path: string, bytes: Uint8Array): CheckedJpeg {
  return new JpegWalk(path, bytes).check();
}

class JpegWalk {
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #adobeTransform: number | null = null;
  #componentIds: readonly number[] | null = null;
  #decodeBytes = 0;
  #scans = 0;

  constructor(path: string, bytes: Uint8Array) {
    this.#path = path;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  check(): CheckedJpeg {
    const bytes = this.#bytes;
    let at = 2;
    for (;;) {
      while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++; // fill bytes
      if (at + 1 >= bytes.length)
        this.#fail(this.#scans === 0 ? 'there is no scan' : 'the end marker is missing');
      if (bytes[at] !== 0xff) this.#fail('a segment is not followed by a marker');
      const marker = bytes[at + 1];
      if (marker === 0xd9) break;
      at += 2;
      const length = at + 2 <= bytes.length ? this.#view.getUint16(at) : 0;
      const end = at + length;
      if (length < 2 || end > bytes.length)
        this.#fail('a segment extends past the end of the file');
      const segment = bytes.subarray(at + 2, end);
      this.#checkSegment(marker, segment);
      at = marker === 0xda ? this.#skipScan(end) : end;
    }
    const ids = this.#componentIds;
    if (ids === null || this.#scans === 0) this.#fail('there is no scan');
    const isNamedRgb = String.fromCharCode(...ids) === 'RGB';
    return {
      isRgb: ids.length === 3 && (this.#adobeTransform === 0 || isNamedRgb),
      decodeBytes: this.#decodeBytes,
    };
  }

  #checkSegment(marker: number, segment: Uint8Array): void {
    if (marker === 0xda) {
      this.#checkScan(segment);
    } else if (marker === 0xdb) {
      this.#checkTables(segment, (at) => 1 + (segment[at] >> 4 === 0 ? 64 : 128));
    } else if (marker === 0xc4) {
      this.#checkTables(segment, (at) => {
        const counts = segment.subarray(at + 1, at + 17);
        return 17 + counts.reduce((sum, count) => sum + count, 0);
      });
    } else if (marker === 0xcc) {
      this.#refuse('arithmetic coding');
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) {
      this.#checkFrame(marker, segment);
    } else if (marker === 0xdd || marker === 0xdc) {
      if (segment.length !== 2) this.#fail('a segment with a single number has the wrong length');
    } else if (marker === 0xee && ADOBE.every((letter, i) => segment[i] === letter)) {
      this.#adobeTransform = segment[11] ?? null;
    } else if (!((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe)) {
      this.#fail(`marker ${marker.toString(16)} is not allowed here`);
    }
  }

  /**
   * Checks that the segment consists of whole tables.
   *
   * @param sizeOf Returns the size of the table at an offset.
   */
  #checkTables(segment: Uint8Array, sizeOf: (at: number) => number): void {
    let at = 0;
    while (at < segment.length) at += sizeOf(at);
    if (at !== segment.length) this.#fail('a table is cut off');
  }

  #checkFrame(marker: number, segment: Uint8Array): void {
    if (this.#componentIds !== null) this.#fail('there are two frame headers');
    if (marker > 0xc2) this.#refuse('this coding process');
    if (segment.length < 6 || segment[0] !== 8) this.#refuse('this sample precision');
    const count = segment[5];
    if (count !== 1 && count !== 3) this.#refuse(`an image with ${count} channels`);
    if (segment.length !== 6 + 3 * count) this.#fail('the frame header is cut off');
    const heightPx = segment[1] * 256 + segment[2];
    const widthPx = segment[3] * 256 + segment[4];
    const factors = Array.from({ length: count }, (_, i) => segment[7 + 3 * i]);
    const across = factors.map((factor) => factor >> 4);
    const down = factors.map((factor) => factor & 15);
    if ([...across, ...down].some((factor) => factor < 1 || factor > 4)) {
      this.#fail('a sampling factor is not from 1 to 4');
    }
    const units =
      Math.ceil(widthPx / 8 / Math.max(...across)) * Math.ceil(heightPx / 8 / Math.max(...down));
    const blocks = across.reduce((sum, factor, i) => sum + units * factor * down[i], 0);
    this.#decodeBytes = blocks * BLOCK_BYTES + widthPx * heightPx * (count + 4);
    this.#componentIds = Array.from({ length: count }, (_, i) => segment[6 + 3 * i]);
  }

  #checkScan(segment: Uint8Array): void {
    const ids = this.#componentIds ?? this.#fail('a scan comes before the frame header');
    const count = segment[0];
    if (!(count >= 1 && count <= ids.length) || segment.length !== 4 + 2 * count) {
      this.#fail('a scan header is invalid');
    }
    for (let i = 0; i < count; i++) {
      const id = segment[1 + 2 * i];
      if (!ids.includes(id)) this.#fail(`a scan names channel ${id}, which does not exist`);
    }
    if (segment[2 + 2 * count] > 63) this.#fail('a scan has an invalid band');
    if (++this.#scans > MAX_SCANS) this.#fail(`there are more than ${MAX_SCANS} scans`);
  }

  /** Returns the end of the entropy-coded bytes from `from`: a marker that is not a restart. */
  #skipScan(from: number): number {
    const bytes = this.#bytes;
    for (let at = from; at + 1 < bytes.length; at++) {
      const next = bytes[at + 1];
      if (bytes[at] === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    }
    return this.#fail('a scan ends early');
  }

  #fail(what: string): never {
    throw new RenderError('MODEL_INVALID', `${this.#path}: the JPEG is damaged: ${what}`);
  }

  #refuse(what: string): never {
    throw new RenderError('MODEL_UNSUPPORTED', `${this.#path}: JPEG: ${what} is not supported`);
  }
}
