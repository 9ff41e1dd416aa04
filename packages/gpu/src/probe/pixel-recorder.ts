/**
 * History of one sample of a pixel: every primitive that covers it, in order, with its tests, the
 * outputs of its fragment shader, and the contents of the targets before and after.
 */
import {
  type DepthTest,
  type DrawCounts,
  type FragmentOutcome,
  MAX_PIXEL_EVENTS,
  type PixelEvent,
  type RectPx,
  SAMPLE_MASK_SLOT,
  type SampleHistory,
  type TargetPixel,
} from '@tessera/frame';
import type { FragmentObserver, ObservedBin, ObservedQuad } from '../modes/fragment-probe.ts';
import { outputOfQuad } from '../modes/fragment-shading.ts';
import { compareValues } from '../output/merge/merge-reference.ts';
import { lanesOfSample, type QuadMask } from '../shading/quad-mask.ts';
import { depthOfFragment, findLateTests, isSampleCut, type LateTests } from './late-tests.ts';
import { readTargetPixel } from './target-pixel.ts';

/** Fragment whose outcome is not known yet, or is. */
interface Draft {
  readonly quad: ObservedQuad;
  readonly earlyTest: DepthTest | null;
  outcome: FragmentOutcome | null;
  tests: LateTests;
  outputs: PixelEvent['outputs'];
  /** Contents after the fragment was merged; `null` if it was not. */
  after: TargetPixel | null;
}

const NO_TESTS: LateTests = { stencil: null, depth: null };

/**
 * Observer that records the history of one sample. Fragments of a list are tested early and shaded
 * before the first one is merged, so their contents of the targets are put in order at the end.
 */
export class PixelRecorder implements FragmentObserver {
  readonly #x: number;
  readonly #y: number;
  readonly #sample: number;
  readonly #lane: number;
  #bin: ObservedBin | null = null;
  #initial: TargetPixel | null = null;
  #result: SampleHistory | null = null;
  readonly #drafts: Draft[] = [];
  /** Fragments in the quad list that are not shaded yet, in order. */
  readonly #survivors: Draft[] = [];
  /** Shaded fragments, by place in the quad list. */
  readonly #shaded = new Map<number, Draft>();
  #events: PixelEvent[] = [];
  #omitted = 0;
  #current: TargetPixel | null = null;

  /** @param sample Index of the sample; 0 for a target with one sample per pixel. */
  constructor(x: number, y: number, sample: number) {
    this.#x = x;
    this.#y = y;
    this.#sample = sample;
    this.#lane = ((y & 1) << 1) | (x & 1);
  }

  /** Returns the history after the pixel's bin. */
  result(): SampleHistory {
    if (this.#result === null) throw new Error('pixel history: the bin was not rendered');
    return this.#result;
  }

  beginBin(bin: ObservedBin): void {
    if (!contains(bin.rect, this.#x, this.#y)) {
      throw new Error('pixel history: the bin does not contain the pixel');
    }
    this.#bin = bin;
    this.#initial = this.#read();
    this.#current = this.#initial;
  }

  observes(rect: RectPx): boolean {
    return contains(rect, this.#x, this.#y);
  }

  onCovered(quad: ObservedQuad): void {
    if (!this.#isIn(quad, quad.covered)) return;
    const earlyTest = quad.binding.draw.depthStage === 'early' ? this.#testEarly(quad) : null;
    const unknown = { outcome: null, tests: NO_TESTS, outputs: null, after: null };
    this.#drafts.push({ quad, earlyTest, ...unknown });
  }

  onTested(quad: ObservedQuad, passed: QuadMask): void {
    if (!this.#isIn(quad, quad.covered)) return;
    const draft = this.#drafts.at(-1)!;
    if (this.#isIn(quad, passed)) this.#survivors.push(draft);
    else draft.outcome = 'early-depth-failed';
  }

  onShaded(quad: ObservedQuad, shaded: QuadMask, kept: QuadMask): void {
    if (!this.#isIn(quad, shaded)) return;
    const draft = this.#survivors.shift()!;
    draft.outputs = this.#outputs(quad);
    if (this.#isIn(quad, kept)) this.#shaded.set(quad.place, draft);
    else draft.outcome = 'discarded';
  }

  onMerging(quad: ObservedQuad, lane: number): void {
    const draft = this.#mergedDraft(quad, lane);
    if (draft === undefined) return;
    if (isSampleCut(this.#bin!, quad, lane, this.#sample)) draft.outcome = 'sample-cut';
    else draft.tests = findLateTests(this.#bin!, quad, lane, this.#sample);
  }

  onMerged(quad: ObservedQuad, lane: number): void {
    const draft = this.#mergedDraft(quad, lane);
    if (draft === undefined) return;
    const { stencil, depth } = draft.tests;
    if (stencil?.isPassed === false) draft.outcome = 'stencil-failed';
    else if (depth?.isPassed === false) draft.outcome = 'depth-failed';
    else draft.outcome ??= 'written';
    draft.after = this.#read();
    this.#shaded.delete(quad.place);
    if (this.#shaded.size === 0 && this.#survivors.length === 0) this.#finishDrafts();
  }

  endBin(_countsByDraw: ReadonlyMap<number, DrawCounts>): void {
    this.#finishDrafts();
    const final = this.#read();
    const events = this.#events.slice(-MAX_PIXEL_EVENTS);
    const omitted = this.#omitted + this.#events.length - events.length;
    this.#result = { initial: this.#initial!, events, omitted, final };
    this.#bin = null;
  }

  /** Turns drafts into events, in order. */
  #finishDrafts(): void {
    for (const { quad, earlyTest, outcome, tests, outputs, after } of this.#drafts) {
      if (outcome === null) throw new Error('pixel history: a fragment has no outcome');
      const { draw, drawIndex, depthStage } = quad.binding.draw;
      const before = this.#current!;
      // The early test writes depth before other fragments of the list are merged.
      const isEarlyWrite = earlyTest?.isPassed === true && draw.state.depth.isWriteEnabled;
      const earlyDepth = isEarlyWrite ? earlyTest.depth : before.depth;
      const depth = depthStage === 'early' ? earlyDepth : (after ?? before).depth;
      this.#current = { ...(after ?? before), depth };
      this.#keep({
        draw: drawIndex,
        primitive: quad.primitive,
        outcome,
        depthStage,
        depthTest: earlyTest ?? tests.depth,
        stencilTest: tests.stencil,
        outputs,
        before,
        after: this.#current,
      });
    }
    this.#drafts.length = 0;
  }

  #keep(event: PixelEvent): void {
    this.#events.push(event);
    // In large steps, because each copies the events that stay.
    if (this.#events.length < 2 * MAX_PIXEL_EVENTS) return;
    this.#events = this.#events.slice(-MAX_PIXEL_EVENTS);
    this.#omitted += MAX_PIXEL_EVENTS;
  }

  #mergedDraft({ place }: ObservedQuad, lane: number): Draft | undefined {
    return lane === this.#lane ? this.#shaded.get(place) : undefined;
  }

  #testEarly(quad: ObservedQuad): DepthTest {
    const { compare } = quad.binding.draw.draw.state.depth;
    const depth = depthOfFragment(this.#bin!, quad, this.#lane, this.#sample);
    const stored = this.#read().depth;
    return { depth, stored, compare, isPassed: compareValues(compare, depth, stored) };
  }

  #outputs({ binding, place }: ObservedQuad): PixelEvent['outputs'] {
    const { draw } = binding;
    const { memory } = this.#bin!;
    const at = (outputOfQuad(memory, draw, place) >> 2) + this.#lane;
    return draw.program.fragment.outputSlots.map((slot, k) => ({
      slot,
      value: (slot === SAMPLE_MASK_SLOT ? memory.i32 : memory.f32)[at + 4 * k]!,
    }));
  }

  #read(): TargetPixel {
    return readTargetPixel(this.#bin!, this.#x, this.#y, this.#sample);
  }

  /** Whether a mask of the quad contains the sample. */
  #isIn({ x, y }: ObservedQuad, mask: QuadMask): boolean {
    if (x !== (this.#x & ~1) || y !== (this.#y & ~1)) return false;
    const bit = 1 << this.#lane;
    if ((mask.mask & bit) === 0) return false;
    if (this.#bin!.layout.sampleCount === 1) return true;
    return (lanesOfSample(mask, this.#sample) & bit) !== 0;
  }
}

function contains({ x, y, width, height }: RectPx, column: number, row: number): boolean {
  return column >= x && column < x + width && row >= y && row < y + height;
}
