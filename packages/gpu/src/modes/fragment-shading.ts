/**
 * Fragment shading and output merging of the quads that tile traversal collected, with one call of
 * each kernel per list.
 */
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { laneCount, type TileTraversal } from '../raster/coverage/tile-traversal.ts';
import { LanePacking } from '../shading/lane-packing.ts';
import { checkKernelStatus } from '../shading/shader-kernel.ts';
import type { BinQueries } from './bin-queries.ts';

/** Arguments of a draw's kernels within a batch. */
export interface DrawBinding {
  readonly draw: BoundDraw;
  readonly constantsPtr: number;
  readonly texturesPtr: number;
  readonly primitivesPtr: number;
}

/** Shades and merges quad lists of one coarse bin, and counts fragments. */
export class FragmentShading {
  fragmentsShaded = 0;
  helperLanes = 0;
  fragmentsDiscarded = 0;
  fragmentsLateKilled = 0;
  fragmentsWritten = 0;

  readonly #memory: ChipletMemory;
  readonly #packing: LanePacking;
  readonly #queries: BinQueries;
  #binX = 0;
  #binY = 0;
  #quadsPerRow = 0;

  /** @param queries Receives the fragments of each draw. */
  constructor(memory: ChipletMemory, queries: BinQueries) {
    this.#memory = memory;
    this.#queries = queries;
    this.#packing = new LanePacking(memory);
  }

  /** Starts a coarse bin and resets the counts. */
  beginBin(binX: number, binY: number, quadsPerRow: number): void {
    this.#binX = binX;
    this.#binY = binY;
    this.#quadsPerRow = quadsPerRow;
    this.fragmentsShaded = 0;
    this.helperLanes = 0;
    this.fragmentsDiscarded = 0;
    this.fragmentsLateKilled = 0;
    this.fragmentsWritten = 0;
  }

  /** Shades and merges the quads in the list, all of one draw, and empties it. */
  shadeList(
    list: TileTraversal,
    { draw, constantsPtr, texturesPtr, primitivesPtr }: DrawBinding,
  ): void {
    const { quadCount, listedFragments } = list;
    if (quadCount === 0) return;
    const memory = this.#memory;
    const { quadsPtr, fragmentOutputPtr, scratchPtr } = memory;

    // 1. Shade.
    const packed = isWorthPacking(draw, quadCount, listedFragments) ? draw.packedKernels() : null;
    const { fragmentKernel, mergeKernel } = packed ?? draw;
    const groupCount = packed === null ? quadCount : this.#packing.pack(quadCount);
    checkKernelStatus(
      fragmentKernel(
        packed === null ? quadsPtr : memory.packedPositionsPtr,
        groupCount,
        primitivesPtr,
        fragmentOutputPtr,
        constantsPtr,
        texturesPtr,
        scratchPtr,
      ),
      'fragment',
    );
    // Instructions count per quad, packed or not.
    memory.instructions.add(quadCount, draw.fragmentInstructions);
    this.fragmentsShaded += listedFragments;
    this.helperLanes += 4 * quadCount - listedFragments;
    if (draw.program.fragment.usesDiscard) {
      this.fragmentsDiscarded += listedFragments - this.#countLanes(quadCount);
    }

    // 2. Merge.
    const countsAt = memory.countsPtr >> 2;
    memory.i32[countsAt] = 0;
    memory.i32[countsAt + 1] = 0;
    mergeKernel(
      quadsPtr,
      quadCount,
      fragmentOutputPtr,
      draw.program.fragment.outputSlots.length,
      memory.quadDepthsPtr,
      memory.binColorPtr,
      memory.binDepthPtr,
      memory.binStencilPtr,
      this.#binX,
      this.#binY,
      this.#quadsPerRow,
      memory.countsPtr,
      primitivesPtr,
      draw.attributes.recordBytes,
    );
    this.fragmentsLateKilled += memory.i32[countsAt]!;
    const written = memory.i32[countsAt + 1]!;
    this.fragmentsWritten += written;
    this.#queries.add(draw.drawIndex, written);
    list.clearList();
  }

  #countLanes(quadCount: number): number {
    const { i32, quadsPtr } = this.#memory;
    const at = (quadsPtr >> 2) + 2;
    let lanes = 0;
    for (let quad = 0; quad < quadCount; quad++) lanes += laneCount(i32[at + 4 * quad]!);
    return lanes;
  }
}

/**
 * Minimum list length for packing. Shorter lists take longer to pack than to shade, and their
 * kernels longer to compile.
 */
const MIN_QUADS = 1024;
/** Approximate cost of packing and unpacking a quad, in instructions. */
const PACKING_INSTRUCTIONS = 8;
/** Approximate number of fragments per packed group of small triangles. */
const FRAGMENTS_PER_GROUP = 3.5;

/** Returns whether packing the list saves more work than it costs. */
function isWorthPacking(
  { fragmentInstructions }: BoundDraw,
  quadCount: number,
  listedFragments: number,
): boolean {
  if (quadCount < MIN_QUADS) return false;
  const groupsSaved = quadCount - listedFragments / FRAGMENTS_PER_GROUP;
  return groupsSaved * fragmentInstructions > quadCount * PACKING_INSTRUCTIONS;
}
