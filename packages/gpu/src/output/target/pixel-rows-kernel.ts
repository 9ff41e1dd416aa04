/**
 * Kernel that converts quads to rows of pixels: WebAssembly SIMD, two quads at a time. A module
 * imports `env.memory` and exports `run` ({@link PixelRowsRun}).
 */
import {
  brIf,
  type Expr,
  get,
  i8x16,
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
 * Copies `quadRows` rows of `quadColumns` quads, 32 bits per pixel and `QUAD_BYTES` apart, as rows
 * of pixels.
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

/** Returns the module. All of its parameters must be positive. */
export function generatePixelRowsKernel(): Uint8Array<ArrayBuffer> {
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
            set(first, v128.load(get(from), { align: 4 })),
            set(second, v128.load(get(from), { offset: QUAD_BYTES, align: 4 })),
            v128.store(get(upper), i8x16.shuffle(get(first), get(second), UPPER_ROWS), {
              align: 4,
            }),
            v128.store(get(lower), i8x16.shuffle(get(first), get(second), LOWER_ROWS), {
              align: 4,
            }),
            add(from, i32.const(2 * QUAD_BYTES)),
            add(upper, i32.const(16)),
            add(lower, i32.const(16)),
            add(left, i32.const(-1)),
            brIf(nextPair, get(left)),
          ]),
        ]),
        ifThen(i32.and(get(quadColumns), i32.const(1)), [
          set(first, v128.load(get(from), { align: 4 })),
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
