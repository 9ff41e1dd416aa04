/**
 * GLSL of the fragments of bitmaps and pixel rectangles (OpenGL 2.1, section 3.6.4). Their primary
 * color comes from an image, and all other associated data is that of the raster position.
 */

/**
 * Kind of texels. Bits select the pixels that receive the raster position's color. Texels are the
 * colors themselves. Depths replace the depth of pixels in the raster position's color. Stencil
 * bits select pixels for a stencil operation. Depth bytes become colors: the 24 bits of a depth
 * from the highest byte, then the stencil value. Scaled texels are multiplied by the color, and
 * summed ones are then added to those of the second image; both are limited to −1 to 1.
 */
export type ImageKind =
  | 'bits'
  | 'texels'
  | 'depths'
  | 'stencil-bits'
  | 'depth-bytes'
  | 'scaled'
  | 'summed';

/** Declarations that {@link PRIMARY_COLORS} need. */
export const IMAGE_DECLARATIONS = `uniform sampler2D image;
uniform vec4 color;
uniform float stencilWeight;
uniform sampler2D secondImage;
uniform float isBlueFirst;
varying vec2 at;`;

/** Statements that declare the primary color of a fragment, by kind of texels. */
export const PRIMARY_COLORS: Readonly<Record<ImageKind, string>> = {
  bits: 'if (texture2D(image, at).r < 0.5) discard;\n  vec4 primary = color;',
  texels: 'vec4 primary = texture2D(image, at);',
  depths: 'gl_FragDepth = texture2D(image, at).r;\n  vec4 primary = color;',
  'stencil-bits': `float value = floor(texture2D(image, at).r * 255.0 + 0.5);
  if (mod(floor(value / stencilWeight), 2.0) < 0.5) discard;
  vec4 primary = color;`,
  // A sum with one half would round odd depths of 24 bits, so only the fraction is rounded.
  'depth-bytes': `float depth = texture2D(image, at).r * 16777215.0;
  depth = floor(depth) + floor(fract(depth) + 0.5);
  vec3 bytes = floor(mod(vec3(depth) / vec3(65536.0, 256.0, 1.0), 256.0));
  vec4 primary = vec4(bytes / 255.0, texture2D(secondImage, at).r);
  if (isBlueFirst > 0.5) primary = primary.bgra;`,
  scaled: 'vec4 primary = clamp(texture2D(image, at) * color, -1.0, 1.0);',
  summed:
    'vec4 primary = clamp(texture2D(secondImage, at) + texture2D(image, at) * color, -1.0, 1.0);',
};

/**
 * Returns the GLSL source of the vertex stage. Every fragment gets the same coordinates. The fog
 * distance is 0, as in Mesa, and not that of the raster position.
 *
 * @param units Texture units that the fragments sample.
 */
export function makeImageVertexSource(units: readonly number[], hasFog: boolean): string {
  const coordinates = units.map((unit) => `uniform vec4 rasterCoordinate${unit};\n`).join('');
  const writes = units
    .map((unit) => `  gl_TexCoord[${unit}] = rasterCoordinate${unit};\n`)
    .join('');
  return `#version 120
attribute vec3 corner;
attribute vec2 texel;
${coordinates}varying vec2 at;
void main() {
  at = texel;
${writes}${hasFog ? '  gl_FogFragCoord = 0.0;\n' : ''}  gl_Position = vec4(corner, 1.0);
}
`;
}
