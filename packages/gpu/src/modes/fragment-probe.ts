/**
 * Pixel phase under observation: the same kernels, called for single entries, quads and lanes, so
 * that an observer sees what happens to each fragment. Pixels and counts equal those without it,
 * because entries, quads and lanes are independent of how many a call has.
 *
 *     covered quads ─► early depth ─► fragment shading ─► output merger, lane by lane
 *        onCovered        onTested         onShaded          onMerging, onMerged
 */
import type { DrawCounts, RectPx } from '@tessera/frame';
import { MAX_SAMPLE_COUNT } from '@tessera/frame';
import {
  AT_SAMPLE,
  QUAD_RECORD,
  SAMPLE_MASK_SHIFT,
  SAMPLE_NUMBER_SHIFT,
} from '@tessera/shader/codegen';
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { TargetLayout } from '../output/target/target-layout.ts';
import type { TileTraversal } from '../raster/coverage/tile-traversal.ts';
import { RECORD_I32, SOURCE_PRIMITIVE } from '../records/raster-record.ts';
import {
  type QuadMask,
  readQuadMask,
  samplesOfLanes,
  writeQuadMask,
} from '../shading/quad-mask.ts';
import type { DrawBinding, FragmentShading, RoundListener } from './fragment-shading.ts';

/** Bin under observation. */
export interface ObservedBin {
  readonly rect: RectPx;
  readonly layout: TargetLayout;
  readonly memory: ChipletMemory;
}

/** Quad of one primitive with at least one covered sample. */
export interface ObservedQuad {
  readonly binding: DrawBinding;
  /** Index of the primitive in its draw. */
  readonly primitive: number;
  /** Pixel of lane 0. Lane l is pixel (x + (l & 1), y + (l >> 1)). */
  readonly x: number;
  readonly y: number;
  /** Mask of a quad record: lanes in the low bits, samples above; see QUAD_RECORD. */
  readonly covered: QuadMask;
  /** Index of the primitive's record in the draw's part of the pool. */
  readonly record: number;
  /** Place in the quad list, which also is that of its depths and fragment outputs. */
  readonly place: number;
}

/** Observer of fragments. All masks are those of quad records. */
export interface FragmentObserver {
  beginBin(bin: ObservedBin): void;
  /** Returns whether quads in a rectangle of the target are observed. */
  observes(rect: RectPx): boolean;
  /** Called before the depth test that precedes shading, if the draw has one. */
  onCovered(quad: ObservedQuad): void;
  /** @param passed Mask of the samples that are shaded. */
  onTested(quad: ObservedQuad, passed: QuadMask): void;
  /**
   * @param kept Mask without discarded fragments.
   * @param instructions Instructions of the quad's four lanes.
   */
  onShaded(quad: ObservedQuad, shaded: QuadMask, kept: QuadMask, instructions: number): void;
  /** Called before a fragment is merged. */
  onMerging(quad: ObservedQuad, lane: number): void;
  /** @param isWritten Whether it passed the tests of the output merger. */
  onMerged(quad: ObservedQuad, lane: number, isWritten: boolean): void;
  /** Called at the end of the bin with the counts of its draws. */
  endBin(countsByDraw: ReadonlyMap<number, DrawCounts>): void;
}

/** Observation of one bin. */
export interface Observation {
  /** Observer of the fragments; `null` for none. */
  readonly observer: FragmentObserver | null;
  /** Index of the last draw of the pass that is run; all by default. */
  readonly lastDraw?: number | undefined;
}

const LANES = 15;
/** Bit of lane 0 in each sample of four. */
const LANE_OF_EACH_SAMPLE = 0x1111;
const NO_SAMPLES: QuadMask = { mask: 0, moreSamples: 0 };

/** Returns the bits of lanes in the mask of a quad record. */
function bitsOfLanes(lanes: number): QuadMask {
  const samples = lanes * LANE_OF_EACH_SAMPLE;
  return { mask: lanes | (samples << SAMPLE_MASK_SHIFT), moreSamples: samples };
}

function intersectMasks(one: QuadMask, other: QuadMask): QuadMask {
  return { mask: one.mask & other.mask, moreSamples: one.moreSamples & other.moreSamples };
}

/** Returns bits of the samples that are merged with the lanes of a mask: one, or all. */
function mergedSamples({ mask }: QuadMask): QuadMask {
  if ((mask & AT_SAMPLE) === 0) return { mask: -1, moreSamples: -1 };
  const sample = (mask >> SAMPLE_NUMBER_SHIFT) & (MAX_SAMPLE_COUNT - 1);
  const bits = samplesOfLanes(LANES, sample);
  return { mask: LANES | bits.mask, moreSamples: bits.moreSamples };
}

/** Calls the kernels of the pixel phase for an observer. */
export class FragmentProbe {
  readonly #memory: ChipletMemory;
  readonly #traversal: TileTraversal;
  readonly #shading: FragmentShading;
  readonly #observer: FragmentObserver;
  /** Index in its draw of each primitive of the batch. */
  readonly #primitives: number[] = [];
  /** Observed quads of the list, by place. */
  readonly #listed = new Map<number, ObservedQuad>();
  readonly #countsByDraw = new Map<number, DrawCounts>();

  constructor(
    memory: ChipletMemory,
    traversal: TileTraversal,
    shading: FragmentShading,
    observer: FragmentObserver,
  ) {
    this.#memory = memory;
    this.#traversal = traversal;
    this.#shading = shading;
    this.#observer = observer;
  }

  /** Starts a bin. */
  beginBin(rect: RectPx, layout: TargetLayout): void {
    this.#listed.clear();
    this.#countsByDraw.clear();
    this.#observer.beginBin({ rect, layout, memory: this.#memory });
  }

  /** Ends the bin. */
  endBin(): void {
    this.#observer.endBin(this.#countsByDraw);
  }

  /**
   * Names primitives of the batch.
   *
   * @param first Index in the batch of the first of `count` primitives.
   * @param ids Indices in the draw, from position `start`.
   */
  namePrimitives(first: number, count: number, ids: Uint32Array, start: number): void {
    for (let k = 0; k < count; k++) this.#primitives[first + k] = ids[start + k]!;
  }

  /** Walks entries of a fine bin like `TileTraversal.traverse`. */
  traverse(binding: DrawBinding, first: number, end: number, rect: RectPx): number {
    const traversal = this.#traversal;
    const { fragmentsCovered, fragmentsEarlyKilled } = traversal;
    const walked = this.#observer.observes(rect)
      ? this.#traverseSingly(binding, first, end, rect)
      : traversal.traverse(binding.draw.traversalKernel, first, end, rect);
    const counts = this.#countsOf(binding.draw);
    counts.fragmentsCovered += traversal.fragmentsCovered - fragmentsCovered;
    counts.fragmentsEarlyKilled += traversal.fragmentsEarlyKilled - fragmentsEarlyKilled;
    return walked;
  }

  #traverseSingly(binding: DrawBinding, first: number, end: number, rect: RectPx): number {
    const { draw } = binding;
    const traversal = this.#traversal;
    for (let entry = first; entry < end; entry++) {
      const place = traversal.quadCount;
      const primitive = this.#primitiveOf(entry);
      let quads: ObservedQuad[] = [];
      if (draw.depthStage === 'early') {
        const count = traversal.findCovered(draw.coverageKernel(), entry, rect);
        if (count === null) return entry;
        quads = this.#readQuads(binding, primitive, place, count);
        for (const quad of quads) this.#observer.onCovered(quad);
      }
      const walked = traversal.traverse(draw.traversalKernel, entry, entry + 1, rect);
      if (walked === entry) return entry;
      const listed = this.#readQuads(binding, primitive, place, traversal.quadCount - place);
      if (draw.depthStage === 'early') this.#reportTested(quads, listed);
      else this.#reportUntested(listed);
    }
    return end;
  }

  /** Reports quads with their early test. Listed quads have the order of covered ones. */
  #reportTested(covered: readonly ObservedQuad[], listed: readonly ObservedQuad[]): void {
    let next = 0;
    for (const quad of covered) {
      const survivor = listed[next];
      const isListed = survivor?.x === quad.x && survivor.y === quad.y;
      this.#observer.onTested(quad, isListed ? survivor.covered : NO_SAMPLES);
      if (!isListed) continue;
      this.#listed.set(survivor.place, { ...quad, place: survivor.place });
      next++;
    }
    if (next !== listed.length) throw new Error('probe: the early test lists uncovered quads');
  }

  #reportUntested(listed: readonly ObservedQuad[]): void {
    for (const quad of listed) {
      this.#observer.onCovered(quad);
      this.#observer.onTested(quad, quad.covered);
      this.#listed.set(quad.place, quad);
    }
  }

  #readQuads(
    binding: DrawBinding,
    primitive: number,
    first: number,
    count: number,
  ): ObservedQuad[] {
    const { i32, quadsPtr } = this.#memory;
    return Array.from({ length: count }, (_, k) => {
      const place = first + k;
      const word = (offset: number) => i32[(quadsPtr + place * QUAD_RECORD.bytes + offset) >> 2]!;
      const [x, y] = [word(QUAD_RECORD.x), word(QUAD_RECORD.y) & 0xffff];
      const [covered, record] = [this.#maskOf({ place }), word(QUAD_RECORD.primitive)];
      return { binding, primitive, x, y, covered, record, place };
    });
  }

  #primitiveOf(entry: number): number {
    const { i32, fineBinEntriesPtr, rasterRecordsPtr } = this.#memory;
    const record = i32[(fineBinEntriesPtr >> 2) + entry]!;
    return this.#primitives[
      i32[(rasterRecordsPtr >> 2) + record * RECORD_I32 + SOURCE_PRIMITIVE]!
    ]!;
  }

  /** Shades and merges the list like `FragmentShading.shadeList`. */
  shadeList(binding: DrawBinding, listener: RoundListener | null = null): void {
    const shading = this.#shading;
    const { quadCount } = this.#traversal;
    const { draw } = binding;
    const before = countsOfShading(shading);
    const instructionsBefore = this.#memory.instructions.spent;
    if (draw.isSampleShaded) {
      shading.eachRound(quadCount, draw, listener, (first, count, round) => {
        this.#shadeVisited(binding, first, count);
        shading.countRound(binding, first, count, round);
        this.#mergeVisited(binding, first, count);
      });
    } else {
      this.#shadeVisited(binding, 0, quadCount);
      shading.countShaded(this.#traversal, binding);
      this.#mergeVisited(binding, 0, quadCount);
    }
    this.#traversal.clearList();
    this.#listed.clear();

    const counts = this.#countsOf(binding.draw);
    const after = countsOfShading(shading);
    for (const name of Object.keys(after) as (keyof typeof after)[]) {
      counts[name] += after[name] - before[name];
    }
    counts.instructions += this.#memory.instructions.spent - instructionsBefore;
  }

  #shadeVisited(binding: DrawBinding, first: number, count: number): void {
    this.#visit(first, count, {
      single: (quad) => this.#shadeQuad(quad),
      others: (from, quads) => this.#shading.shadeQuads(binding, from, quads),
    });
  }

  #mergeVisited(binding: DrawBinding, first: number, count: number): void {
    this.#visit(first, count, {
      single: (quad) => this.#mergeQuad(quad),
      others: (from, quads) => this.#shading.mergeQuads(binding, from, quads),
    });
  }

  /**
   * Visits `count` quads of the list from `first` on, in order: observed quads one by one, the
   * others in runs.
   */
  #visit(
    first: number,
    count: number,
    visitor: {
      readonly single: (quad: ObservedQuad) => void;
      readonly others: (first: number, count: number) => void;
    },
  ): void {
    let from = first;
    const runUntil = (end: number) => {
      if (end > from) visitor.others(from, end - from);
    };
    for (const [place, quad] of this.#listed) {
      if (place < first || place >= first + count) continue;
      runUntil(place);
      visitor.single(quad);
      from = place + 1;
    }
    runUntil(first + count);
  }

  #shadeQuad(quad: ObservedQuad): void {
    const { instructions } = this.#memory;
    const before = instructions.spent;
    const shaded = this.#maskOf(quad);
    this.#shading.shadeQuads(quad.binding, quad.place, 1);
    // Samples that the shader is not told of are cut when the fragment is merged.
    const kept = intersectMasks(shaded, bitsOfLanes(this.#maskOf(quad).mask & LANES));
    this.#observer.onShaded(quad, shaded, kept, instructions.spent - before);
  }

  #mergeQuad(quad: ObservedQuad): void {
    const shading = this.#shading;
    const mask = this.#maskOf(quad);
    const merged = { ...quad, covered: intersectMasks(quad.covered, mergedSamples(mask)) };
    for (let lane = 0; lane < 4; lane++) {
      if ((mask.mask & (1 << lane)) === 0) continue;
      this.#setMask(quad, intersectMasks(mask, bitsOfLanes(1 << lane)));
      this.#observer.onMerging(merged, lane);
      const before = shading.fragmentsWritten;
      shading.mergeQuads(quad.binding, quad.place, 1);
      this.#observer.onMerged(merged, lane, shading.fragmentsWritten > before);
    }
    this.#setMask(quad, mask);
  }

  #maskOf({ place }: Pick<ObservedQuad, 'place'>): QuadMask {
    return readQuadMask(this.#memory, place);
  }

  #setMask({ place }: ObservedQuad, mask: QuadMask): void {
    writeQuadMask(this.#memory, place, mask);
  }

  #countsOf({ drawIndex }: BoundDraw): DrawCounts {
    const found = this.#countsByDraw.get(drawIndex);
    if (found !== undefined) return found;
    const made = zeroDrawCounts();
    this.#countsByDraw.set(drawIndex, made);
    return made;
  }
}

/** Returns the counts of a draw without fragments. */
export function zeroDrawCounts(): DrawCounts {
  return {
    fragmentsCovered: 0,
    fragmentsEarlyKilled: 0,
    fragmentsShaded: 0,
    helperLanes: 0,
    fragmentsDiscarded: 0,
    fragmentsLateKilled: 0,
    fragmentsWritten: 0,
    instructions: 0,
  };
}

function countsOfShading(shading: FragmentShading) {
  const { fragmentsShaded, helperLanes, fragmentsDiscarded } = shading;
  const { fragmentsLateKilled, fragmentsWritten } = shading;
  return {
    fragmentsShaded,
    helperLanes,
    fragmentsDiscarded,
    fragmentsLateKilled,
    fragmentsWritten,
  };
}
