/**
 * Lane packing: moves the covered fragments of a quad list close together, for fragment kernels
 * with independent lanes. Small triangles leave half the lanes of their quads empty. A packed group
 * has up to four fragments of one primitive, wherever they are, and only a primitive's last group
 * has empty lanes.
 *
 * Fragments are numbered in the order of the quads and of their lanes. The number of each
 * primitive's first fragment is a multiple of four. This rule is enough to find the fragments of a
 * quad. The packing kernel uses it to write positions, and the output merger to move colors back to
 * their lanes. Results equal those of quads to the bit, because a fragment kernel computes each
 * lane from its position and primitive alone.
 */
import { QUAD_RECORD } from '@tessera/shader/codegen';
import {
  brIf,
  createLabel,
  type Expr,
  get,
  i32,
  i32x4,
  ifThen,
  type Local,
  loop,
  ret,
  type Stmt,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../kernel/encode-kernel.ts';
import { instantiateKernel } from '../kernel/instantiate-kernel.ts';
import { KernelCode } from '../kernel/kernel-code.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { laneCount } from '../raster/coverage/tile-traversal.ts';

const LANES = 4;
const MASKS = 16;
const VECTOR_BYTES = 16;
/** Index that makes `swizzle` return 0. */
const NO_BYTE = 0x80;

/** Location of packed fragments for the output merger. */
export interface PackedOutputs {
  /**
   * Table by mask: for each byte of the quad's lanes, the byte within the four fragments from its
   * first one.
   */
  readonly spreadTablePtr: number;
  readonly outputPlaneBytes: number;
}

/**
 * Packs the quads of a list.
 *
 * @returns Number of groups. The last group of each primitive is padded.
 */
type PackRun = (quadsPtr: number, quadCount: number) => number;

/** Packs the quad list of a chiplet. */
export class LanePacking {
  readonly #memory: ChipletMemory;
  readonly #run: PackRun;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    writeTables(memory);
    this.#run = instantiateKernel<PackRun>(generatePackKernel(memory), memory.memory);
  }

  /**
   * Packs the first `quadCount` quads of the list. Writes positions and primitives to their pools.
   *
   * @returns Number of groups.
   */
  pack(quadCount: number): number {
    return this.#run(this.#memory.quadsPtr, quadCount);
  }
}

/** Returns the locations that the output merger is generated for. */
export function packedOutputsOf({ laneTablesPtr, outputPlaneBytes }: ChipletMemory): PackedOutputs {
  return { spreadTablePtr: laneTablesPtr + MASKS * VECTOR_BYTES, outputPlaneBytes };
}

/** Returns the fragment of a quad with `mask` in a lane, counted from the quad's first. */
function fragmentOfLane(mask: number, lane: number): number {
  return laneCount(mask & ((1 << lane) - 1));
}

function writeTables({ i32: words, u8: bytes, laneTablesPtr }: ChipletMemory): void {
  for (let mask = 0; mask < MASKS; mask++) {
    const steps = laneTablesPtr + mask * VECTOR_BYTES;
    const spread = steps + MASKS * VECTOR_BYTES;
    bytes.fill(NO_BYTE, spread, spread + VECTOR_BYTES);
    for (let lane = 0; lane < LANES; lane++) {
      if ((mask & (1 << lane)) === 0) continue;
      const fragment = fragmentOfLane(mask, lane);
      // The position of the last fragment is repeated after it. Most empty lanes then read texels
      // that are read anyway.
      words.fill((lane & 1) | ((lane >> 1) << 16), (steps >> 2) + fragment, (steps >> 2) + LANES);
      for (let byte = 0; byte < 4; byte++) bytes[spread + 4 * lane + byte] = 4 * fragment + byte;
    }
  }
}

/** Counts the fragments of a list by the rule above, for kernels that process quads. */
export class PackedPlace {
  readonly #next: Local;
  readonly #previous: Local;

  /** @param setUp Code before the loop over the quads. */
  constructor(setUp: KernelCode) {
    this.#next = setUp.fn.local('i32');
    this.#previous = setUp.fn.local('i32');
    setUp.add(set(this.#next, i32.const(0)), set(this.#previous, i32.const(-1)));
  }

  /** Returns the number of the first fragment of a quad. `code` may use it until the next quad. */
  takeQuad(code: KernelCode, primitive: Expr, mask: Expr): Expr {
    const kept = code.keep(primitive);
    const first = code.keep(
      select(this.#wholeGroups(), get(this.#next), i32.ne(kept, get(this.#previous))),
    );
    code.add(set(this.#previous, kept), set(this.#next, i32.add(first, i32.popcnt(mask))));
    return first;
  }

  /** Returns the number of lanes in the started groups. */
  #wholeGroups(): Expr {
    return i32.and(i32.add(get(this.#next), i32.const(LANES - 1)), i32.const(-LANES));
  }

  /** Returns the number of groups so far. */
  groupCount(): Expr {
    return i32.shrU(i32.add(get(this.#next), i32.const(LANES - 1)), i32.const(2));
  }
}

function generatePackKernel(memory: ChipletMemory): Uint8Array<ArrayBuffer> {
  const { packedPositionsPtr, packedPrimitivesPtr, laneTablesPtr } = memory;
  return encodeKernel('packFragments', ['i32', 'i32'], ['i32'], (fn) => {
    const [quad, quadsLeft] = [fn.param(0), fn.param(1)];
    const setUp = new KernelCode(fn);
    const place = new PackedPlace(setUp);
    const next = createLabel('next quad');
    const body = setUp.branch((code) => {
      const word = (offset: number): Expr => code.keep(i32.load(get(quad), { offset }));
      const [x, y, mask, primitive] = [word(0), word(4), word(8), word(12)];
      const first = place.takeQuad(code, primitive, mask);
      const corner = i32x4.splat(i32.or(x, i32.shl(y, i32.const(16))));
      const steps = v128.load(i32.shl(mask, i32.const(4)), { offset: laneTablesPtr });
      const storePrimitive = (lane: Expr): Stmt =>
        i32.store(i32.shl(i32.and(lane, i32.const(-LANES)), i32.const(2)), primitive, {
          offset: packedPrimitivesPtr,
        });
      code.add(
        v128.store(i32.shl(first, i32.const(2)), i32x4.add(corner, steps), {
          offset: packedPositionsPtr,
        }),
        // A quad may end in the group after its first. If it does not, the next quad overwrites
        // that entry.
        storePrimitive(first),
        storePrimitive(i32.add(first, i32.const(LANES - 1))),
        set(quad, i32.add(get(quad), i32.const(QUAD_RECORD.bytes))),
        set(quadsLeft, i32.sub(get(quadsLeft), i32.const(1))),
        brIf(next, get(quadsLeft)),
      );
    });
    fn.emit(
      ...setUp.statements,
      ifThen(i32.gtS(get(quadsLeft), i32.const(0)), [loop(body, next)]),
      ret(place.groupCount()),
    );
  });
}
