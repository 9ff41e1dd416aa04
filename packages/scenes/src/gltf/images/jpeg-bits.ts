/** Bits and Huffman codes of a JPEG's entropy-coded segments (ITU-T T.81, annex F.2.2). */

/** Codes up to this length are decoded by one look into a table. */
const LOOK_AHEAD_BITS = 9;
const MAX_CODE_BITS = 16;

/** A Huffman table, ready to decode. */
export interface HuffmanTable {
  /** By the next 9 bits: code length × 256 + symbol, 0 when the code is longer. */
  readonly lookAhead: Uint16Array;
  /** By code length: the largest code, −1 when there is none; the index of the first symbol minus its code. */
  readonly largestCode: Int32Array;
  readonly symbolOffset: Int32Array;
  readonly symbols: Uint8Array;
}

/**
 * @param counts How many codes have 1, 2, … 16 bits.
 * @returns `null` if there are more codes than their lengths allow.
 */
export function makeHuffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable | null {
  const lookAhead = new Uint16Array(1 << LOOK_AHEAD_BITS);
  const largestCode = new Int32Array(MAX_CODE_BITS + 1).fill(-1);
  const symbolOffset = new Int32Array(MAX_CODE_BITS + 1);
  let code = 0;
  let symbol = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    const count = counts[length - 1];
    symbolOffset[length] = symbol - code;
    if (code + count > 1 << length) return null;
    for (let i = 0; i < count; i++, code++, symbol++) {
      if (length > LOOK_AHEAD_BITS) continue;
      const first = code << (LOOK_AHEAD_BITS - length);
      const entry = length * 256 + symbols[symbol];
      lookAhead.fill(entry, first, first + (1 << (LOOK_AHEAD_BITS - length)));
    }
    if (count > 0) largestCode[length] = code - 1;
    code <<= 1;
  }
  return { lookAhead, largestCode, symbolOffset, symbols };
}

/** Reads bits from the highest down; behind a marker or the end of the file come zeros. */
export class JpegBits {
  readonly #bytes: Uint8Array;
  #at: number;
  #bits = 0;
  #bitCount = 0;
  #paddingBytes = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Whether more was read than the segment holds. */
  isPastEnd(): boolean {
    return this.#paddingBytes * 8 > this.#bitCount;
  }

  /** Goes behind the next marker, which must be RSTn. @returns Whether it was. */
  skipRestartMarker(): boolean {
    this.#bits = 0;
    this.#bitCount = 0;
    this.#paddingBytes = 0;
    const bytes = this.#bytes;
    while (bytes[this.#at] === 0xff && bytes[this.#at + 1] === 0xff) this.#at++;
    const marker = bytes[this.#at + 1];
    if (bytes[this.#at] !== 0xff || marker < 0xd0 || marker > 0xd7) return false;
    this.#at += 2;
    return true;
  }

  /** The next `count` bits as a number; `count` is 0 to 16. */
  read(count: number): number {
    if (this.#bitCount < count) this.#fill();
    this.#bitCount -= count;
    return (this.#bits >>> this.#bitCount) & ((1 << count) - 1);
  }

  /** A coefficient of `count` bits: those that begin with 0 are negative (F.2.2.1, EXTEND). */
  readSigned(count: number): number {
    if (count === 0) return 0;
    const value = this.read(count);
    return value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
  }

  /** The next symbol, −1 if no code matches. */
  decode(table: HuffmanTable): number {
    if (this.#bitCount < MAX_CODE_BITS) this.#fill();
    const ahead = (this.#bits >>> (this.#bitCount - MAX_CODE_BITS)) & 0xffff;
    const entry = table.lookAhead[ahead >> (MAX_CODE_BITS - LOOK_AHEAD_BITS)];
    if (entry !== 0) {
      this.#bitCount -= entry >> 8;
      return entry & 255;
    }
    for (let length = LOOK_AHEAD_BITS + 1; length <= MAX_CODE_BITS; length++) {
      const code = ahead >> (MAX_CODE_BITS - length);
      if (code > table.largestCode[length]) continue;
      this.#bitCount -= length;
      return table.symbols[code + table.symbolOffset[length]];
    }
    return -1;
  }

  /** Takes bytes until 24 bits and more are there. */
  #fill(): void {
    const bytes = this.#bytes;
    while (this.#bitCount <= 24) {
      let byte = bytes[this.#at];
      if (byte === undefined || (byte === 0xff && bytes[this.#at + 1] !== 0)) {
        byte = 0;
        this.#paddingBytes++;
      } else {
        this.#at += byte === 0xff ? 2 : 1; // 0xff is stuffed with a zero byte
      }
      this.#bits = (this.#bits << 8) | byte;
      this.#bitCount += 8;
    }
  }
}
