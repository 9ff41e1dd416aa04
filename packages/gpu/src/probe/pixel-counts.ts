/**
 * Counts fragments by pixel. Each count is incremented where the pixel phase increments the counter
 * of the same name, so the sum over all pixels equals the counter.
 *
 * A quad at the right or bottom edge of an odd target has lanes outside of the target. They count
 * at the nearest pixel of their quad.
 */
import type { CoarseBinGrid, DrawCounts, PixelCount, RectPx } from '@tessera/frame';
import type { FragmentObserver, ObservedBin, ObservedQuad } from '../modes/fragment-probe.ts';
import { lanesOfSample, type QuadMask } from '../shading/quad-mask.ts';
import { findLateTests, isSampleCut } from './late-tests.ts';

const LANES = [0, 1, 2, 3] as const;
const ALL_LANES = 15;

/** Observer that counts fragments by pixel. */
export class PixelCounts implements FragmentObserver {
  readonly #widthPx: number;
  readonly #heightPx: number;
  readonly #counts: Partial<Record<PixelCount, Float64Array>> = {};
  #bin: ObservedBin | null = null;

  /**
   * @param grid Grid of the pass.
   * @param wanted Counts to keep, 8 bytes per pixel each.
   */
  constructor({ widthPx, heightPx }: CoarseBinGrid, wanted: readonly PixelCount[]) {
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    for (const name of wanted) this.#counts[name] = new Float64Array(widthPx * heightPx);
  }

  /** Returns the values of a wanted count, row by row from the top. */
  values(name: PixelCount): Float64Array {
    const values = this.#counts[name];
    if (values === undefined) throw new Error(`pixel counts: ${name} was not counted`);
    return values;
  }

  beginBin(bin: ObservedBin): void {
    this.#bin = bin;
  }

  observes(_rect: RectPx): boolean {
    return true;
  }

  onCovered(quad: ObservedQuad): void {
    this.#addLanes('fragmentsCovered', quad, quad.covered.mask);
    if (quad.binding.draw.depthStage === 'early') {
      this.#addLanes('depthTests', quad, quad.covered.mask);
    }
  }

  onTested(quad: ObservedQuad, passed: QuadMask): void {
    this.#addLanes('fragmentsEarlyKilled', quad, quad.covered.mask & ~passed.mask);
  }

  onShaded(
    quad: ObservedQuad,
    { mask: shaded }: QuadMask,
    { mask: kept }: QuadMask,
    instructions: number,
  ): void {
    this.#addLanes('fragmentsShaded', quad, shaded);
    // A quad without a lane is idle in its warp.
    if ((shaded & ALL_LANES) !== 0) this.#addLanes('helperLanes', quad, ~shaded);
    this.#addLanes('fragmentsDiscarded', quad, shaded & ~kept);
    const values = this.#counts.instructions;
    if (values === undefined) return;
    for (const lane of LANES) values[this.#indexOf(quad, lane)]! += instructions / LANES.length;
  }

  onMerging(quad: ObservedQuad, lane: number): void {
    const values = this.#counts.depthTests;
    if (values === undefined || !this.#isDepthTestedLate(quad, lane)) return;
    values[this.#indexOf(quad, lane)]!++;
  }

  onMerged(quad: ObservedQuad, lane: number, isWritten: boolean): void {
    const name = isWritten ? 'fragmentsWritten' : 'fragmentsLateKilled';
    const values = this.#counts[name];
    if (values !== undefined) values[this.#indexOf(quad, lane)]!++;
  }

  endBin(_countsByDraw: ReadonlyMap<number, DrawCounts>): void {
    this.#bin = null;
  }

  /** A fragment whose samples all fail the stencil test reaches no depth test. */
  #isDepthTestedLate(quad: ObservedQuad, lane: number): boolean {
    const { draw } = quad.binding;
    if (draw.depthStage !== 'late' || !draw.draw.state.depth.isTestEnabled) return false;
    const { sampleCount } = this.#bin!.layout;
    for (let sample = 0; sample < sampleCount; sample++) {
      const lanes = lanesOfSample(quad.covered, sample);
      if (sampleCount > 1 && ((lanes >> lane) & 1) === 0) continue;
      if (isSampleCut(this.#bin!, quad, lane, sample)) continue;
      if (findLateTests(this.#bin!, quad, lane, sample).depth !== null) return true;
    }
    return false;
  }

  #addLanes(name: PixelCount, quad: ObservedQuad, mask: number): void {
    const values = this.#counts[name];
    if (values === undefined) return;
    for (const lane of LANES) {
      if (mask & (1 << lane)) values[this.#indexOf(quad, lane)]!++;
    }
  }

  #indexOf({ x, y }: ObservedQuad, lane: number): number {
    const column = Math.min(x + (lane & 1), this.#widthPx - 1);
    const row = Math.min(y + (lane >> 1), this.#heightPx - 1);
    return row * this.#widthPx + column;
  }
}
