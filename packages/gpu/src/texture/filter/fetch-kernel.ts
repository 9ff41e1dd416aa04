/** Texel fetches and size queries: integer operands per lane, no filter. */
import {
  type Expr,
  f32x4,
  get,
  i32,
  i32x4,
  ifThen,
  type Local,
  ret,
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
} from '../layout/texture-descriptor.ts';
import { TEXEL_BYTES } from '../layout/texture-layout.ts';
import { coordinateCountOf } from './lookup-operands.ts';
import { swizzleChannels } from './mip-kernel.ts';
import type { SamplingState } from './sampling-state.ts';
import { mapChannels, unpackTexels } from './texel-gather.ts';
import { logTexels, type TexelLog } from './texel-log.ts';

/**
 * Emits the body of (i32, v128 x, v128 y, v128 z unless 2d, v128 level) → one v128 per channel. A
 * lane outside the level or the level range reads (0, 0, 0, 0).
 */
export function emitFetchFunction(
  code: KernelCode,
  state: SamplingState,
  descriptor: Expr,
  channels: readonly number[],
  log: TexelLog,
): void {
  const { fn } = code;
  const { texelClass, dimension, sampler } = state;
  const texelBytes = TEXEL_BYTES[texelClass];
  const texels = Array.from({ length: texelBytes / 4 }, () => fn.local('v128'));
  const inside = fn.local('v128');
  const addresses = fn.local('v128');
  const coordinateCount = coordinateCountOf(dimension);
  for (const lane of [0, 1, 2, 3]) {
    const laneOf = (operand: number): Expr =>
      code.keep(i32x4.extractLane(get(fn.param(1 + operand)), lane));
    const x = laneOf(0);
    const y = laneOf(1);
    const z = coordinateCount === 3 ? laneOf(2) : null;
    const level = laneOf(coordinateCount);
    const isLevel = i32.ltU(level, i32.load(descriptor));
    const readLane = code.branch((inner) => {
      const record = inner.keep(levelRecord(descriptor, level));
      const isWithin = (coordinate: Expr, offset: number): Expr =>
        i32.leU(coordinate, i32.load(record, { offset }));
      const isOnPlane = i32.and(isWithin(x, LEVEL_FIELD.maxX), isWithin(y, LEVEL_FIELD.maxY));
      const isInside =
        z === null ? isOnPlane : i32.and(isOnPlane, isWithin(z, LEVEL_FIELD.maxSlice));
      const address = inner.keep(texelAddress(texelClass, record, x, y, z));
      const load = loadTexel(texels, texelBytes, address, lane);
      const mark = set(inside, i32x4.replaceLane(get(inside), lane, i32.const(-1)));
      const logged =
        log === null ? [] : [set(addresses, i32x4.replaceLane(get(addresses), lane, address))];
      inner.add(ifThen(isInside, [load, mark, ...logged]));
    });
    code.add(ifThen(isLevel, readLane));
  }
  logTexels(code, log, v128.or(get(addresses), v128.not(get(inside))));
  const unpacked = unpackTexels(
    code,
    texelClass,
    texels.map((local) => get(local)),
  );
  const scale = 1 / CHANNEL_MAX[texelClass];
  const factor = f32x4.const([scale, scale, scale, scale]);
  const scaled = mapChannels((c) => (scale === 1 ? unpacked[c] : f32x4.mul(unpacked[c], factor)));
  const swizzled = swizzleChannels(code, texelClass, sampler.swizzle, scaled);
  code.add(ret(...channels.map((channel) => v128.and(swizzled[channel]!, get(inside)))));
}

function loadTexel(texels: readonly Local[], texelBytes: number, address: Expr, lane: number) {
  switch (texelBytes) {
    case 4: {
      const target = texels[0]!;
      return set(target, v128.load32Lane(address, get(target), lane));
    }
    case 8: {
      const target = texels[lane >> 1]!;
      return set(target, v128.load64Lane(address, get(target), lane & 1));
    }
    default:
      return set(texels[lane]!, v128.load(address));
  }
}

/**
 * Emits the body of (i32, v128 level) → width, height, slices. A missing level counts as the last.
 */
export function emitSizeFunction(code: KernelCode, descriptor: Expr): void {
  const { fn } = code;
  const lastLevel = code.keep(i32.sub(i32.load(descriptor), i32.const(1)));
  const sizes = [LEVEL_FIELD.maxX, LEVEL_FIELD.maxY, LEVEL_FIELD.maxSlice].map((offset) => ({
    offset,
    local: fn.local('v128'),
  }));
  for (const lane of [0, 1, 2, 3]) {
    const level = code.keep(i32x4.extractLane(get(fn.param(1)), lane));
    const nearest = select(level, lastLevel, i32.ltU(level, lastLevel));
    const record = code.keep(levelRecord(descriptor, nearest));
    for (const { offset, local } of sizes) {
      const size = i32.add(i32.load(record, { offset }), i32.const(1));
      code.add(set(local, i32x4.replaceLane(get(local), lane, size)));
    }
  }
  code.add(ret(...sizes.map(({ local }) => get(local))));
}

function levelRecord(descriptor: Expr, level: Expr): Expr {
  const offset = i32.mul(level, i32.const(LEVEL_RECORD_BYTES));
  return i32.add(i32.add(descriptor, i32.const(LEVEL_RECORDS_OFFSET)), offset);
}

function texelAddress(
  texelClass: TexelClass,
  record: Expr,
  x: Expr,
  y: Expr,
  z: Expr | null,
): Expr {
  const texelBytes = TEXEL_BYTES[texelClass];
  const two = i32.const(2);
  const three = i32.const(3);
  const blockRow = i32.mul(
    i32.shrU(y, two),
    i32.load(record, { offset: LEVEL_FIELD.blockRowBytes }),
  );
  const block = i32.mul(i32.shrU(x, two), i32.const(16 * texelBytes));
  const inside = i32.add(i32.shl(i32.and(y, three), two), i32.and(x, three));
  const start = i32.add(i32.load(record), i32.add(blockRow, block));
  const inSlice = i32.add(start, i32.mul(inside, i32.const(texelBytes)));
  if (z === null) return inSlice;
  return i32.add(inSlice, i32.mul(z, i32.load(record, { offset: LEVEL_FIELD.sliceBytes })));
}
