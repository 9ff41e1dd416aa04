/** Texel fetches and size queries: integer operands per lane, no filter. */
import {
  type Expr,
  f32x4,
  get,
  i32,
  i32x4,
  ifThen,
  ret,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import type { KernelCode } from '../kernel/kernel-code.ts';
import { mapChannels, unpackTexels8, unpackTexels16 } from './filter-kernel.ts';
import { CHANNEL_MAX, type TexelClass } from './texel-levels.ts';
import { logTexels, type TexelLog } from './texel-log.ts';
import { LEVEL_FIELD, LEVEL_RECORD_BYTES, LEVEL_RECORDS_OFFSET } from './texture-descriptor.ts';
import { TEXEL_BYTES } from './texture-layout.ts';

/**
 * Emits the body of (i32, v128 x, v128 y, v128 level) → 4 v128. Outside the level or the levels a lane
 * reads (0, 0, 0, 0).
 */
export function emitFetchFunction(
  code: KernelCode,
  texelClass: TexelClass,
  descriptor: Expr,
  log: TexelLog,
): void {
  const { fn } = code;
  const is8 = texelClass === 'unorm8';
  const texels = [fn.local('v128'), fn.local('v128')] as const;
  const addresses = fn.local('v128');
  if (log !== null) code.add(set(addresses, i32x4.const([-1, -1, -1, -1])));
  for (const lane of [0, 1, 2, 3]) {
    const [x, y, level] = [1, 2, 3].map((index) =>
      code.keep(i32x4.extractLane(get(fn.param(index)), lane)),
    ) as [Expr, Expr, Expr];
    const isLevel = i32.ltU(level, i32.load(descriptor));
    const readLane = code.branch((inner) => {
      const record = inner.keep(levelRecord(descriptor, level));
      const isInside = i32.and(
        i32.leU(x, i32.load(record, { offset: LEVEL_FIELD.maxX })),
        i32.leU(y, i32.load(record, { offset: LEVEL_FIELD.maxY })),
      );
      const address = inner.keep(texelAddress(texelClass, record, x, y));
      const target = is8 ? texels[0] : texels[lane >> 1]!;
      const loaded = is8
        ? v128.load32Lane(address, get(target), lane)
        : v128.load64Lane(address, get(target), lane & 1);
      const logged =
        log === null ? [] : [set(addresses, i32x4.replaceLane(get(addresses), lane, address))];
      inner.add(ifThen(isInside, [set(target, loaded), ...logged]));
    });
    code.add(ifThen(isLevel, readLane));
  }
  logTexels(code, log, get(addresses));
  const channels = is8
    ? unpackTexels8(code, get(texels[0]))
    : unpackTexels16(code, get(texels[0]), get(texels[1]));
  const scale = 1 / CHANNEL_MAX[texelClass];
  const factor = f32x4.const([scale, scale, scale, scale]);
  code.add(ret(...mapChannels((c) => f32x4.mul(channels[c], factor))));
}

/** Emits the body of (i32, v128 level) → width, height, 1; a level that is not there counts as the last. */
export function emitSizeFunction(code: KernelCode, descriptor: Expr): void {
  const { fn } = code;
  const lastLevel = code.keep(i32.sub(i32.load(descriptor), i32.const(1)));
  const width = fn.local('v128');
  const height = fn.local('v128');
  for (const lane of [0, 1, 2, 3]) {
    const level = code.keep(i32x4.extractLane(get(fn.param(1)), lane));
    const nearest = select(level, lastLevel, i32.ltU(level, lastLevel));
    const record = code.keep(levelRecord(descriptor, nearest));
    const size = (offset: number): Expr => i32.add(i32.load(record, { offset }), i32.const(1));
    code.add(
      set(width, i32x4.replaceLane(get(width), lane, size(LEVEL_FIELD.maxX))),
      set(height, i32x4.replaceLane(get(height), lane, size(LEVEL_FIELD.maxY))),
    );
  }
  code.add(ret(get(width), get(height), i32x4.const([1, 1, 1, 1])));
}

function levelRecord(descriptor: Expr, level: Expr): Expr {
  const offset = i32.mul(level, i32.const(LEVEL_RECORD_BYTES));
  return i32.add(i32.add(descriptor, i32.const(LEVEL_RECORDS_OFFSET)), offset);
}

function texelAddress(texelClass: TexelClass, record: Expr, x: Expr, y: Expr): Expr {
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
  return i32.add(start, i32.mul(inside, i32.const(texelBytes)));
}
