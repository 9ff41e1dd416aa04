/** Border colors of texture and sampler parameters in the types of the functions that set them. */
import type { CapturedCall } from '../format/capture-reader.ts';

/** GL_TEXTURE_BORDER_COLOR. */
export const TEXTURE_BORDER_COLOR = 0x1004;

type BorderColor = readonly [number, number, number, number];

/**
 * Returns a border color as the sampler reads it. Integers of `…iv` functions are fractions of the
 * largest value (OpenGL 3.3, table 2.10). Those of `…Iiv` and `…Iuiv` stay integers.
 */
export function borderColorOf(call: CapturedCall, color: BorderColor): BorderColor {
  const isFraction = /(?<!Iu?)iv(?:ARB|EXT|OES)?$/.test(call.name);
  if (!isFraction) return color;
  const [red, green, blue, alpha] = color.map((value) => (2 * value + 1) / 4294967295);
  return [red!, green!, blue!, alpha!];
}
