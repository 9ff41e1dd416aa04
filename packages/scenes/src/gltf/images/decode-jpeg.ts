/**
 * JPEG decoder (ITU-T T.81) to 8-bit RGBA: baseline, extended and progressive Huffman coding, grey or three
 * channels. It is ours since jpeg-js takes several times the CPU time and memory, which a service feels.
 */
import { RenderError } from '@tessera/frame';
import { type HuffmanTable, JpegBits, makeHuffmanTable } from './jpeg-bits.ts';
import { composeRgba, makePlane } from './jpeg-pixels.ts';
import { type JpegComponent, JpegScan, type ScanComponent, zigzagPosition } from './jpeg-scan.ts';

interface JpegFrame {
  readonly isProgressive: boolean;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly unitsAcross: number;
  readonly unitsDown: number;
  readonly components: readonly JpegComponent[];
}

/**
 * Texels from the top row, 4 bytes each.
 *
 * @param path Place of the image in the JSON, for messages.
 * @param size What the header says, checked against the limits; a frame of another size is refused.
 * @throws {RenderError} MODEL_INVALID if the bytes are no whole JPEG, MODEL_UNSUPPORTED for arithmetic
 *   coding, lossless coding, 12 bits and four channels.
 */
export function decodeJpeg(path: string, bytes: Uint8Array, size: JpegSize): Uint8Array {
  return new JpegDecoder(path, bytes, size).decode();
}

/** Size of a picture. */
export interface JpegSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Most scans: progressive encoders write about ten; every scan visits all blocks again. */
const MAX_SCANS = 64;

class JpegDecoder {
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #size: JpegSize;
  readonly #quantization: (Uint16Array | undefined)[] = [];
  readonly #dcTables: (HuffmanTable | undefined)[] = [];
  readonly #acTables: (HuffmanTable | undefined)[] = [];
  #restartInterval = 0;
  #adobeTransform: number | null = null;
  #frame: JpegFrame | null = null;

  constructor(path: string, bytes: Uint8Array, size: JpegSize) {
    this.#path = path;
    this.#bytes = bytes;
    this.#size = size;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  decode(): Uint8Array {
    let scans = 0;
    let at = 2;
    for (;;) {
      at = this.#findMarker(at);
      const marker = this.#bytes[at + 1];
      if (marker === undefined || marker === 0xd9) break;
      at += 2;
      if (at + 2 > this.#bytes.length) break;
      const length = this.#view.getUint16(at);
      const end = at + length;
      if (length < 2 || end > this.#bytes.length)
        this.#fail('a segment passes the end of the file');
      const segment = this.#bytes.subarray(at + 2, end);
      if (marker === 0xda) {
        if (++scans > MAX_SCANS) this.#fail(`there are more than ${MAX_SCANS} scans`);
        this.#readScan(segment, end);
      } else {
        this.#readSegment(marker, segment);
      }
      at = end;
    }
    if (scans === 0) this.#fail('there is no scan');
    return this.#makePicture();
  }

  /** The next 0xff that begins a marker; what lies before it is entropy-coded. */
  #findMarker(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (at < bytes.length) {
      const next = bytes[at + 1];
      const isData = next === 0 || next === 0xff || next === 1 || (next >= 0xd0 && next <= 0xd7);
      if (bytes[at] === 0xff && !isData) break;
      at++;
    }
    return at;
  }

  #readSegment(marker: number, segment: Uint8Array): void {
    if (marker === 0xdb) {
      this.#readQuantization(segment);
    } else if (marker === 0xc4) {
      this.#readHuffmanTables(segment);
    } else if (marker === 0xdd && segment.length >= 2) {
      this.#restartInterval = segment[0] * 256 + segment[1];
    } else if (marker === 0xee && String.fromCharCode(...segment.subarray(0, 5)) === 'Adobe') {
      this.#adobeTransform = segment[11] ?? null;
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8 && marker !== 0xcc) {
      this.#readFrame(marker, segment);
    } else if (marker === 0xcc) {
      this.#refuse('arithmetic coding');
    }
  }

  #readQuantization(segment: Uint8Array): void {
    let at = 0;
    while (at < segment.length) {
      const isWide = segment[at] >> 4 !== 0;
      const index = segment[at++] & 15;
      const size = isWide ? 128 : 64;
      if (at + size > segment.length) this.#fail('a quantisation table is cut off');
      const table = new Uint16Array(64);
      for (let k = 0; k < 64; k++) {
        table[zigzagPosition(k)] = isWide
          ? segment[at + 2 * k] * 256 + segment[at + 2 * k + 1]
          : segment[at + k];
      }
      this.#quantization[index] = table;
      at += size;
    }
  }

  #readHuffmanTables(segment: Uint8Array): void {
    let at = 0;
    while (at + 17 <= segment.length) {
      const isAlternating = segment[at] >> 4 !== 0;
      const index = segment[at] & 15;
      const counts = segment.subarray(at + 1, at + 17);
      const symbolCount = counts.reduce((sum, count) => sum + count, 0);
      const symbols = segment.subarray(at + 17, at + 17 + symbolCount);
      const table = symbols.length < symbolCount ? null : makeHuffmanTable(counts, symbols);
      const tables = isAlternating ? this.#acTables : this.#dcTables;
      tables[index] = table ?? this.#fail('a Huffman table is wrong');
      at += 17 + symbolCount;
    }
  }

  #readFrame(marker: number, segment: Uint8Array): void {
    if (marker > 0xc2) this.#refuse('its coding process');
    if (segment.length < 6 || segment[0] !== 8) this.#refuse('its sample precision');
    const heightPx = segment[1] * 256 + segment[2];
    const widthPx = segment[3] * 256 + segment[4];
    if (
      this.#frame !== null ||
      widthPx !== this.#size.widthPx ||
      heightPx !== this.#size.heightPx
    ) {
      this.#fail('there are two frame headers');
    }
    const count = segment[5];
    if (count !== 1 && count !== 3) this.#refuse(`a number of ${count} channels`);
    if (segment.length < 6 + 3 * count) this.#fail('the frame header is cut off');
    const factors = Array.from({ length: count }, (_, i) => segment[7 + 3 * i]);
    if (factors.some((factor) => !isFactor(factor >> 4) || !isFactor(factor & 15))) {
      this.#fail('a sampling factor is not from 1 to 4');
    }
    // A single channel is never interleaved: its factors say nothing.
    const maxH = count === 1 ? 1 : Math.max(...factors.map((factor) => factor >> 4));
    const maxV = count === 1 ? 1 : Math.max(...factors.map((factor) => factor & 15));
    const unitsAcross = Math.ceil(widthPx / (8 * maxH));
    const unitsDown = Math.ceil(heightPx / (8 * maxV));
    const components = factors.map((factor, i): JpegComponent => {
      const horizontal = count === 1 ? 1 : factor >> 4;
      const vertical = count === 1 ? 1 : factor & 15;
      const blockStride = unitsAcross * horizontal;
      return {
        id: segment[6 + 3 * i],
        horizontal,
        vertical,
        quantizationIndex: segment[8 + 3 * i],
        blocksAcross: Math.ceil(Math.ceil((widthPx * horizontal) / maxH) / 8),
        blocksDown: Math.ceil(Math.ceil((heightPx * vertical) / maxV) / 8),
        blockStride,
        coefficients: new Int16Array(blockStride * unitsDown * vertical * 64),
      };
    });
    const isProgressive = marker === 0xc2;
    this.#frame = { isProgressive, widthPx, heightPx, unitsAcross, unitsDown, components };
  }

  #readScan(segment: Uint8Array, at: number): void {
    const frame = this.#frame ?? this.#fail('a scan comes before the frame header');
    const count = segment[0];
    if (!(count >= 1 && count <= 3) || segment.length < 4 + 2 * count) {
      this.#fail('a scan header is wrong');
    }
    const components = Array.from({ length: count }, (_, i): ScanComponent => {
      const id = segment[1 + 2 * i];
      const tables = segment[2 + 2 * i];
      const component = frame.components.find((candidate) => candidate.id === id);
      return {
        component: component ?? this.#fail(`a scan names channel ${id}, which does not exist`),
        dcTable: this.#dcTables[tables >> 4] ?? null,
        acTable: this.#acTables[tables & 15] ?? null,
      };
    });
    const [spectralStart, spectralEnd, approximation] = segment.subarray(1 + 2 * count);
    const { isProgressive, unitsAcross, unitsDown } = frame;
    if (
      isProgressive &&
      (spectralEnd > 63 ||
        spectralStart > spectralEnd ||
        (spectralStart === 0) !== (spectralEnd === 0) ||
        (count > 1 && spectralStart > 0))
    ) {
      this.#fail('a progressive scan has a wrong band');
    }
    const scan = new JpegScan(new JpegBits(this.#bytes, at), {
      isProgressive,
      spectralStart: isProgressive ? spectralStart : 0,
      spectralEnd: isProgressive ? spectralEnd : 63,
      high: isProgressive ? approximation >> 4 : 0,
      low: isProgressive ? approximation & 15 : 0,
      restartInterval: this.#restartInterval,
      unitsAcross,
      unitsDown,
    });
    const problem = scan.decode(components);
    if (problem !== null) this.#fail(problem);
  }

  #makePicture(): Uint8Array {
    const frame = this.#frame ?? this.#fail('there is no frame header');
    const { widthPx, heightPx, components } = frame;
    const planes = components.map((component) => {
      const table = this.#quantization[component.quantizationIndex];
      return makePlane(component, table ?? this.#fail('a quantisation table is missing'));
    });
    const isNamedRgb = String.fromCharCode(...components.map(({ id }) => id)) === 'RGB';
    const isYcc = components.length === 3 && this.#adobeTransform !== 0 && !isNamedRgb;
    return composeRgba(widthPx, heightPx, components, planes, isYcc);
  }

  #fail(what: string): never {
    throw new RenderError('MODEL_INVALID', `${this.#path}: the JPEG is damaged: ${what}`);
  }

  #refuse(what: string): never {
    throw new RenderError('MODEL_UNSUPPORTED', `${this.#path}: JPEG: ${what} is not supported`);
  }
}

function isFactor(value: number): boolean {
  return value >= 1 && value <= 4;
}
