/**
 * Kernel that converts quads of half-precision floats, one vector per channel, to rows of texels:
 * WebAssembly SIMD, one quad at a time. A module imports `env.memory` and exports `run`
 * ({@link PixelRowsRun}).
 */
import {
  brIf,
  type Expr,
  f32x4,
  get,
  i8x16,
  i16x8,
  i32,
  i32x4,
  type Local,
  loop,
  set,
  v128,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode } from '../../kernel/kernel-code.ts';

const VECTOR_BYTES = 16;
/** Difference of the exponents' biases, in the place of a half's exponent. */
const BIAS = (127 - 15) << 10;
const SIGN = 0x8000;
const INFINITE_HALF = 0x7c00;
const NAN_HALF = 0x7e00;
/** Shuffle of red and green, blue and alpha of two pixels; the lower row follows. */
const UPPER_ROW = [0, 1, 8, 9, 16, 17, 24, 25, 2, 3, 10, 11, 18, 19, 26, 27] as const;
const LOWER_ROW = UPPER_ROW.map((byte) => byte + 4);

/**
 * Returns the module. Floats must be exact in half precision, as the output merger rounds them.
 *
 * @param quadBytes Distance between quads.
 */
export function generateHalfRowsKernel(quadBytes: number): Uint8Array<ArrayBuffer> {
  return encodeKernel('copyHalfRows', ['i32', 'i32', 'i32', 'i32', 'i32'], [], (fn) => {
    const [fromPtr, fromRowBytes, quadColumns, quadRows, upper] = [0, 1, 2, 3, 4].map((i) =>
      fn.param(i),
    ) as [Local, Local, Local, Local, Local];
    const from = fn.local('i32');
    const lower = fn.local('i32');
    const left = fn.local('i32');
    const add = (local: Local, value: Expr) => set(local, i32.add(get(local), value));
    const setUp = new KernelCode(fn);
    // Constants of this list are set before the loops.
    for (const word of [0x7fffffff, SIGN, BIAS, INFINITE_HALF, NAN_HALF]) setUp.splatI(word);
    for (const value of [2 ** -14, 2 ** 24, Number.POSITIVE_INFINITY]) setUp.splatF(value);
    const quad = setUp.branch((code) => {
      const halves = [0, 1, 2, 3].map((channel) =>
        halvesOf(code, v128.load(get(from), { offset: channel * VECTOR_BYTES, align: 4 })),
      );
      const redGreen = code.keep(i16x8.narrowI32x4U(halves[0]!, halves[1]!));
      const blueAlpha = code.keep(i16x8.narrowI32x4U(halves[2]!, halves[3]!));
      const row = (bytes: readonly number[]) => i8x16.shuffle(redGreen, blueAlpha, bytes);
      code.add(
        v128.store(get(upper), row(UPPER_ROW), { align: 4 }),
        v128.store(get(lower), row(LOWER_ROW), { align: 4 }),
        add(from, i32.const(quadBytes)),
        add(upper, i32.const(VECTOR_BYTES)),
        add(lower, i32.const(VECTOR_BYTES)),
        add(left, i32.const(-1)),
      );
    });
    fn.emit(
      ...setUp.statements,
      loop((nextRow) => [
        set(from, get(fromPtr)),
        set(lower, i32.add(get(upper), i32.shl(get(quadColumns), i32.const(4)))),
        set(left, get(quadColumns)),
        loop((nextQuad) => [...quad, brIf(nextQuad, get(left))]),
        set(upper, get(lower)),
        add(fromPtr, get(fromRowBytes)),
        add(quadRows, i32.const(-1)),
        brIf(nextRow, get(quadRows)),
      ]),
    );
  });
}

/** Returns the bits of the halves that floats are equal to, in the low half of each lane. */
function halvesOf(code: KernelCode, floats: Expr): Expr {
  const value = code.keep(floats);
  const magnitude = code.keep(v128.and(value, code.splatI(0x7fffffff)));
  const normal = i32x4.sub(i32x4.shrU(magnitude, i32.const(13)), code.splatI(BIAS));
  // A denormal half counts steps of 2⁻²⁴.
  const denormal = i32x4.truncSatF32x4S(f32x4.mul(magnitude, code.splatF(2 ** 24)));
  const isDenormal = f32x4.lt(magnitude, code.splatF(2 ** -14));
  const finite = v128.bitselect(denormal, normal, isDenormal);
  const isInfinite = f32x4.eq(magnitude, code.splatF(Number.POSITIVE_INFINITY));
  const ordered = v128.bitselect(code.splatI(INFINITE_HALF), finite, isInfinite);
  const isNumber = f32x4.eq(magnitude, magnitude);
  const bits = v128.bitselect(ordered, code.splatI(NAN_HALF), isNumber);
  const sign = v128.and(i32x4.shrU(value, i32.const(16)), code.splatI(SIGN));
  return v128.or(bits, sign);
}
