/** Runs a merge kernel outside of the pipeline, on a small target in its own memory, for tests. */
import { generateMergeKernel, type MergeRun } from '../output/merge/merge-kernel.ts';
import type { MergeKey } from '../output/merge/merge-key.ts';

/** Number of quads in a row of the target. */
export const QUADS_PER_ROW = 3;
/** Number of quads in the target. */
export const TARGET_QUADS = QUADS_PER_ROW * 2;
const BIN_X = 64;
const BIN_Y = 128;
const PRIMITIVE_STRIDE = 48;
const PTR = {
  quads: 1024,
  outputs: 4096,
  quadDepth: 16_384,
  color: 20_480,
  depth: 24_576,
  stencil: 28_672,
  counts: 32_768,
  primitives: 36_864,
};

/** Quad of the list, with its position in the target. */
export interface Quad {
  readonly column: number;
  readonly row: number;
  readonly mask: number;
  readonly isFrontFacing: boolean;
  readonly depth: readonly number[];
  /** Values by output, then lane. */
  readonly outputs: readonly (readonly number[])[];
}

/** Words of the targets, quad-tiled. */
export interface Targets {
  readonly color: readonly number[];
  readonly depth: readonly number[];
  readonly stencil: readonly number[];
}

/** Targets and counts after the merge. */
export interface MergeResult extends Targets {
  readonly failed: number;
  readonly passed: number;
}

/** Merges `quads` into a copy of `targets`. */
export function runKernel(key: MergeKey, quads: readonly Quad[], targets: Targets): MergeResult {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const ints = new Int32Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  const outputCount = quads[0]?.outputs.length ?? 0;
  for (const [index, quad] of quads.entries()) {
    const record = [BIN_X + 2 * quad.column, BIN_Y + 2 * quad.row, quad.mask, index];
    ints.set(record, PTR.quads / 4 + index * 4);
    ints.set(quad.depth, PTR.quadDepth / 4 + index * 4);
    floats.set(quad.outputs.flat(), PTR.outputs / 4 + index * outputCount * 4);
    ints[(PTR.primitives + index * PRIMITIVE_STRIDE + 8) / 4] = quad.isFrontFacing ? 3 : 2;
  }
  ints.set(targets.color, PTR.color / 4);
  ints.set(targets.depth, PTR.depth / 4);
  ints.set(targets.stencil, PTR.stencil / 4);
  ints.set([1000, 2000], PTR.counts / 4);
  const module = new WebAssembly.Module(generateMergeKernel(key));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const run = exports.run as MergeRun;
  run(
    PTR.quads,
    quads.length,
    PTR.outputs,
    outputCount,
    PTR.quadDepth,
    PTR.color,
    PTR.depth,
    PTR.stencil,
    BIN_X,
    BIN_Y,
    QUADS_PER_ROW,
    PTR.counts,
    PTR.primitives,
    PRIMITIVE_STRIDE,
  );
  const words = (ptr: number) => [...ints.slice(ptr / 4, ptr / 4 + TARGET_QUADS * 4)];
  return {
    color: words(PTR.color),
    depth: words(PTR.depth),
    stencil: words(PTR.stencil),
    failed: ints[PTR.counts / 4]! - 1000,
    passed: ints[PTR.counts / 4 + 1]! - 2000,
  };
}

/**
 * Merges one full quad into a target of one quad.
 *
 * @param outputs Values by output, then lane.
 * @returns Words of the target.
 */
export function mergeOneQuad(
  key: MergeKey,
  outputs: readonly (readonly number[])[],
  target: Int32Array,
): Int32Array {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const ints = new Int32Array(memory.buffer);
  ints.set([BIN_X, BIN_Y, 15, 0], PTR.quads / 4);
  new Float32Array(memory.buffer).set(outputs.flat(), PTR.outputs / 4);
  ints.set(target, PTR.color / 4);
  const module = new WebAssembly.Module(generateMergeKernel(key));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const run = exports.run as MergeRun;
  const { quads, quadDepth, color, depth, stencil, counts, primitives } = PTR;
  run(
    ...([quads, 1, PTR.outputs, outputs.length, quadDepth, color, depth, stencil] as const),
    ...([BIN_X, BIN_Y, QUADS_PER_ROW, counts, primitives, PRIMITIVE_STRIDE] as const),
  );
  return ints.slice(color / 4, color / 4 + target.length);
}
