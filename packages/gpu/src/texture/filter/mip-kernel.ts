/**
 * Choice of level and filter by the level of detail (GL ES 3.0, section 3.8.11), for four lanes at
 * a time.
 */
import {
  type FilterMode,
  MAX_TEXTURE_LEVELS,
  type SamplerState,
  type WrapMode,
} from '@tessera/frame';
import {
  type Expr,
  f32,
  f32x4,
  get,
  i32,
  i32x4,
  ifThen,
  ret,
  type Stmt,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { CHANNEL_MAX, type TexelClass } from '../layout/texel-levels.ts';
import {
  LEVEL_FIELD,
  LEVEL_RECORD_BYTES,
  LEVEL_RECORDS_OFFSET,
  PREVIOUS_LEVEL_OFFSET,
  SCRATCH_OFFSET,
} from '../layout/texture-descriptor.ts';
import { faceCoordinates, faceNumber, readCubeLevel, selectFace } from './cube-kernel.ts';
import {
  filterScale,
  isRedAlone,
  type LevelReader,
  lerpColors,
  readLevel,
  readVolumeLevel,
  smallInteger,
  splatFirstLane,
  wrapCoordinate,
} from './filter-kernel.ts';
import type { LookupOperands } from './lookup-operands.ts';
import { borderTexel, MAGNIFICATION_LIMIT, type SamplingState } from './sampling-state.ts';
import { mapChannels, type Rgba } from './texel-gather.ts';
import type { TexelLog } from './texel-log.ts';

/** Operands of a lookup except its level of detail. */
type Operands = Omit<LookupOperands<Expr>, 'levelOfDetail'> & {
  /** Channels to return. V8 removes the code of the others. */
  readonly channels: readonly number[];
};

interface Lookup {
  readonly state: SamplingState;
  readonly reader: LevelReader;
  readonly descriptor: Expr;
  /** Coordinates s and t, wrapped unless there are offsets; for a cube, coordinates on the face. */
  readonly s: Expr;
  readonly t: Expr;
  /** Third coordinate of a 3D texture, wrapped likewise; slice of a cube or an array. */
  readonly third: Expr | null;
  /** Offsets of s, t and r in texels of the level, as floats. */
  readonly offsets: readonly Expr[];
  /** Index of the last level, an i32. */
  readonly lastLevel: Expr;
  /** Channels to return. */
  readonly channels: readonly number[];
}

/** Returns from the function with level 0, read by the magnification filter. */
export function emitAtBaseLevel(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  operands: Operands,
  log: TexelLog,
): void {
  const lookup = prepareLookup(code, state, descriptor, operands, log);
  code.add(readAt(code, lookup, state.sampler.magFilter, i32.const(0)));
}

/**
 * Returns from the function with the sampler's result at one level of detail.
 *
 * @param lod Level of detail in lane 0 of a v128; NaN counts as 0.
 */
export function emitAtLevelOfDetail(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  operands: Operands,
  lod: Expr,
  log: TexelLog,
): void {
  const { magFilter, minFilter, mipmapFilter } = state.sampler;
  const lookup = prepareLookup(code, state, descriptor, operands, log);
  const kept = code.keep(adjustLevelOfDetail(code, state, lod));
  // Below 0, a minified read uses level 0, as a magnified read with the same filter does.
  if (magFilter !== minFilter) {
    const isMinified = f32.gt(f32x4.extractLane(kept, 0), f32.const(MAGNIFICATION_LIMIT));
    const magnify = code.branch((inner) => {
      inner.add(readAt(inner, lookup, magFilter, i32.const(0)));
    });
    code.add(ifThen(i32.eqz(isMinified), magnify));
  }
  if (mipmapFilter === 'none') {
    code.add(readAt(code, lookup, minFilter, i32.const(0)));
    return;
  }
  const clamped = code.keep(clampLevel(code, kept));
  if (mipmapFilter === 'nearest') {
    // d = ceil(λ + ½) − 1. λ = ½ still reads the larger level, and λ = 0 gives 0.
    const above = f32x4.ceil(f32x4.add(clamped, code.splatF(0.5)));
    const level = existingLevel(code, lookup, f32x4.sub(above, code.splatF(1)));
    code.add(readAt(code, lookup, minFilter, level));
    return;
  }
  readBetweenLevels(code, lookup, minFilter, clamped, 'first');
}

/**
 * Returns whether lookups at levels of detail that differ between lanes can be one read, if the
 * lanes read the same levels; see {@link emitBetweenLevels}.
 */
export function canShareLevels({ sampler }: SamplingState): boolean {
  return sampler.mipmapFilter === 'linear' && sampler.magFilter === sampler.minFilter;
}

/** Returns an i32 that says whether all lanes read the same levels. */
export function emitHasSharedLevels(code: KernelCode, state: SamplingState, lods: Expr): Expr {
  const whole = code.keep(f32x4.floor(clampLevel(code, adjustLevelOfDetail(code, state, lods))));
  return i32x4.allTrue(f32x4.eq(whole, splatFirstLane(whole)));
}

/**
 * Returns from the function with the sampler's results at the levels of detail of the lanes, which
 * {@link emitHasSharedLevels}.
 */
export function emitBetweenLevels(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  operands: Operands,
  lods: Expr,
): void {
  const lookup = prepareLookup(code, state, descriptor, operands, null);
  const clamped = code.keep(clampLevel(code, adjustLevelOfDetail(code, state, lods)));
  readBetweenLevels(code, lookup, state.sampler.minFilter, clamped, 'each');
}

/** Clamps levels of detail to those of textures; NaN becomes 0. */
function clampLevel(code: KernelCode, lod: Expr): Expr {
  // V8's scalar minimum and conversion take many more instructions than these vector operators.
  return f32x4.pmin(code.splatF(MAX_TEXTURE_LEVELS), f32x4.pmax(code.splatF(0), lod));
}

/** Applies the sampler's bias and limits. NaN stays NaN without limits. */
function adjustLevelOfDetail(code: KernelCode, { sampler }: SamplingState, lod: Expr): Expr {
  const { lodBias = 0, minLod, maxLod } = sampler;
  let adjusted = lodBias === 0 ? lod : f32x4.add(lod, code.splatF(lodBias));
  if (minLod !== undefined) adjusted = f32x4.pmax(code.splatF(minLod), adjusted);
  if (maxLod !== undefined) adjusted = f32x4.pmin(code.splatF(maxLod), adjusted);
  return adjusted;
}

/**
 * Returns the level in lane 0 of integral floats, or the last level if it is smaller.
 *
 * All texel addresses depend on this value, at the end of a long chain of operations. Adjacent
 * quads almost always read the same level. The code therefore takes the level of the previous read
 * from the descriptor and corrects it only if it differs, so the processor can continue
 * speculatively.
 */
function existingLevel(code: KernelCode, lookup: Lookup, integral: Expr): Expr {
  const { descriptor, lastLevel } = lookup;
  const wanted = code.keep(i32x4.extractLane(smallInteger(code, integral), 0));
  const existing = code.keep(select(wanted, lastLevel, i32.ltS(wanted, lastLevel)));
  const level = code.fn.local('i32');
  const place = { offset: PREVIOUS_LEVEL_OFFSET };
  code.add(
    set(level, i32.load(descriptor, place)),
    ifThen(i32.ne(get(level), existing), [
      set(level, existing),
      i32.store(descriptor, existing, place),
    ]),
  );
  return get(level);
}

/**
 * Reads trilinearly: levels ⌊λ⌋ and ⌊λ⌋ + 1, weighted by the fraction of λ. Reads one level at the
 * end of the chain or at fraction 0.
 *
 * @param fractions Whether all lanes use the fraction of the first, or each its own. All use the
 *   level of the first.
 */
function readBetweenLevels(
  code: KernelCode,
  lookup: Lookup,
  filter: FilterMode,
  clamped: Expr,
  fractions: 'first' | 'each',
): void {
  const { lastLevel } = lookup;
  const whole = code.keep(f32x4.floor(clamped));
  const fraction = code.keep(f32x4.sub(clamped, whole));
  const level = existingLevel(code, lookup, whole);
  const channels = readChannels(code, lookup, filter, level);
  const locals = channels.map(() => code.fn.local('v128'));
  code.add(...locals.map((local, c) => set(local, channels[c]!)));
  // Only 0 has fraction bits 0, because the fraction is never −0.
  const hasFraction =
    fractions === 'first'
      ? i32.ne(i32x4.extractLane(fraction, 0), i32.const(0))
      : v128.anyTrue(fraction);
  const hasSecond = i32.and(hasFraction, i32.ltS(level, lastLevel));
  code.add(
    ifThen(
      hasSecond,
      code.branch((inner) => {
        const weight = fractions === 'first' ? inner.keep(splatFirstLane(fraction)) : fraction;
        const next = readChannels(inner, lookup, filter, i32.add(level, i32.const(1)));
        const before = mapChannels((c) => get(locals[c]!));
        const between = lerpColors(inner, lookup.reader, before, next, weight);
        const changing = isRedAlone(lookup.reader) ? locals.slice(0, 1) : locals;
        // A weight of 0 would make NaN of an infinite texel that the lane does not read.
        const isBetween =
          fractions === 'first' ? null : inner.keep(i32x4.ne(fraction, inner.splatI(0)));
        inner.add(
          ...changing.map((local, c) =>
            set(
              local,
              isBetween === null ? between[c]! : v128.bitselect(between[c]!, get(local), isBetween),
            ),
          ),
        );
      }),
    ),
  );
  code.add(
    returnScaled(
      code,
      lookup,
      filter,
      mapChannels((c) => get(locals[c]!)),
    ),
  );
}

function prepareLookup(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  operands: Operands,
  log: TexelLog,
): Lookup {
  const { wrapS, wrapT, wrapR = 'repeat', compare } = state.sampler;
  const { coordinates, reference, offsets } = operands;
  const [first, second, last] = coordinates as [Expr, Expr, Expr | undefined];
  const reader: LevelReader = {
    texelClass: state.texelClass,
    log,
    wrapS,
    wrapT,
    wrapR,
    scratch: code.keep(i32.add(descriptor, i32.const(SCRATCH_OFFSET))),
    compare:
      reference === null || compare === undefined
        ? null
        : { compare, reference: clampReference(code, state, reference) },
    border: borderTexel(state.texelClass, state.sampler),
  };
  const shared = {
    state,
    reader,
    descriptor,
    offsets: offsets.map((offset) => code.keep(f32x4.convertI32x4S(offset))),
    lastLevel: i32.sub(i32.load(descriptor), i32.const(1)),
    channels: operands.channels,
  };
  if (state.dimension === 'cube') {
    const direction = [first, second, last!] as const;
    const face = selectFace(code, direction);
    const [s, t] = faceCoordinates(code, face, direction);
    const isHard = isCubeEdgeHard(state);
    return {
      ...shared,
      s: wrapCoordinate(code, isHard ? wrapS : 'clamp-to-edge', s),
      t: wrapCoordinate(code, isHard ? wrapT : 'clamp-to-edge', t),
      third: faceNumber(code, face),
    };
  }
  // An offset counts texels of the level, so it is added before the coordinate is wrapped.
  const wrap = (mode: WrapMode, coordinate: Expr): Expr =>
    offsets.length > 0 ? coordinate : wrapCoordinate(code, mode, coordinate);
  const [s, t] = [wrap(wrapS, first), wrap(wrapT, second)];
  if (state.dimension === '2d') return { ...shared, s, t, third: null };
  const third =
    state.dimension === '3d' ? wrap(wrapR, last!) : nearestLayer(code, descriptor, last!);
  return { ...shared, s, t, third };
}

function isCubeEdgeHard({ sampler }: SamplingState): boolean {
  return sampler.isCubeEdgeHard ?? false;
}

/** Clamps a reference; NaN becomes 0. */
function clampReference(code: KernelCode, state: SamplingState, reference: Expr): Expr {
  if (!state.isReferenceClamped) return reference;
  return code.keep(f32x4.pmin(code.splatF(1), f32x4.pmax(code.splatF(0), reference)));
}

/** Returns ⌊layer + ½⌋, clamped to the existing layers; NaN becomes 0. */
function nearestLayer(code: KernelCode, descriptor: Expr, layer: Expr): Expr {
  const rounded = f32x4.floor(f32x4.add(layer, code.splatF(0.5)));
  const last = v128.load32Splat(descriptor, {
    offset: LEVEL_RECORDS_OFFSET + LEVEL_FIELD.maxSlice,
  });
  const fromZero = i32x4.maxS(i32x4.truncSatF32x4S(rounded), code.splatI(0));
  return code.keep(i32x4.minS(fromZero, last));
}

/**
 * Reads the channels of one level.
 *
 * @param level i32 from 0 to the last level.
 */
function readChannels(code: KernelCode, lookup: Lookup, filter: FilterMode, level: Expr): Rgba {
  const { reader, descriptor, state, third } = lookup;
  const offset = i32.add(
    i32.mul(level, i32.const(LEVEL_RECORD_BYTES)),
    i32.const(LEVEL_RECORDS_OFFSET),
  );
  const record = code.keep(i32.add(descriptor, offset));
  const { s, t, r } = offsetCoordinates(code, lookup, record);
  switch (state.dimension) {
    case '3d':
      return readVolumeLevel(code, reader, filter, record, s, t, r!);
    case 'cube':
      if (filter === 'linear' && !isCubeEdgeHard(state)) {
        return readCubeLevel(code, reader, record, third!, s, t);
      }
      return readLevel(code, cubeFaceReader(lookup), filter, record, s, t, third);
    default:
      return readLevel(code, reader, filter, record, s, t, third);
  }
}

/** Returns a reader that clamps to the edges of a face, for filters that do not cross them. */
function cubeFaceReader({ reader, state }: Lookup): LevelReader {
  if (isCubeEdgeHard(state)) return reader;
  return { ...reader, wrapS: 'clamp-to-edge', wrapT: 'clamp-to-edge' };
}

/** Returns the wrapped coordinates with the lookup's offsets, in texels of this level. */
function offsetCoordinates(code: KernelCode, lookup: Lookup, record: Expr) {
  const { reader, state, offsets, s, t, third } = lookup;
  const [offsetS, offsetT, offsetR] = offsets;
  if (offsetS === undefined || offsetT === undefined) return { s, t, r: third };
  const wrapMoved = (mode: WrapMode, coordinate: Expr, offset: Expr, maxOffset: number): Expr => {
    const max = v128.load32Splat(record, { offset: maxOffset });
    const size = f32x4.convertI32x4S(i32x4.add(max, code.splatI(1)));
    return wrapCoordinate(code, mode, f32x4.add(coordinate, f32x4.div(offset, size)));
  };
  return {
    s: wrapMoved(reader.wrapS, s, offsetS, LEVEL_FIELD.maxX),
    t: wrapMoved(reader.wrapT, t, offsetT, LEVEL_FIELD.maxY),
    r:
      state.dimension === '3d'
        ? wrapMoved(reader.wrapR, third!, offsetR!, LEVEL_FIELD.maxSlice)
        : third,
  };
}

function readAt(code: KernelCode, lookup: Lookup, filter: FilterMode, level: Expr): Stmt {
  return returnScaled(code, lookup, filter, readChannels(code, lookup, filter, level));
}

/**
 * Scales the channels to 0…1 and applies the sampler's swizzle. The result of a comparison is a
 * luminance.
 */
function returnScaled(
  code: KernelCode,
  { state, reader, channels: wanted }: Lookup,
  filter: FilterMode,
  channels: Rgba,
): Stmt {
  const { texelClass, sampler } = state;
  const scale = 1 / (CHANNEL_MAX[texelClass] * filterScale(texelClass, filter));
  const isCompared = reader.compare !== null;
  const isScaled = scale !== 1 && !isCompared;
  const factor = isScaled ? code.splatF(scale) : null;
  const spread = isCompared ? luminanceOf(code, channels) : channels;
  const scaled = spread.map((channel) =>
    factor === null ? channel : f32x4.mul(channel, factor),
  ) as unknown as Rgba;
  const swizzled = swizzleChannels(code, texelClass, sampler.swizzle, scaled);
  return ret(...wanted.map((channel) => swizzled[channel]!));
}

function luminanceOf(code: KernelCode, [result, , , alpha]: Rgba): Rgba {
  const kept = code.keep(result);
  return [kept, kept, kept, alpha];
}

/** Returns the source of each channel of the result. */
export function swizzleChannels(
  code: KernelCode,
  texelClass: TexelClass,
  swizzle: SamplerState['swizzle'],
  channels: Rgba,
): readonly Expr[] {
  if (swizzle === undefined) return channels;
  return swizzle.map((source) => {
    const index = ['red', 'green', 'blue', 'alpha'].indexOf(source);
    if (index >= 0) return channels[index]!;
    const value = source === 'one' ? 1 : 0;
    return texelClass === 'int32' ? code.splatI(value) : code.splatF(value);
  });
}
