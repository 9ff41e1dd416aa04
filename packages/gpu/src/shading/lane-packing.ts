/**
 * Lane packing: what is covered of a list of quads, close together, for fragment kernels whose lanes have nothing to do
 * with each other. Small triangles leave half the lanes of their quads empty; packed, a group has up to four
 * fragments of one primitive, wherever they lie, and only a primitive's last group has empty lanes.
 *
 * Fragments are numbered in the order of the quads and of their lanes; those of a primitive that follows another one
 * begin at a multiple of four. Whoever knows that rule finds the fragments of a quad: the packing kernel, which writes
 * positions, and the output merger, which takes colours back to their lanes. Values are those of the quads to the bit:
 * a fragment kernel computes each lane from its position and primitive alone.
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
/** A byte that `swizzle` answers with 0. */
const NO_BYTE = 0x80;

/** Where the output merger finds packed fragments. */
export interface PackedOutputs {
  /** By mask, the bytes of four fragments from the quad's first one on that go to the bytes of its lanes. */
  readonly spreadTablePtr: number;
  readonly outputPlaneBytes: number;
}

/** Packs the quads of a list. @returns Groups, the last one of each primitive filled up. */
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

  /** Packs the first `quadCount` quads of the list; positions and primitives go to their pools. @returns Groups. */
  pack(quadCount: number): number {
    return this.#run(this.#memory.quadsPtr, quadCount);
  }
}

/** The places that the output merger is generated for. */
export function packedOutputsOf({ laneTablesPtr, outputPlaneBytes }: ChipletMemory): PackedOutputs {
  return { spreadTablePtr: laneTablesPtr + MASKS * VECTOR_BYTES, outputPlaneBytes };
}

/** The fragment that a quad with `mask` has in a lane, counted from its first one. */
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
      // Behind the last fragment its position is repeated: most empty lanes look at texels that are looked at anyway.
      words.fill((lane & 1) | ((lane >> 1) << 16), (steps >> 2) + fragment, (steps >> 2) + LANES);
      for (let byte = 0; byte < 4; byte++) bytes[spread + 4 * lane + byte] = 4 * fragment + byte;
    }
  }
}

/** Counts the fragments of a list as the rule above says; for kernels that go through quads. */
export class PackedPlace {
  readonly #next: Local;
  readonly #previous: Local;

  /** @param setUp Code before the loop over the quads. */
  constructor(setUp: KernelCode) {
    this.#next = setUp.fn.local('i32');
    this.#previous = setUp.fn.local('i32');
    setUp.add(set(this.#next, i32.const(0)), set(this.#previous, i32.const(-1)));
  }

  /** Number of the first fragment of a quad; `code` may use it until the next quad. */
  takeQuad(code: KernelCode, primitive: Expr, mask: Expr): Expr {
    const kept = code.keep(primitive);
    const first = code.keep(
      select(this.#wholeGroups(), get(this.#next), i32.ne(kept, get(this.#previous))),
    );
    code.add(set(this.#previous, kept), set(this.#next, i32.add(first, i32.popcnt(mask))));
    return first;
  }

  /** Lanes of the groups that have been begun. */
  #wholeGroups(): Expr {
    return i32.and(i32.add(get(this.#next), i32.const(LANES - 1)), i32.const(-LANES));
  }

  /** Groups so far. */
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
        // A quad may end in the group after the one that it begins in; if it does not, the next quad overwrites that.
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
