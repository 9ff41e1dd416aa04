/**
 * Kernel that converts quads to rows of pixels: WebAssembly SIMD, two quads at a time. Pixels of
 * several samples become the means of their bytes, rounded half up. A module imports `env.memory`
 * and exports `run` ({@link PixelRowsRun}).
 */
import {
  brIf,
  type Expr,
  get,
  i8x16,
  i16x8,
  i32,
  ifThen,
  type Local,
  loop,
  set,
  v128,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../../kernel/encode-kernel.ts';

const QUAD_BYTES = 16;
/** Shuffle for the upper rows of two quads with pixels of 4 bytes; the lower rows follow. */
const UPPER_ROWS = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23] as const;
const LOWER_ROWS = UPPER_ROWS.map((byte) => byte + 8);

/**
 * Copies `quadRows` rows of `quadColumns` quads, 32 bits per sample, as rows of pixels. The samples
 * of a quad are consecutive vectors, and quads follow each other.
 *
 * @param fromPtr Address of the first quad.
 * @param fromRowBytes Distance between rows of quads.
 * @param toPtr Address of tightly packed rows of 2 × `quadColumns` pixels.
 */
export type PixelRowsRun = (
  fromPtr: number,
  fromRowBytes: number,
  quadColumns: number,
  quadRows: number,
  toPtr: number,
) => void;

/**
 * Returns the module. All of its parameters must be positive.
 *
 * @param sampleCount Samples per pixel, a power of two up to 128.
 */
export function generatePixelRowsKernel(sampleCount: number): Uint8Array<ArrayBuffer> {
  const quadBytes = QUAD_BYTES * sampleCount;
  return encodeKernel('copyPixelRows', ['i32', 'i32', 'i32', 'i32', 'i32'], [], (fn) => {
    const [fromPtr, fromRowBytes, quadColumns, quadRows, toPtr] = [0, 1, 2, 3, 4].map((i) =>
      fn.param(i),
    ) as [Local, Local, Local, Local, Local];
    const from = fn.local('i32');
    const upper = fn.local('i32');
    const lower = fn.local('i32');
    const left = fn.local('i32');
    const rowBytes = fn.local('i32');
    const first = fn.local('v128');
    const second = fn.local('v128');
    const add = (local: Local, value: Expr) => set(local, i32.add(get(local), value));
    fn.emit(
      set(rowBytes, i32.shl(get(quadColumns), i32.const(3))),
      set(upper, get(toPtr)),
      loop((nextRow) => [
        set(from, get(fromPtr)),
        set(lower, i32.add(get(upper), get(rowBytes))),
        set(left, i32.shrU(get(quadColumns), i32.const(1))),
        ifThen(get(left), [
          loop((nextPair) => [
            set(first, meanOfSamples(get(from), 0, sampleCount)),
            set(second, meanOfSamples(get(from), quadBytes, sampleCount)),
            v128.store(get(upper), i8x16.shuffle(get(first), get(second), UPPER_ROWS), {
              align: 4,
            }),
            v128.store(get(lower), i8x16.shuffle(get(first), get(second), LOWER_ROWS), {
              align: 4,
            }),
            add(from, i32.const(2 * quadBytes)),
            add(upper, i32.const(16)),
            add(lower, i32.const(16)),
            add(left, i32.const(-1)),
            brIf(nextPair, get(left)),
          ]),
        ]),
        ifThen(i32.and(get(quadColumns), i32.const(1)), [
          set(first, meanOfSamples(get(from), 0, sampleCount)),
          v128.store64Lane(get(upper), get(first), 0, { align: 4 }),
          v128.store64Lane(get(lower), get(first), 1, { align: 4 }),
          add(lower, i32.const(8)),
        ]),
        set(upper, get(lower)),
        add(fromPtr, get(fromRowBytes)),
        add(quadRows, i32.const(-1)),
        brIf(nextRow, get(quadRows)),
      ]),
    );
  });
}

/**
 * Returns the mean of the samples of a quad.
 *
 * @param offset Offset of the quad from an address.
 */
function meanOfSamples(address: Expr, offset: number, sampleCount: number): Expr {
  const samples = Array.from(
    { length: sampleCount },
    (_, sample) => () => v128.load(address, { offset: offset + QUAD_BYTES * sample, align: 4 }),
  );
  if (sampleCount === 1) return samples[0]!();
  // Sums of bytes fit 16 bits.
  const halves = [i16x8.extendLowI8x16U, i16x8.extendHighI8x16U].map((extend) => {
    const sum = samples.map((sample) => extend(sample())).reduce(i16x8.add);
    const rounded = i16x8.add(sum, i16x8.splat(i32.const(sampleCount / 2)));
    return i16x8.shrU(rounded, i32.const(Math.log2(sampleCount)));
  });
  return i8x16.narrowI16x8U(halves[0]!, halves[1]!);
}
