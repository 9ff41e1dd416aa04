/**
 * Texture sampling lane by lane on decoded texels. It defines the results that the WebAssembly
 * kernels must match bit by bit, and the reference executor of shaders reads through it. Every step
 * rounds to single precision.
 */
import {
  type CompareFunction,
  type FilterMode,
  MAX_TEXTURE_LEVELS,
  type SamplerState,
  unmirrored,
  type WrapMode,
} from '@tessera/frame';
import { SCALAR_OPERATORS } from '@tessera/shader/isa';
import { maxProbesOf, probePosition, probesOf } from '../filter/anisotropy.ts';
import { levelOfDetail } from '../filter/level-of-detail.ts';
import { spatialCountOf } from '../filter/lookup-operands.ts';
import {
  borderTexel,
  JUST_BELOW_ONE,
  MAGNIFICATION_LIMIT,
  type SamplingState,
  usesLevelOfDetail,
} from '../filter/sampling-state.ts';
import type { TexelLevel } from '../layout/mipmap.ts';
import { CHANNEL_MAX, type TexelLevels } from '../layout/texel-levels.ts';

const { fround } = Math;
/** Rounds to the nearest integer, ties to even. */
const roundToEven = SCALAR_OPERATORS.fnearest;

/** Red, green, blue and alpha. */
export type RgbaValue = [number, number, number, number];

/** Texture with its sampler state. */
export interface SampledTexture {
  readonly texture: TexelLevels;
  readonly state: SamplingState;
}

/** Position that one lane reads. */
export interface LaneLookup {
  /** Coordinates s and t, then those that only some dimensions have. */
  readonly coordinates: readonly number[];
  readonly reference: number | null;
  /** Offsets in texels: none, or one per spatial coordinate. */
  readonly offsets: readonly number[];
}

/** Texel of a slot without texture. */
export const UNBOUND_TEXEL: Readonly<RgbaValue> = [0, 0, 0, 1];

/** Returns λ of a quad from the coordinates of its four lanes, which share it. */
export function quadLevelOfDetailOf(
  texture: TexelLevels,
  coordinates: readonly ArrayLike<number>[],
): number {
  const spatial = coordinates.slice(0, spatialCountOf(texture.dimension));
  const stepTo = (lane: number) => spatial.map((axis) => fround(axis[lane]! - axis[0]!));
  const first = coordinates.map((axis) => axis[0]!);
  const origin = texture.dimension === 'cube' ? quadDirection(first, coordinates) : first;
  return gradientLevelOfDetail(texture, origin, stepTo(1), stepTo(2));
}

/** Returns the direction of a quad's first lane, or the average if that is on another face. */
function quadDirection(
  first: readonly number[],
  coordinates: readonly ArrayLike<number>[],
): readonly number[] {
  const average = coordinates.map((axis) => {
    const upper = fround(axis[0]! + axis[1]!);
    const lower = fround(axis[2]! + axis[3]!);
    return fround(fround(upper + lower) * 0.25);
  });
  return lookAtFace(first).face === lookAtFace(average).face ? first : average;
}

/**
 * Samples one lane of a lookup with an implicit level.
 *
 * @param quad Coordinates of the four lanes.
 */
export function implicitReference(
  sampled: SampledTexture,
  lookup: LaneLookup,
  quad: readonly ArrayLike<number>[],
): RgbaValue {
  const { texture, state } = sampled;
  const maxProbes = maxProbesOf(state);
  if (maxProbes === 1) return sampleReference(sampled, lookup, quadLevelOfDetailOf(texture, quad));
  const { widthPx, heightPx } = texture.levels[0]!;
  const spatial = quad.slice(0, 2);
  const stepTo = (lane: number) => spatial.map((axis) => fround(axis[lane]! - axis[0]!));
  const { count, lod, steps } = probesOf(maxProbes, [widthPx, heightPx], stepTo(1), stepTo(2));
  if (count === 1) return sampleReference(sampled, lookup, lod);
  let sum: RgbaValue = [0, 0, 0, 0];
  for (let index = 1; index <= count; index++) {
    const position = probePosition(index, count);
    const coordinates = lookup.coordinates.map((coordinate, axis) =>
      axis < 2 ? fround(coordinate + fround(steps[axis]! * position)) : coordinate,
    );
    const probe = sampleReference(sampled, { ...lookup, coordinates }, lod);
    const before = sum;
    sum = mapChannels((c) => fround(before[c] + probe[c]));
  }
  const share = fround(1 / count);
  const total = sum;
  return mapChannels((c) => fround(total[c] * share));
}

/** Returns λ of coordinate steps from `origin`. */
export function gradientLevelOfDetail(
  { dimension, levels }: TexelLevels,
  origin: readonly number[],
  alongX: readonly number[],
  alongY: readonly number[],
): number {
  const { widthPx, heightPx, sliceCount } = levels[0]!;
  const sizes = [widthPx, heightPx, sliceCount];
  if (dimension !== 'cube') return levelOfDetail(sizes, alongX, alongY);
  const face = lookAtFace(origin);
  return levelOfDetail(sizes, stepOnFace(face, alongX), stepOnFace(face, alongY));
}

/** Samples one lane at one level of detail. */
export function sampleReference(
  { texture, state }: SampledTexture,
  lookup: LaneLookup,
  lambda: number,
): RgbaValue {
  const { sampler } = state;
  const { magFilter, minFilter, mipmapFilter } = sampler;
  const { levels } = texture;
  const lastLevel = levels.length - 1;
  const read = (level: number, filter: FilterMode): RgbaValue =>
    readLevel(levels[Math.min(level, lastLevel)]!, texture, state, filter, lookup);
  const isCompared = lookup.reference !== null && sampler.compare !== undefined;
  const finish = (channels: RgbaValue): RgbaValue =>
    swizzled(sampler, isCompared ? luminanceOf(channels) : scaled(texture, channels));
  const lod = adjustLevelOfDetail(sampler, lambda);
  const isMinified = usesLevelOfDetail(sampler) && lod > MAGNIFICATION_LIMIT;
  if (!isMinified || mipmapFilter === 'none')
    return finish(read(0, isMinified ? minFilter : magFilter));
  const clamped = Math.min(lod, MAX_TEXTURE_LEVELS);
  if (mipmapFilter === 'nearest') {
    return finish(read(Math.ceil(fround(clamped + 0.5)) - 1, minFilter));
  }
  const whole = Math.floor(clamped);
  const first = read(whole, minFilter);
  const fraction = fround(clamped - whole);
  if (fraction === 0 || whole >= lastLevel) return finish(first);
  const second = read(whole + 1, minFilter);
  return finish(mapChannels((c) => lerp(first[c], second[c], fraction)));
}

/** Clamps like `pmin` and `pmax` of WebAssembly: a NaN becomes a limit. */
function adjustLevelOfDetail({ lodBias = 0, minLod, maxLod }: SamplerState, lod: number): number {
  let adjusted = fround(lod + fround(lodBias));
  if (minLod !== undefined && !(adjusted > fround(minLod))) adjusted = fround(minLod);
  if (maxLod !== undefined && !(adjusted < fround(maxLod))) adjusted = fround(maxLod);
  return adjusted;
}

/**
 * Returns one texel of a level; (0, 0, 0, 0) outside.
 *
 * @param at Coordinates x and y, then those that only some dimensions have.
 */
export function fetchReference(
  { texture, state }: SampledTexture,
  at: readonly number[],
  level: number,
): RgbaValue {
  const found = texture.levels[level];
  if (found === undefined) return [0, 0, 0, 0];
  const [x, y, z = 0] = at as [number, number, number?];
  const sizes = [found.widthPx, found.heightPx, found.sliceCount];
  if ([x, y, z].some((position, axis) => position < 0 || position >= sizes[axis]!)) {
    return [0, 0, 0, 0];
  }
  return swizzled(state.sampler, scaled(texture, texelAt(texture, found, x, y, z)));
}

function mapChannels(make: (channel: 0 | 1 | 2 | 3) => number): RgbaValue {
  return [make(0), make(1), make(2), make(3)];
}

function scaled({ texelClass }: TexelLevels, channels: RgbaValue): RgbaValue {
  if (texelClass === 'int32') return channels;
  const scale = fround(1 / CHANNEL_MAX[texelClass]);
  return mapChannels((c) => fround(channels[c] * scale));
}

function lerp(a: number, b: number, fraction: number): number {
  return fround(a + fround(fround(b - a) * fraction));
}

/**
 * Interpolates neighbors of a row. 8-bit texels use a weight in units of 2^-14, so the sum is
 * exact.
 */
function lerpRow(isPacked: boolean, left: number, right: number, fraction: number): number {
  if (!isPacked) return lerp(left, right, fraction);
  const weight = roundToEven(fraction * 16384) / 16384;
  return left * (1 - weight) + right * weight;
}

function texelAt(
  { texelClass }: TexelLevels,
  { widthPx, heightPx, texels }: TexelLevel,
  x: number,
  y: number,
  slice: number,
): RgbaValue {
  const index = (slice * heightPx + y) * widthPx + x;
  if (texelClass === 'single32') return [texels[index]!, 0, 0, 1];
  return mapChannels((c) => texels[index * 4 + c]!);
}

/** Returns the result of a comparison in the channels of a luminance. */
function luminanceOf([red, , , alpha]: RgbaValue): RgbaValue {
  return [red, red, red, alpha];
}

function swizzled({ swizzle }: SamplerState, channels: RgbaValue): RgbaValue {
  if (swizzle === undefined) return channels;
  const [red, green, blue, alpha] = channels;
  const sources = { red, green, blue, alpha, zero: 0, one: 1 };
  return mapChannels((c) => sources[swizzle[c]]);
}

/** Index of a texel along an axis; `null` for the border. */
type TexelNumber = number | null;

function readLevel(
  level: TexelLevel,
  texture: TexelLevels,
  state: SamplingState,
  filter: FilterMode,
  { coordinates, reference, offsets }: LaneLookup,
): RgbaValue {
  const { sampler } = state;
  const { wrapS, wrapT, wrapR = 'repeat', compare } = sampler;
  const { widthPx, heightPx, sliceCount } = level;
  const moved = (axis: number, size: number): number =>
    offsets.length === 0
      ? coordinates[axis]!
      : fround(coordinates[axis]! + fround(offsets[axis]! / size));
  const texel = (x: TexelNumber, y: TexelNumber, slice: TexelNumber): RgbaValue => {
    const isInside = x !== null && y !== null && slice !== null;
    const value = isInside ? texelAt(texture, level, x, y, slice) : borderOf(texture, sampler);
    if (reference === null || compare === undefined) return value;
    const limited = state.isReferenceClamped ? Math.min(1, atLeastZero(reference)) : reference;
    return [COMPARISONS[compare](limited, value[0]) ? 1 : 0, 0, 0, 1];
  };
  const isPacked = texture.texelClass === 'unorm8';
  const filterPlane = (
    x: ReturnType<typeof locate>,
    y: ReturnType<typeof locate>,
    at: (x: TexelNumber, y: TexelNumber) => RgbaValue,
  ): RgbaValue => {
    if (filter === 'nearest') return at(x.lower, y.lower);
    const [a, b] = [at(x.lower, y.lower), at(x.upper, y.lower)];
    const [c, d] = [at(x.lower, y.upper), at(x.upper, y.upper)];
    return mapChannels((k) => {
      const above = lerpRow(isPacked, a[k], b[k], x.fraction);
      const below = lerpRow(isPacked, c[k], d[k], x.fraction);
      return lerp(above, below, y.fraction);
    });
  };

  if (texture.dimension === 'cube') {
    const { face, s, t } = lookAtFace(coordinates);
    if (sampler.isCubeEdgeHard) {
      const x = locate(wrapS, filter, wrapCoordinate(wrapS, s), widthPx);
      const y = locate(wrapT, filter, wrapCoordinate(wrapT, t), heightPx);
      return filterPlane(x, y, (i, j) => texel(i, j, face));
    }
    const [x, y] = [s, t].map((coordinate) => {
      const wrapped = wrapCoordinate('clamp-to-edge', coordinate);
      if (filter === 'nearest') return locate('clamp-to-edge', filter, wrapped, widthPx);
      const position = fround(fround(wrapped * widthPx) - 0.5);
      const lower = Math.floor(position);
      return { lower, upper: lower + 1, fraction: fround(position - lower) };
    });
    return filterPlane(x!, y!, (i, j) => texel(...foldOverEdge(face, i!, j!, widthPx)));
  }
  const x = locate(wrapS, filter, wrapCoordinate(wrapS, moved(0, widthPx)), widthPx);
  const y = locate(wrapT, filter, wrapCoordinate(wrapT, moved(1, heightPx)), heightPx);
  if (texture.dimension === '3d') {
    const z = locate(wrapR, filter, wrapCoordinate(wrapR, moved(2, sliceCount)), sliceCount);
    const front = filterPlane(x, y, (i, j) => texel(i, j, z.lower));
    if (filter === 'nearest') return front;
    const back = filterPlane(x, y, (i, j) => texel(i, j, z.upper));
    return mapChannels((c) => lerp(front[c], back[c], z.fraction));
  }
  const layer = texture.dimension === '2d-array' ? nearestLayer(coordinates[2]!, sliceCount) : 0;
  return filterPlane(x, y, (i, j) => texel(i, j, layer));
}

function nearestLayer(layer: number, layerCount: number): number {
  const nearest = Math.floor(fround(layer + 0.5));
  return Math.min(atLeastZero(nearest), layerCount - 1);
}

function borderOf({ texelClass }: TexelLevels, sampler: SamplerState): RgbaValue {
  const border = borderTexel(texelClass, sampler);
  if (texelClass === 'single32') return [border[0]!, 0, 0, 1];
  return mapChannels((c) => border[c]!);
}

const COMPARISONS: Readonly<Record<CompareFunction, (a: number, b: number) => boolean>> = {
  never: () => false,
  less: (a, b) => a < b,
  equal: (a, b) => a === b,
  'less-equal': (a, b) => a <= b,
  greater: (a, b) => a > b,
  'not-equal': (a, b) => a !== b,
  'greater-equal': (a, b) => a >= b,
  always: () => true,
};

/** Face of a cube, with a direction along its axes (GL ES 3.0, table 3.21). */
interface LookedAtFace {
  readonly face: number;
  readonly axes: readonly [right: Axis, down: Axis, outwards: Axis];
  readonly right: number;
  readonly down: number;
  readonly outwards: number;
  readonly s: number;
  readonly t: number;
}

/** Axis of a direction, 0 to 2, with a sign. */
type Axis = readonly [axis: number, sign: 1 | -1];

/** Axes of each face: right, down and outwards. */
const FACE_AXES: readonly (readonly [Axis, Axis, Axis])[] = [
  [
    [2, -1],
    [1, -1],
    [0, 1],
  ],
  [
    [2, 1],
    [1, -1],
    [0, -1],
  ],
  [
    [0, 1],
    [2, 1],
    [1, 1],
  ],
  [
    [0, 1],
    [2, -1],
    [1, -1],
  ],
  [
    [0, 1],
    [1, -1],
    [2, 1],
  ],
  [
    [0, -1],
    [1, -1],
    [2, -1],
  ],
];

function lookAtFace(direction: readonly number[]): LookedAtFace {
  const [x, y, z] = direction.map(Math.abs) as [number, number, number];
  const major = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const value = direction[major]!;
  const face = 2 * major + (value < 0 || Object.is(value, -0) ? 1 : 0);
  const axes = FACE_AXES[face]!;
  const [right, down, outwards] = axes.map(([axis, sign]) => sign * direction[axis]!);
  const coordinate = (along: number): number =>
    fround(fround(fround(along / outwards!) * 0.5) + 0.5);
  return {
    ...{ face, axes, right: right!, down: down!, outwards: outwards! },
    s: coordinate(right!),
    t: coordinate(down!),
  };
}

/** Returns the coordinate step on the face for a step of the direction. */
function stepOnFace(look: LookedAtFace, step: readonly number[]): readonly [number, number] {
  const [stepRight, stepDown, stepOutwards] = look.axes.map(([axis, sign]) => sign * step[axis]!);
  const slope = (along: number, stepAlong: number): number => {
    const moved = fround(stepAlong - fround(fround(along / look.outwards) * stepOutwards!));
    return fround(fround(moved / look.outwards) * 0.5);
  };
  return [slope(look.right, stepRight!), slope(look.down, stepDown!)];
}

/**
 * Returns the texel (i, j) of a face, where one index is beyond the edge by one, by the direction
 * of its center in half texels. At a corner, j is clamped.
 */
function foldOverEdge(
  face: number,
  i: number,
  j: number,
  size: number,
): [x: number, y: number, face: number] {
  const isInside = (k: number) => k >= 0 && k < size;
  if (isInside(i) && isInside(j)) return [i, j, face];
  const row = isInside(i) ? j : Math.min(Math.max(j, 0), size - 1);
  const direction = [0, 0, 0];
  const [right, down, outwards] = FACE_AXES[face]!;
  const centre = (k: number) => 2 * k + 1 - size;
  const put = ([axis, sign]: Axis, value: number) => {
    direction[axis] = sign * value;
  };
  // Components of the texel's direction, in half texels. The value ±size selects the adjacent face.
  // On that face the texel is in the outermost row, at size − 1.
  put(right, isInside(i) ? centre(i) : Math.sign(centre(i)) * size);
  put(down, isInside(row) ? centre(row) : Math.sign(centre(row)) * size);
  put(outwards, size - 1);
  const next = direction.findIndex((value) => Math.abs(value) === size);
  const nextFace = 2 * next + (direction[next]! < 0 ? 1 : 0);
  const [x, y] = FACE_AXES[nextFace]!.map(
    ([axis, sign]) => (sign * direction[axis]! + size - 1) / 2,
  );
  return [x!, y!, nextFace];
}

/** Returns `value`, or 0 if it is NaN or negative. */
function atLeastZero(value: number): number {
  if (value > 0) return value;
  return 0;
}

function wrapCoordinate(mode: WrapMode, s: number): number {
  const plain = unmirrored(mode);
  if (plain !== mode) return wrapCoordinate(plain, Math.abs(s));
  switch (plain) {
    case 'repeat':
      return atLeastZero(fround(s - Math.floor(s)));
    case 'clamp-to-edge':
    case 'clamp':
      return Math.min(1, atLeastZero(s));
    case 'clamp-to-border':
      return Number.isNaN(s) ? 0 : Math.min(2, Math.max(-1, s));
    case 'mirrored-repeat': {
      const turns = Math.floor(fround(s * 0.5));
      const phase = fround(s - fround(2 * turns));
      const falling = fround(fround(2 - phase) * JUST_BELOW_ONE);
      return atLeastZero(Math.min(falling, phase));
    }
  }
}

function locate(
  mode: WrapMode,
  filter: FilterMode,
  wrapped: number,
  sizePx: number,
): { lower: TexelNumber; upper: TexelNumber; fraction: number } {
  const wrap = unmirrored(mode);
  const scaledCoordinate = fround(wrapped * sizePx);
  const orBorder = (texel: number): TexelNumber => (texel >= 0 && texel < sizePx ? texel : null);
  if (filter === 'nearest') {
    const nearest = Math.floor(scaledCoordinate);
    const lower = wrap === 'clamp-to-border' ? orBorder(nearest) : Math.min(nearest, sizePx - 1);
    return { lower, upper: lower, fraction: 0 };
  }
  const position = fround(scaledCoordinate - 0.5);
  const base = Math.floor(position);
  const fraction = fround(position - base);
  switch (wrap) {
    case 'repeat':
      return { lower: (base + sizePx) % sizePx, upper: (base + 1) % sizePx, fraction };
    case 'clamp':
    case 'clamp-to-border':
      return { lower: orBorder(base), upper: orBorder(base + 1), fraction };
    default:
      return { lower: Math.max(base, 0), upper: Math.min(base + 1, sizePx - 1), fraction };
  }
}
