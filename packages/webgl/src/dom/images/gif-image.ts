/**
 * First image of GIF files (GIF 89a), which elements show. Later images of an animation are not
 * decoded.
 */
import type { Pixels } from '../../pixels/pixels.ts';

const MAX_EDGE_PX = 16_384;
const MAX_CODE_BITS = 12;
const [EXTENSION, IMAGE, GRAPHIC_CONTROL] = [0x21, 0x2c, 0xf9];
/** First rows of the passes of an interlaced image, and the rows from one to the next. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

/** Whether a file starts as GIF files do. */
export function isGif(bytes: Uint8Array): boolean {
  return /^GIF8[79]a/.test(String.fromCharCode(...bytes.subarray(0, 6)));
}

/**
 * Decodes the first image. Pixels that it does not cover are transparent.
 *
 * @throws {Error} If the file is damaged or too large.
 */
export function decodeGif(bytes: Uint8Array): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read16 = (offset: number) => {
    if (offset + 2 > bytes.length) throw damaged();
    return view.getUint16(offset, true);
  };
  const [widthPx, heightPx] = [read16(6), read16(8)];
  if (Math.max(widthPx, heightPx) > MAX_EDGE_PX) throw new Error('the GIF file is too large');
  const rgba = new Uint8ClampedArray(4 * widthPx * heightPx);
  let at = 13;
  let palette = takePalette(bytes[10] ?? 0);
  let transparent = -1;
  while (bytes[at] === EXTENSION) {
    // The packed fields of the extension are followed by a delay and the transparent index.
    const isTransparent = bytes[at + 1] === GRAPHIC_CONTROL && (bytes[at + 3]! & 1) === 1;
    if (isTransparent) transparent = bytes[at + 6]!;
    at += 2;
    takeBlocks();
  }
  if (bytes[at] !== IMAGE) throw damaged();
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => read16(at + offset)) as [
    number,
    number,
    number,
    number,
  ];
  const flags = bytes[at + 9] ?? 0;
  at += 10;
  if ((flags & 0x80) !== 0) palette = takePalette(flags);
  const leastBits = bytes[at++] ?? 0;
  const indices = decompress(takeBlocks(), leastBits, width * height);
  const rows = (flags & 0x40) === 0 ? null : interlacedRows(height);
  for (let row = 0; row < height; row++) {
    const y = top + (rows?.[row] ?? row);
    for (let column = 0; column < width; column++) {
      const index = indices[row * width + column]!;
      const x = left + column;
      if (index === transparent || x >= widthPx || y >= heightPx) continue;
      const pixel = 4 * (y * widthPx + x);
      rgba.set(palette.subarray(3 * index, 3 * index + 3), pixel);
      rgba[pixel + 3] = 255;
    }
  }
  return { widthPx, heightPx, rgba, isPremultiplied: false };

  /** Reads a table of colors, three bytes each, if the flags say that there is one. */
  function takePalette(flagsOfTable: number): Uint8Array {
    if ((flagsOfTable & 0x80) === 0) return new Uint8Array();
    const length = 3 * (2 << (flagsOfTable & 7));
    at += length;
    return bytes.subarray(at - length, at);
  }

  /** Reads blocks with their lengths up to the empty one. */
  function takeBlocks(): Uint8Array {
    const blocks: Uint8Array[] = [];
    for (;;) {
      const length = bytes[at++];
      if (length === undefined || at + length > bytes.length) throw damaged();
      if (length === 0) return Buffer.concat(blocks);
      blocks.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
}

/** Decompresses LZW codes of growing length, least significant bit first. */
function decompress(data: Uint8Array, leastBits: number, count: number): Uint8Array {
  if (leastBits < 2 || leastBits > 8) throw damaged();
  const indices = new Uint8Array(count);
  const clear = 1 << leastBits;
  /** Last index of the string of each code, and the code of the string before it. */
  const last = new Uint8Array(1 << MAX_CODE_BITS);
  const before = new Int16Array(1 << MAX_CODE_BITS).fill(-1);
  for (let index = 0; index < clear; index++) last[index] = index;
  const string = new Uint8Array(1 << MAX_CODE_BITS);
  let [codeBits, next, previous, first, written] = [leastBits + 1, clear + 2, -1, 0, 0];
  let [bits, bitCount, at] = [0, 0, 0];
  while (written < count) {
    while (bitCount < codeBits) {
      if (at === data.length) throw damaged();
      bits |= data[at++]! << bitCount;
      bitCount += 8;
    }
    const code = bits & ((1 << codeBits) - 1);
    bits >>>= codeBits;
    bitCount -= codeBits;
    if (code === clear) {
      [codeBits, next, previous] = [leastBits + 1, clear + 2, -1];
      continue;
    }
    if (code === clear + 1 || code > next || (code === next && previous < 0)) throw damaged();
    let length = 0;
    // A code that is added by this string ends with its first index.
    if (code === next) string[length++] = first;
    for (let each = code === next ? previous : code; each >= 0; each = before[each]!) {
      string[length++] = last[each]!;
    }
    first = string[length - 1]!;
    while (length > 0 && written < count) indices[written++] = string[--length]!;
    if (previous >= 0 && next < 1 << MAX_CODE_BITS) {
      last[next] = first;
      before[next++] = previous;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits++;
    }
    previous = code;
  }
  return indices;
}

/** Returns the rows of an interlaced image in the order of the file. */
function interlacedRows(height: number): number[] {
  return PASSES.flatMap(([first, step]) =>
    Array.from(
      { length: Math.max(0, Math.ceil((height - first) / step)) },
      (_, k) => first + k * step,
    ),
  );
}

function damaged(): Error {
  return new Error('the GIF file is damaged');
}
