/** Decodes one scan of a JPEG into coefficients: sequential (ITU-T T.81, F.2) or progressive (G.2). */
import type { HuffmanTable, JpegBits } from './jpeg-bits.ts';

/** One colour channel of the picture. */
export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, 1 to 4. */
  readonly horizontal: number;
  readonly vertical: number;
  readonly quantizationIndex: number;
  /** Blocks that the channel needs, and blocks per row with the padding to whole units. */
  readonly blocksAcross: number;
  readonly blocksDown: number;
  readonly blockStride: number;
  /** 64 a block, row by row within it. */
  readonly coefficients: Int16Array;
}

export interface ScanComponent {
  readonly component: JpegComponent;
  readonly dcTable: HuffmanTable | null;
  readonly acTable: HuffmanTable | null;
}

export interface ScanParameters {
  readonly isProgressive: boolean;
  /** First and last coefficient, in zigzag order. */
  readonly spectralStart: number;
  readonly spectralEnd: number;
  /** Bit positions of the previous and this approximation; `high` 0 is a first scan. */
  readonly high: number;
  readonly low: number;
  /** Units between restart markers, 0 for none. */
  readonly restartInterval: number;
  readonly unitsAcross: number;
  readonly unitsDown: number;
}

// biome-ignore format: eight to a row, as in the standard
const ZIGZAG = Uint8Array.of(
  0, 1, 8, 16, 9, 2, 3, 10,
  17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34,
  27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36,
  29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
);

/** Position in a block of the k-th number of a zigzag sequence. */
export function zigzagPosition(k: number): number {
  return ZIGZAG[k];
}

/** A scan's state between blocks. */
export class JpegScan {
  readonly #bits: JpegBits;
  readonly #parameters: ScanParameters;
  #endOfBandRun = 0;

  constructor(bits: JpegBits, parameters: ScanParameters) {
    this.#bits = bits;
    this.#parameters = parameters;
  }

  /** @returns What is wrong with the scan, `null` if nothing is. */
  decode(components: readonly ScanComponent[]): string | null {
    const { restartInterval, unitsAcross, unitsDown } = this.#parameters;
    const predictors = new Int32Array(components.length);
    const [only] = components;
    const isInterleaved = components.length > 1;
    const across = isInterleaved ? unitsAcross : only.component.blocksAcross;
    const down = isInterleaved ? unitsDown : only.component.blocksDown;
    let untilRestart = restartInterval;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        if (restartInterval > 0 && untilRestart-- === 0) {
          if (!this.#bits.skipRestartMarker()) return 'a restart marker is missing';
          predictors.fill(0);
          this.#endOfBandRun = 0;
          untilRestart = restartInterval - 1;
        }
        for (let c = 0; c < components.length; c++) {
          const { component } = components[c];
          const h = isInterleaved ? component.horizontal : 1;
          const v = isInterleaved ? component.vertical : 1;
          for (let block = 0; block < h * v; block++) {
            const column = x * h + (block % h);
            const row = y * v + Math.floor(block / h);
            const offset = (row * component.blockStride + column) * 64;
            if (!this.#decodeBlock(components[c], offset, predictors, c)) {
              return 'a code is in no table';
            }
          }
        }
      }
      if (this.#bits.isPastEnd()) return 'a scan ends early';
    }
    return null;
  }

  #decodeBlock(
    { component: { coefficients }, dcTable, acTable }: ScanComponent,
    offset: number,
    predictors: Int32Array,
    c: number,
  ): boolean {
    const { isProgressive, spectralStart, high, low } = this.#parameters;
    const bits = this.#bits;
    if (isProgressive && high > 0) {
      if (spectralStart > 0) return acTable !== null && this.#refine(coefficients, offset, acTable);
      if (bits.read(1) === 1) coefficients[offset] |= 1 << low;
      return true;
    }
    if (spectralStart === 0) {
      const length = dcTable === null ? -1 : bits.decode(dcTable);
      if (length < 0 || length > 15) return false;
      predictors[c] += bits.readSigned(length);
      coefficients[offset] = predictors[c] << low;
      if (isProgressive) return true;
    }
    return acTable !== null && this.#decodeAlternating(coefficients, offset, acTable);
  }

  /** First scan of coefficients 1 to 63, or of a band of them. */
  #decodeAlternating(coefficients: Int16Array, offset: number, table: HuffmanTable): boolean {
    const { spectralStart, spectralEnd, low } = this.#parameters;
    const bits = this.#bits;
    if (this.#endOfBandRun > 0) {
      this.#endOfBandRun--;
      return true;
    }
    for (let k = Math.max(1, spectralStart); k <= spectralEnd; k++) {
      const symbol = bits.decode(table);
      if (symbol < 0) return false;
      const length = symbol & 15;
      const run = symbol >> 4;
      if (length > 0) {
        k += run;
        if (k > spectralEnd) return false;
        coefficients[offset + ZIGZAG[k]] = bits.readSigned(length) << low;
      } else if (run === 15) {
        k += 15;
      } else {
        this.#endOfBandRun = (1 << run) + bits.read(run) - 1;
        break;
      }
    }
    return true;
  }

  /** A later scan adds one bit to coefficients that are not zero, and places new ones between them. */
  #refine(coefficients: Int16Array, offset: number, table: HuffmanTable): boolean {
    const { spectralStart, spectralEnd, low } = this.#parameters;
    const bits = this.#bits;
    const step = 1 << low;
    let k = spectralStart;
    while (k <= spectralEnd && this.#endOfBandRun === 0) {
      const symbol = bits.decode(table);
      if (symbol < 0) return false;
      let run = symbol >> 4;
      let placed = 0;
      if ((symbol & 15) !== 0) {
        placed = bits.read(1) === 1 ? step : -step;
      } else if (run < 15) {
        this.#endOfBandRun = (1 << run) + bits.read(run);
        break;
      }
      for (; k <= spectralEnd; k++) {
        const at = offset + ZIGZAG[k];
        if (coefficients[at] !== 0) {
          this.#refineOne(coefficients, at, step);
        } else if (run-- === 0) {
          coefficients[at] = placed;
          k++;
          break;
        }
      }
    }
    if (this.#endOfBandRun > 0) {
      for (; k <= spectralEnd; k++) {
        const at = offset + ZIGZAG[k];
        if (coefficients[at] !== 0) this.#refineOne(coefficients, at, step);
      }
      this.#endOfBandRun--;
    }
    return true;
  }

  #refineOne(coefficients: Int16Array, at: number, step: number): void {
    const value = coefficients[at];
    if (this.#bits.read(1) === 1 && (value & step) === 0) {
      coefficients[at] = value >= 0 ? value + step : value - step;
    }
  }
}
