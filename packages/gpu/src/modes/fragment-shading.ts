/**
 * Fragment shading and output merging of the quads that tile traversal collected, with one call of
 * each kernel per list.
 */
import { ALL_SAMPLES } from '@tessera/frame';
import { QUAD_RECORD } from '@tessera/shader/codegen';
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { MergeRun } from '../output/merge/merge-kernel.ts';
import { laneCount, type TileTraversal } from '../raster/coverage/tile-traversal.ts';
import { LanePacking } from '../shading/lane-packing.ts';
import { type SampleRound, SampleRounds } from '../shading/sample-rounds.ts';
import { checkKernelStatus } from '../shading/shader-kernel.ts';
import type { BinQueries } from './bin-queries.ts';

const VECTOR_BYTES = 16;

/** Receives the rounds of a warp whose shader runs for each covered sample. */
export interface RoundListener {
  /** Called before a round of a warp of a draw. */
  addRound(draw: BoundDraw, round: SampleRound): void;
}

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
  readonly #rounds: SampleRounds;
  readonly #warpQuads: number;
  #binX = 0;
  #binY = 0;
  #quadsPerRow = 0;
  /** Size of a quad's depths from the rasterizer. */
  #quadDepthBytes = VECTOR_BYTES;

  /**
   * @param queries Receives the fragments of each draw.
   * @param warpQuads Number of quads per warp.
   */
  constructor(memory: ChipletMemory, queries: BinQueries, warpQuads: number) {
    this.#memory = memory;
    this.#rounds = new SampleRounds(memory);
    this.#warpQuads = warpQuads;
    this.#queries = queries;
    this.#packing = new LanePacking(memory);
  }

  /** Starts a coarse bin and resets the counts. */
  beginBin(binX: number, binY: number, quadsPerRow: number, sampleCount: number): void {
    this.#quadDepthBytes = VECTOR_BYTES * sampleCount;
    this.#binX = binX;
    this.#binY = binY;
    this.#quadsPerRow = quadsPerRow;
    this.fragmentsShaded = 0;
    this.helperLanes = 0;
    this.fragmentsDiscarded = 0;
    this.fragmentsLateKilled = 0;
    this.fragmentsWritten = 0;
  }

  /**
   * Shades and merges the quads in the list, all of one draw, and empties it.
   *
   * @param listener Receives the rounds of warps that run for each sample.
   */
  shadeList(
    list: TileTraversal,
    binding: DrawBinding,
    listener: RoundListener | null = null,
  ): void {
    const { quadCount, listedFragments } = list;
    if (quadCount === 0) return;
    const { draw, constantsPtr, texturesPtr, primitivesPtr } = binding;
    const memory = this.#memory;
    if (draw.isSampleShaded) {
      this.eachRound(quadCount, draw, listener, (first, count, round) => {
        this.shadeQuads(binding, first, count);
        this.countRound(binding, first, count, round);
        this.mergeQuads(binding, first, count);
      });
      list.clearList();
      return;
    }

    // 1. Shade.
    const packed = isWorthPacking(draw, quadCount, listedFragments) ? draw.packedKernels() : null;
    if (packed === null) this.shadeQuads(binding, 0, quadCount);
    else {
      checkKernelStatus(
        packed.fragmentKernel(
          memory.packedPositionsPtr,
          this.#packing.pack(quadCount),
          primitivesPtr,
          memory.fragmentOutputPtr,
          constantsPtr,
          texturesPtr,
          memory.scratchPtr,
        ),
        'fragment',
      );
      // Instructions count per quad, packed or not.
      memory.instructions.add(quadCount, draw.fragmentInstructions);
    }
    this.countShaded(list, binding);

    // 2. Merge.
    this.mergeQuads(binding, 0, quadCount, packed?.mergeKernel);
    list.clearList();
  }

  /** Calls `shade` for each round of the warps of a list, with the quads of the warp. */
  eachRound(
    quadCount: number,
    draw: BoundDraw,
    listener: RoundListener | null,
    shade: (first: number, count: number, round: SampleRound) => void,
  ): void {
    for (let first = 0; first < quadCount; first += this.#warpQuads) {
      const count = Math.min(this.#warpQuads, quadCount - first);
      this.#rounds.run(first, count, (round) => {
        listener?.addRound(draw, round);
        shade(first, count, round);
      });
    }
  }

  /**
   * Shades quads `first` to `first + count` − 1 of the list, without counting their fragments. The
   * kernel removes discarded fragments from their masks.
   */
  shadeQuads(binding: DrawBinding, first: number, count: number): void {
    const { draw, constantsPtr, texturesPtr, primitivesPtr } = binding;
    const memory = this.#memory;
    const kept = keptSamples(draw);
    if (draw.readsSampleMask && kept !== ALL_SAMPLES) this.#rounds.cut(first, count, kept);
    checkKernelStatus(
      draw.fragmentKernel(
        memory.quadsPtr + first * QUAD_RECORD.bytes,
        count,
        primitivesPtr,
        outputOfQuad(memory, draw, first),
        constantsPtr,
        texturesPtr,
        memory.scratchPtr,
      ),
      'fragment',
    );
    memory.instructions.add(count, draw.fragmentInstructions);
  }

  /** Counts the fragments of a round of a warp, which is shaded. */
  countRound({ draw }: DrawBinding, first: number, count: number, round: SampleRound): void {
    this.fragmentsShaded += round.lanes;
    this.helperLanes += 4 * round.quads - round.lanes;
    if (draw.program.fragment.usesDiscard) {
      this.fragmentsDiscarded += round.lanes - this.#countLanes(first, count);
    }
  }

  /** Counts the fragments of the list, which is shaded. */
  countShaded({ quadCount, listedFragments }: TileTraversal, { draw }: DrawBinding): void {
    this.fragmentsShaded += listedFragments;
    this.helperLanes += 4 * quadCount - listedFragments;
    if (draw.program.fragment.usesDiscard) {
      this.fragmentsDiscarded += listedFragments - this.#countLanes(0, quadCount);
    }
  }

  /**
   * Merges quads `first` to `first + count` − 1 of the list and counts their fragments.
   *
   * @param mergeKernel Kernel for the form of the fragment outputs; by default that of quads.
   */
  mergeQuads(
    { draw, primitivesPtr }: DrawBinding,
    first: number,
    count: number,
    mergeKernel: MergeRun = draw.mergeKernel,
  ): void {
    const memory = this.#memory;
    const countsAt = memory.countsPtr >> 2;
    memory.i32[countsAt] = 0;
    memory.i32[countsAt + 1] = 0;
    mergeKernel(
      memory.quadsPtr + first * QUAD_RECORD.bytes,
      count,
      outputOfQuad(memory, draw, first),
      draw.program.fragment.outputSlots.length,
      memory.quadDepthsPtr + first * this.#quadDepthBytes,
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
  }

  #countLanes(first: number, count: number): number {
    const { i32, quadsPtr } = this.#memory;
    const at = (quadsPtr >> 2) + 2;
    let lanes = 0;
    for (let quad = first; quad < first + count; quad++) lanes += laneCount(i32[at + 4 * quad]!);
    return lanes;
  }
}

/** Returns the samples that the state of a draw keeps, one bit each. */
function keptSamples({ draw }: BoundDraw): number {
  return draw.state.multisample?.sampleMask ?? ALL_SAMPLES;
}

/** Returns the address of the outputs of a quad of the list, shaded by quads. */
export function outputOfQuad(
  { fragmentOutputPtr }: ChipletMemory,
  { program }: BoundDraw,
  quad: number,
): number {
  return fragmentOutputPtr + quad * program.fragment.outputSlots.length * VECTOR_BYTES;
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
