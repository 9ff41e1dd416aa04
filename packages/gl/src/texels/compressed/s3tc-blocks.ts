/**
 * Decodes 4×4 blocks of S3TC (EXT_texture_compression_s3tc) and RGTC (ARB_texture_compression_rgtc)
 * to 8-bit RGBA. Interpolated colors are rounded down, as in Mesa's renderers.
 */
import type { BlockDecoder } from './block/block-decoder.ts';

/**
 * Returns a DXT1 decoder.
 *
 * @param hasAlpha Whether the fourth color of a three-color block is transparent.
 */
export function decodeDxt1(hasAlpha: boolean): BlockDecoder {
  return (block, texels) => decodeColors(block, 0, texels, true, hasAlpha);
}

/** Decodes a DXT3 block: 4-bit explicit alpha, then colors. */
export const decodeDxt3: BlockDecoder = (block, texels) => {
  decodeColors(block, 8, texels, false, false);
  for (let i = 0; i < 16; i++) {
    const nibble = (block.getUint8(i >> 1) >> ((i & 1) * 4)) & 15;
    texels[i * 4 + 3] = nibble * 17;
  }
};

/** Decodes a DXT5 block: interpolated alpha, then colors. */
export const decodeDxt5: BlockDecoder = (block, texels) => {
  decodeColors(block, 8, texels, false, false);
  decodeChannel(block, 0, texels, 3, false);
};

/**
 * Returns an RGTC1 decoder, which writes its channel as red.
 *
 * @param isSigned Whether values are two's complement bytes from −127 to 127.
 */
export function decodeRgtc1(isSigned: boolean): BlockDecoder {
  return (block, texels) => decodeChannel(block, 0, texels, 0, isSigned);
}

/**
 * Returns an RGTC2 decoder, which writes its two channels as red and green.
 *
 * @param isSigned Whether values are two's complement bytes from −127 to 127.
 */
export function decodeRgtc2(isSigned: boolean): BlockDecoder {
  return (block, texels) => {
    decodeChannel(block, 0, texels, 0, isSigned);
    decodeChannel(block, 8, texels, 1, isSigned);
  };
}

function expand565(color: number): readonly [number, number, number] {
  const [red, green, blue] = [color >> 11, (color >> 5) & 63, color & 31];
  return [(red << 3) | (red >> 2), (green << 2) | (green >> 4), (blue << 3) | (blue >> 2)];
}

function decodeColors(
  block: DataView,
  at: number,
  texels: Uint8Array,
  mayHaveThree: boolean,
  hasAlpha: boolean,
): void {
  const first = block.getUint16(at, true);
  const second = block.getUint16(at + 2, true);
  const bits = block.getUint32(at + 4, true);
  const [a, b] = [expand565(first), expand565(second)];
  const hasThree = mayHaveThree && first <= second;
  for (let i = 0; i < 16; i++) {
    const code = (bits >>> (i * 2)) & 3;
    for (let c = 0; c < 3; c++) {
      texels[i * 4 + c] = mixColors(a[c]!, b[c]!, code, hasThree);
    }
    texels[i * 4 + 3] = hasThree && hasAlpha && code === 3 ? 0 : 255;
  }
}

function mixColors(a: number, b: number, code: number, hasThree: boolean): number {
  if (code < 2) return code === 0 ? a : b;
  if (!hasThree) return Math.floor(code === 2 ? (2 * a + b) / 3 : (a + 2 * b) / 3);
  return code === 2 ? (a + b) >> 1 : 0;
}

function decodeChannel(
  block: DataView,
  at: number,
  texels: Uint8Array,
  channel: number,
  isSigned: boolean,
): void {
  const read = (byte: number): number => (isSigned ? block.getInt8(byte) : block.getUint8(byte));
  const [a, b] = [read(at), read(at + 1)];
  const values = [a, b];
  const steps = a > b ? 7 : 5;
  for (let step = 1; step < steps; step++) {
    values.push(Math.trunc(((steps - step) * a + step * b) / steps));
  }
  if (a <= b) values.push(isSigned ? -127 : 0, isSigned ? 127 : 255);
  for (let i = 0; i < 16; i++) {
    // Each index has three bits of the 48 that follow, the lowest first.
    const bit = i * 3;
    const byte = at + 2 + (bit >> 3);
    const next = bit >> 3 < 5 ? block.getUint8(byte + 1) : 0;
    const code = ((block.getUint8(byte) | (next << 8)) >> (bit & 7)) & 7;
    texels[i * 4 + channel] = values[code]!;
  }
}
