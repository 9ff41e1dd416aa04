/**
 * Code of attribute setup for kernels. It performs the operations of `writeTrianglePlanes` in
 * attribute-planes.ts in the same order, for two planes at a time, one per lane of a double vector.
 */
import { PRIMITIVE_RECORD } from '@tessera/shader/codegen';
import {
  brIf,
  type Expr,
  f32,
  f32x4,
  f64,
  f64x2,
  get,
  i8x16,
  i32,
  i32x4,
  ifThen,
  loop,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { FROM_FIRST } from './attribute-planes.ts';
import { emitSum, lanesX, lanesY, type TriangleBasisCode } from './triangle-basis-kernel.ts';

/**
 * Shuffle that interleaves two pairs of floats, each in the low half of a vector: firsts, then
 * seconds.
 */
const INTERLEAVED_WORDS = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23] as const;
/**
 * Shuffle that builds the first plane from c and dx of two planes and both dy. Its last word is 0.
 */
const FIRST_PLANE = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 24, 25, 26, 27] as const;
const SECOND_PLANE = [8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27] as const;

/**
 * Emits code that writes 1 / w, then the varyings, to a primitive record. One function because the
 * loop over the varyings shares the basis kept in its locals.
 *
 * @param inputs Address of the fragment inputs' offsets, as `writeDrawSetup` writes them, and their
 *   number.
 * @param record Address of the record, and the distance between the outputs of consecutive groups
 *   of four vertices.
 * @param numbers Vertex indices of the corners.
 * @param reciprocals 1 / w at the corners.
 * @param from Distance from the first corner to the origin.
 */
export function emitTrianglePlanes(
  code: KernelCode,
  memory: ChipletMemory,
  inputs: { readonly inputsPtr: number; readonly inputCount: Expr },
  record: { readonly to: Expr; readonly groupBytes: Expr },
  numbers: readonly [Expr, Expr, Expr],
  [r0, r1, r2]: readonly [Expr, Expr, Expr],
  { first, second }: TriangleBasisCode,
  from: Expr,
): void {
  const { fn } = code;
  const { inputsPtr, inputCount } = inputs;
  const splat = (value: Expr) => code.keep(f64x2.splat(value));
  const weight = (slopes: Expr) => splat(emitSum(code, f64x2.mul(slopes, from)));
  const both = (lanes: typeof lanesX, point: Expr) => code.keep(lanes(point, point));
  const basis: PlaneBasis = {
    weights: [weight(first), weight(second)],
    x: [both(lanesX, first), both(lanesX, second)],
    y: [both(lanesY, first), both(lanesY, second)],
  };
  const reciprocalW = code.keep(emitReciprocalPlane(code, [r0, r1, r2], basis));
  code.add(v128.store(record.to, reciprocalW, { offset: 16, align: 4 }));

  const outputs = numbers.map((number) =>
    code.keep(
      i32.add(
        i32.const(memory.vertexOutputPtr),
        i32.add(
          i32.mul(i32.shrU(number, i32.const(2)), record.groupBytes),
          i32.shl(i32.and(number, i32.const(3)), i32.const(2)),
        ),
      ),
    ),
  ) as [Expr, Expr, Expr];
  const reciprocals = [splat(r0), splat(r1), splat(r2)] as const;
  const input = fn.local('i32');
  const end = code.keep(i32.add(i32.const(inputsPtr), i32.shl(inputCount, i32.const(2))));
  const to = fn.local('i32');
  code.add(
    set(input, i32.const(inputsPtr)),
    set(to, i32.add(record.to, i32.const(PRIMITIVE_RECORD.varyings))),
  );
  const advance = (count: number) => [
    set(input, i32.add(get(input), i32.const(4 * count))),
    set(to, i32.add(get(to), i32.const(16 * count))),
  ];
  const step = code.branch((body) => {
    const offset = body.keep(i32.load(get(input)));
    // The input after the last is none, so it forms no pair.
    const next = body.keep(i32.load(get(input), { offset: 4 }));
    const constant = body.branch((held) => {
      // Bit 0 is also set for a missing input, whose offset is negative.
      const isFromFirst = i32.eq(i32.and(offset, i32.const(FROM_FIRST)), i32.const(FROM_FIRST));
      const vertex = select(outputs[0], outputs[2], isFromFirst);
      const place = i32.add(vertex, i32.and(offset, i32.const(~FROM_FIRST)));
      const zero = i32x4.const([0, 0, 0, 0]);
      held.add(
        v128.store(get(to), zero, { align: 4 }),
        ifThen(i32.geS(offset, i32.const(0)), [i32.store(get(to), i32.load(place))]),
        ...advance(1),
      );
    });
    const varying = body.branch((varied) => {
      const values = outputs.map((at) =>
        f64x2.splat(f64.promoteF32(f32.load(i32.add(at, offset)))),
      );
      const [plane] = emitPlanePair(varied, values, reciprocals, basis);
      varied.add(v128.store(get(to), plane, { align: 4 }), ...advance(1));
    });
    const pair = body.branch((varied) => {
      const values = outputs.map((at) =>
        f64x2.promoteLowF32x4(
          v128.load32Lane(i32.add(at, next), v128.load32Zero(i32.add(at, offset)), 1),
        ),
      );
      const [plane, nextPlane] = emitPlanePair(varied, values, reciprocals, basis);
      varied.add(
        v128.store(get(to), plane, { align: 4 }),
        v128.store(get(to), nextPlane, { offset: 16, align: 4 }),
        ...advance(2),
      );
    });
    const isPair = i32.eqz(i32.and(i32.or(offset, next), i32.const(1)));
    body.add(ifThen(isPair, pair, [ifThen(i32.and(offset, i32.const(1)), constant, varying)]));
  });
  code.add(
    ifThen(i32.ltU(get(input), end), [
      loop((again) => [...step, brIf(again, i32.ltU(get(input), end))]),
    ]),
  );
}

/**
 * Weights of the second and third corner at the origin and their gradients per pixel, equal in both
 * lanes.
 */
interface PlaneBasis {
  readonly weights: readonly [Expr, Expr];
  readonly x: readonly [Expr, Expr];
  readonly y: readonly [Expr, Expr];
}

/**
 * Emits the floats (c, dx, dy, 0) of the planes in both lanes, with value `a0` at the first corner.
 */
function emitPlanes(
  code: KernelCode,
  a0: Expr,
  a1: Expr,
  a2: Expr,
  { weights, x, y }: PlaneBasis,
): readonly [Expr, Expr] {
  const along = ([first, second]: readonly [Expr, Expr]) =>
    code.keep(f32x4.demoteF64x2Zero(f64x2.add(f64x2.mul(a1, first), f64x2.mul(a2, second))));
  const c = f64x2.add(f64x2.add(a0, f64x2.mul(a1, weights[0])), f64x2.mul(a2, weights[1]));
  const atOrigin = f32x4.demoteF64x2Zero(c);
  const dx = along(x);
  const dy = along(y);
  const heads = code.keep(i8x16.shuffle(atOrigin, dx, INTERLEAVED_WORDS));
  return [i8x16.shuffle(heads, dy, FIRST_PLANE), i8x16.shuffle(heads, dy, SECOND_PLANE)];
}

/**
 * Emits the planes of two varyings divided by w.
 *
 * @param values Values by corner.
 */
function emitPlanePair(
  code: KernelCode,
  [v0, v1, v2]: readonly Expr[],
  [r0, r1, r2]: readonly [Expr, Expr, Expr],
  basis: PlaneBasis,
): readonly [Expr, Expr] {
  const a0 = code.keep(f64x2.mul(v0!, r0));
  const a1 = code.keep(f64x2.sub(f64x2.mul(v1!, r1), a0));
  const a2 = code.keep(f64x2.sub(f64x2.mul(v2!, r2), a0));
  return emitPlanes(code, a0, a1, a2, basis);
}

function emitReciprocalPlane(
  code: KernelCode,
  [r0, r1, r2]: readonly [Expr, Expr, Expr],
  basis: PlaneBasis,
): Expr {
  const difference = (r: Expr) => code.keep(f64x2.splat(f64.sub(r, r0)));
  return emitPlanes(code, f64x2.splat(r0), difference(r1), difference(r2), basis)[0];
}
