/**
 * Texture sampling lane by lane on decoded texels: the definition that the WebAssembly kernels are held
 * to bit by bit, and what the reference executor of shaders reads. Every step rounds to single precision.
 */
import type { FilterMode, SamplerState, WrapMode } from '@tessera/frame';
import { SCALAR_OPERATORS } from '@tessera/shader/isa';
import { levelOfDetail } from './level-of-detail.ts';
import type { TexelLevel } from './mipmap.ts';
import { JUST_BELOW_ONE, magnificationLimit, usesLevelOfDetail } from './sampling-state.ts';
import { CHANNEL_MAX, type TexelClass, type TexelLevels } from './texel-levels.ts';
import { MAX_LEVELS } from './texture-descriptor.ts';

const { fround } = Math;
/** To the nearest integer, ties to even. */
const roundToEven = SCALAR_OPERATORS.fnearest;

/** Red, green, blue, alpha. */
export type RgbaValue = [number, number, number, number];

/** A texture and how it is read. */
export interface SampledTexture {
  readonly texture: TexelLevels;
  readonly sampler: SamplerState;
}

/** What a slot without texture reads. */
export const UNBOUND_TEXEL: Readonly<RgbaValue> = [0, 0, 0, 1];

/** λ of a quad from the coordinates of its four lanes, shared by all of them. */
export function quadLevelOfDetailOf(
  texture: TexelLevels,
  s: ArrayLike<number>,
  t: ArrayLike<number>,
): number {
  const { widthPx, heightPx } = texture.levels[0]!;
  const stepTo = (lane: number) => ({ s: fround(s[lane]! - s[0]!), t: fround(t[lane]! - t[0]!) });
  return levelOfDetail(widthPx, heightPx, stepTo(1), stepTo(2));
}

/** One lane at one level of detail. */
export function sampleReference(
  { texture, sampler }: SampledTexture,
  s: number,
  t: number,
  lod: number,
): RgbaValue {
  const { magFilter, minFilter, mipmapFilter } = sampler;
  const { levels } = texture;
  const lastLevel = levels.length - 1;
  const read = (level: number, filter: FilterMode): RgbaValue =>
    readLevel(levels[Math.min(level, lastLevel)]!, texture.texelClass, sampler, filter, s, t);
  const isMinified = usesLevelOfDetail(sampler) && lod > magnificationLimit(sampler);
  if (!isMinified || mipmapFilter === 'none') {
    return scaled(texture, read(0, isMinified ? minFilter : magFilter));
  }
  const clamped = Math.min(lod, MAX_LEVELS);
  if (mipmapFilter === 'nearest') {
    return scaled(texture, read(Math.ceil(fround(clamped + 0.5)) - 1, minFilter));
  }
  const whole = Math.floor(clamped);
  const first = read(whole, minFilter);
  const fraction = fround(clamped - whole);
  if (fraction === 0 || whole >= lastLevel) return scaled(texture, first);
  const second = read(whole + 1, minFilter);
  return scaled(
    texture,
    mapChannels((c) => lerp(first[c], second[c], fraction)),
  );
}

/** One texel of a level, (0, 0, 0, 0) outside. */
export function fetchReference(
  texture: TexelLevels,
  x: number,
  y: number,
  level: number,
): RgbaValue {
  const found = texture.levels[level];
  if (found === undefined || x < 0 || y < 0 || x >= found.widthPx || y >= found.heightPx) {
    return [0, 0, 0, 0];
  }
  return scaled(texture, texelAt(found, x, y));
}

function mapChannels(make: (channel: 0 | 1 | 2 | 3) => number): RgbaValue {
  return [make(0), make(1), make(2), make(3)];
}

function scaled({ texelClass }: TexelLevels, channels: RgbaValue): RgbaValue {
  const scale = fround(1 / CHANNEL_MAX[texelClass]);
  return mapChannels((c) => fround(channels[c] * scale));
}

function lerp(a: number, b: number, fraction: number): number {
  return fround(a + fround(fround(b - a) * fraction));
}

/** Between neighbours of a row: 8-bit texels by a weight in units of 2^-14, so that the sum is exact. */
function lerpRow(texelClass: TexelClass, left: number, right: number, fraction: number): number {
  if (texelClass !== 'unorm8') return lerp(left, right, fraction);
  const weight = roundToEven(fraction * 16384) / 16384;
  return left * (1 - weight) + right * weight;
}

function texelAt({ widthPx, texels }: TexelLevel, x: number, y: number): RgbaValue {
  const at = (y * widthPx + x) * 4;
  return mapChannels((c) => texels[at + c]!);
}

function readLevel(
  level: TexelLevel,
  texelClass: TexelClass,
  { wrapS, wrapT }: SamplerState,
  filter: FilterMode,
  s: number,
  t: number,
): RgbaValue {
  const x = locate(wrapS, filter, wrapCoordinate(wrapS, s), level.widthPx);
  const y = locate(wrapT, filter, wrapCoordinate(wrapT, t), level.heightPx);
  const upperLeft = texelAt(level, x.lower, y.lower);
  if (filter === 'nearest') return upperLeft;
  const upperRight = texelAt(level, x.upper, y.lower);
  const lowerLeft = texelAt(level, x.lower, y.upper);
  const lowerRight = texelAt(level, x.upper, y.upper);
  return mapChannels((c) => {
    const above = lerpRow(texelClass, upperLeft[c], upperRight[c], x.fraction);
    const below = lerpRow(texelClass, lowerLeft[c], lowerRight[c], x.fraction);
    return lerp(above, below, y.fraction);
  });
}

/** `value`, or 0 where it is NaN or negative. */
function atLeastZero(value: number): number {
  if (value > 0) return value;
  return 0;
}

function wrapCoordinate(mode: WrapMode, s: number): number {
  switch (mode) {
    case 'repeat':
      return atLeastZero(fround(s - Math.floor(s)));
    case 'clamp-to-edge':
      return Math.min(1, atLeastZero(s));
    case 'mirrored-repeat': {
      const turns = Math.floor(fround(s * 0.5));
      const phase = fround(s - fround(2 * turns));
      const falling = fround(fround(2 - phase) * JUST_BELOW_ONE);
      return atLeastZero(Math.min(falling, phase));
    }
  }
}

function locate(wrap: WrapMode, filter: FilterMode, wrapped: number, sizePx: number) {
  const scaledCoordinate = fround(wrapped * sizePx);
  if (filter === 'nearest') {
    const lower = Math.min(Math.floor(scaledCoordinate), sizePx - 1);
    return { lower, upper: lower, fraction: 0 };
  }
  const position = fround(scaledCoordinate - 0.5);
  const base = Math.floor(position);
  const fraction = fround(position - base);
  if (wrap === 'repeat') {
    return { lower: (base + sizePx) % sizePx, upper: (base + 1) % sizePx, fraction };
  }
  return { lower: Math.max(base, 0), upper: Math.min(base + 1, sizePx - 1), fraction };
}
