/** Choice of level and filter by the level of detail (GL ES 3.0, section 3.8.11), for four lanes at once. */
import type { FilterMode } from '@tessera/frame';
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
} from '@tessera/shader/wasm';
import type { KernelCode } from '../kernel/kernel-code.ts';
import {
  filterScale,
  type LevelReader,
  lerp,
  mapChannels,
  type Rgba,
  readLevel,
  smallInteger,
  splatFirstLane,
  wrapCoordinate,
} from './filter-kernel.ts';
import { magnificationLimit, type SamplingState } from './sampling-state.ts';
import { CHANNEL_MAX } from './texel-levels.ts';
import type { TexelLog } from './texel-log.ts';
import {
  LEVEL_RECORD_BYTES,
  LEVEL_RECORDS_OFFSET,
  MAX_LEVELS,
  PREVIOUS_LEVEL_OFFSET,
  SCRATCH_OFFSET,
} from './texture-descriptor.ts';

interface Lookup {
  readonly state: SamplingState;
  readonly reader: LevelReader;
  readonly descriptor: Expr;
  /** Wrapped coordinates. */
  readonly s: Expr;
  readonly t: Expr;
  /** An i32. */
  readonly lastLevel: Expr;
}

/** Returns from the function with level 0, read by the magnification filter. */
export function emitAtBaseLevel(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  s: Expr,
  t: Expr,
  log: TexelLog,
): void {
  const lookup = prepareLookup(code, state, descriptor, s, t, log);
  code.add(readAt(code, lookup, state.sampler.magFilter, i32.const(0)));
}

/**
 * Returns from the function with what the sampler reads at one level of detail.
 *
 * @param lod A v128 whose lane 0 counts; NaN counts as 0.
 */
export function emitAtLevelOfDetail(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  s: Expr,
  t: Expr,
  lod: Expr,
  log: TexelLog,
): void {
  const { magFilter, minFilter, mipmapFilter } = state.sampler;
  const lookup = prepareLookup(code, state, descriptor, s, t, log);
  const kept = code.keep(lod);
  const limit = magnificationLimit(state.sampler);
  // Below 0 a minified read is one of level 0, as a magnified one by the same filter.
  if (magFilter !== minFilter || limit !== 0) {
    const isMinified = f32.gt(f32x4.extractLane(kept, 0), f32.const(limit));
    const magnify = code.branch((inner) => {
      inner.add(readAt(inner, lookup, magFilter, i32.const(0)));
    });
    code.add(ifThen(i32.eqz(isMinified), magnify));
  }
  if (mipmapFilter === 'none') {
    code.add(readAt(code, lookup, minFilter, i32.const(0)));
    return;
  }
  // Vector operators: the scalar minimum and conversion of V8 are longer by far.
  const clamped = code.keep(f32x4.pmin(code.splatF(MAX_LEVELS), f32x4.pmax(code.splatF(0), kept)));
  if (mipmapFilter === 'nearest') {
    // d = ceil(λ + ½) − 1: λ = ½ still reads the larger level; λ = 0 gives 0.
    const above = f32x4.ceil(f32x4.add(clamped, code.splatF(0.5)));
    const level = existingLevel(code, lookup, f32x4.sub(above, code.splatF(1)));
    code.add(readAt(code, lookup, minFilter, level));
    return;
  }
  readBetweenLevels(code, lookup, minFilter, clamped);
}

/**
 * The level in lane 0 of integral floats, or the last level if it is past that.
 *
 * The addresses of all texels depend on it, at the end of a long chain of operations. Neighbouring quads
 * read the same level nearly always, so the level of the last read is taken from the descriptor and only
 * corrected if it is another: the processor goes on before the comparison is done.
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

/** Trilinear: levels ⌊λ⌋ and ⌊λ⌋ + 1 by the fraction of λ; one alone at the end of the chain or at fraction 0. */
function readBetweenLevels(
  code: KernelCode,
  lookup: Lookup,
  filter: FilterMode,
  clamped: Expr,
): void {
  const { lastLevel } = lookup;
  const whole = code.keep(f32x4.floor(clamped));
  const fraction = code.keep(f32x4.sub(clamped, whole));
  const level = existingLevel(code, lookup, whole);
  const channels = readChannels(code, lookup, filter, level);
  const locals = channels.map(() => code.fn.local('v128'));
  code.add(...locals.map((local, c) => set(local, channels[c]!)));
  // Fraction bits are 0 for 0 alone: it is never −0.
  const hasFraction = i32.ne(i32x4.extractLane(fraction, 0), i32.const(0));
  const hasSecond = i32.and(hasFraction, i32.ltS(level, lastLevel));
  code.add(
    ifThen(
      hasSecond,
      code.branch((inner) => {
        const weight = inner.keep(splatFirstLane(fraction));
        const next = readChannels(inner, lookup, filter, i32.add(level, i32.const(1)));
        for (const [c, local] of locals.entries()) {
          inner.add(set(local, lerp(inner, get(local), next[c]!, weight)));
        }
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
  s: Expr,
  t: Expr,
  log: TexelLog,
): Lookup {
  const { wrapS, wrapT } = state.sampler;
  return {
    state,
    reader: {
      texelClass: state.texelClass,
      wrapS,
      wrapT,
      scratch: code.keep(i32.add(descriptor, i32.const(SCRATCH_OFFSET))),
      log,
    },
    descriptor,
    s: wrapCoordinate(code, wrapS, s),
    t: wrapCoordinate(code, wrapT, t),
    lastLevel: i32.sub(i32.load(descriptor), i32.const(1)),
  };
}

/** @param level An i32 from 0 to the last level. */
function readChannels(code: KernelCode, lookup: Lookup, filter: FilterMode, level: Expr): Rgba {
  const { reader, descriptor, s, t } = lookup;
  const offset = i32.add(
    i32.mul(level, i32.const(LEVEL_RECORD_BYTES)),
    i32.const(LEVEL_RECORDS_OFFSET),
  );
  return readLevel(code, reader, filter, code.keep(i32.add(descriptor, offset)), s, t);
}

function readAt(code: KernelCode, lookup: Lookup, filter: FilterMode, level: Expr): Stmt {
  return returnScaled(code, lookup, filter, readChannels(code, lookup, filter, level));
}

/** Channels become 0…1. */
function returnScaled(
  code: KernelCode,
  { state }: Lookup,
  filter: FilterMode,
  channels: Rgba,
): Stmt {
  const { texelClass } = state;
  const factor = code.splatF(1 / (CHANNEL_MAX[texelClass] * filterScale(texelClass, filter)));
  return ret(...channels.map((channel) => f32x4.mul(channel, factor)));
}
