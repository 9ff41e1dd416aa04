/**
 * Internal formats with fewer than 8 bits per channel (OpenGL 2.1, table 3.16). Frames have 8 bits,
 * so uploads are rounded to the values that the format has. The widths are those that Mesa stores.
 */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';

/** Bits of red, green, blue and alpha. */
export type ChannelBits = readonly [red: number, green: number, blue: number, alpha: number];

const BITS: ReadonlyMap<number, ChannelBits> = new Map<number, ChannelBits>([
  [GL.R3_G3_B2, [3, 3, 2, 8]],
  [GL.RGB4, [4, 4, 4, 8]],
  [GL.RGB5, [5, 5, 5, 8]],
  [GL.RGB565, [5, 6, 5, 8]],
  [GL.RGBA2, [4, 4, 4, 4]],
  [GL.RGBA4, [4, 4, 4, 4]],
  [GL.RGB5_A1, [5, 5, 5, 1]],
  [GL.LUMINANCE4_ALPHA4, [4, 4, 4, 4]],
]);

/** Returns the bits of a format's channels, or `undefined` if all have 8. */
export function narrowBitsOf(internalFormat: number): ChannelBits | undefined {
  return BITS.get(internalFormat);
}

/** Rounds texels of four bytes in place to the values that channels of these widths have. */
export function quantizeChannels(texels: Uint8Array, bits: ChannelBits): void {
  const tables = bits.map((width) => {
    const largest = 2 ** width - 1;
    return Uint8Array.from({ length: 256 }, (_, value) =>
      Math.round((Math.round((value * largest) / 255) * 255) / largest),
    );
  });
  for (let at = 0; at < texels.length; at++) texels[at] = tables[at & 3]![texels[at]!]!;
}

/**
 * Refuses a copy of a framebuffer into a format with fewer bits, because a pass does not round.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED.
 */
export function refuseNarrowCopy(caller: string, internalFormat: number): never {
  const message = `${caller}: copies are not rounded to the bits of ${nameOfEnum(internalFormat)}`;
  throw new RenderError('FRAME_UNSUPPORTED', message);
}
