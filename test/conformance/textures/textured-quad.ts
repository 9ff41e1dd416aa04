/** A rectangle with texture coordinates, and textures, for the tests of textures. */
import type { RectPx, SamplerState, TextureFormat, TextureResource } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { makeTexture, type Rgba, rectangle, type SceneDraw } from '../scene/draw-scene.ts';
import type { OracleLevel } from './sample-texture.ts';

const VERTEX = `#version 300 es
in vec4 position;
in vec2 coordinate;
out vec2 at;
void main() { gl_Position = position; at = coordinate; }`;

const fragment = (lookUp: string) => `#version 300 es
precision highp float;
uniform sampler2D image;
uniform float level;
in vec2 at;
out vec4 result;
void main() { result = ${lookUp}; }`;

/** Sampler state with nearest filters. */
export const NEAREST: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

/** Texture coordinates of a rectangle's left top and right bottom corners. */
export interface CoordinateRange {
  readonly s: readonly [left: number, right: number];
  readonly t: readonly [top: number, bottom: number];
}

/**
 * Draws `area` with texture 0 of the scene.
 *
 * @param lookUp GLSL expression that may use `image` and `at`.
 */
export function texturedQuad(
  area: RectPx,
  { s, t }: CoordinateRange,
  sampler: SamplerState,
  lookUp = 'texture(image, at)',
  level = 0,
): SceneDraw {
  const { x, y, width, height } = area;
  const [left, right, top, bottom] = [s[0], s[1], t[0], t[1]];
  return {
    positions: rectangle(x, y, x + width, y + height),
    vertexSource: VERTEX,
    fragmentSource: fragment(lookUp),
    attributes: {
      coordinate: {
        floats: [left, top, left, bottom, right, bottom, left, top, right, bottom, right, top],
        componentCount: 2,
      },
    },
    uniforms: { level: [level] },
    textures: { image: { textureIndex: 0, sampler } },
  };
}

/** Returns the texture coordinate at a position along an edge of `sizePx` pixels. */
export function coordinateAt(range: readonly [number, number], at: number, sizePx: number): number {
  return range[0] + ((range[1] - range[0]) * (at + 0.5)) / sizePx;
}

/** Returns a level of random bytes. */
export function randomLevel(
  seed: number,
  widthPx: number,
  heightPx: number,
  channels = 4,
): Uint8Array {
  const random = seededRandom(seed);
  return Uint8Array.from({ length: widthPx * heightPx * channels }, () => random.integer(0, 255));
}

/**
 * Returns the values of a level's texels: missing channels are 0, 0 and 1, and sRGB is converted to
 * linear.
 */
export function decodeLevel(
  format: TextureFormat,
  widthPx: number,
  heightPx: number,
  bytes: Uint8Array,
): OracleLevel {
  const channels = format === 'r8unorm' ? 1 : format === 'rg8unorm' ? 2 : 4;
  const texels = Array.from({ length: widthPx * heightPx }, (_, texel): Rgba => {
    const read = (c: number, missing: number): number => {
      if (c >= channels) return missing;
      const value = bytes[texel * channels + c]! / 255;
      if (format !== 'rgba8unorm-srgb' || c === 3) return value;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return [read(0, 0), read(1, 0), read(2, 0), read(3, 1)];
  });
  return { widthPx, heightPx, texels };
}

/** Returns a texture whose level k has a single gray. `sizePx` is a power of two. */
export function grayLevels(sizePx: number, grayOf: (level: number) => number): TextureResource {
  const levels: Uint8Array[] = [];
  for (let size = sizePx; size >= 1; size >>= 1) {
    const gray = grayOf(levels.length);
    const texels = Array.from({ length: size * size }, () => [gray, gray, gray, 255]).flat();
    levels.push(Uint8Array.from(texels));
  }
  return makeTexture({
    format: 'rgba8unorm',
    widthPx: sizePx,
    heightPx: sizePx,
    levels,
    isMipmapGenerated: false,
  });
}
