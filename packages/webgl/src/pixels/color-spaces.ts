/**
 * Colors of images in the space that a context unpacks to (WebGL 1.0, section 5.14.8,
 * `unpackColorSpace`). Images are in sRGB.
 */
import type { SourcePixels } from './pixel-sources.ts';

/** Values of WebIDL's `PredefinedColorSpace` (HTML, section 4.12.5). */
export const COLOR_SPACES = ['srgb', 'display-p3'] as const;
/** Name of a color space of {@link COLOR_SPACES}. */
export type ColorSpace = (typeof COLOR_SPACES)[number];

/** Linear sRGB to linear Display P3, both with white D65 (CSS Color 4, sections 10.1 and 10.3). */
const SRGB_TO_P3 = [
  [0.822461969, 0.177538031, 0],
  [0.033194199, 0.966805801, 0],
  [0.017082631, 0.072397441, 0.910519928],
] as const;

/** Transfer function of both spaces, to linear light (CSS Color 4, section 10.1). */
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

/**
 * Converts colors with straight or premultiplied alpha.
 *
 * @param max Value of a channel that stands for 1.
 */
function convertTexels<T extends Uint8Array | Uint8ClampedArray | Uint16Array>(
  texels: T,
  max: number,
  isPremultiplied: boolean,
): T {
  const converted = texels.slice() as T;
  for (let at = 0; at < texels.length; at += 4) {
    const alpha = isPremultiplied ? texels[at + 3]! : max;
    if (alpha === 0) continue;
    const linear = [0, 1, 2].map((c) => toLinear(Math.min(1, texels[at + c]! / alpha)));
    for (const [c, [r, g, b]] of SRGB_TO_P3.entries()) {
      const value = r * linear[0]! + g * linear[1]! + b * linear[2]!;
      converted[at + c] = Math.round(alpha * fromLinear(value));
    }
  }
  return converted;
}

/** Returns an image in Display P3. */
export function convertToDisplayP3(image: SourcePixels): SourcePixels {
  const { rgba, rgba16, isPremultiplied } = image;
  return {
    ...image,
    rgba: convertTexels(rgba, 255, isPremultiplied),
    ...(rgba16 === undefined ? {} : { rgba16: convertTexels(rgba16, 65_535, false) }),
  };
}
