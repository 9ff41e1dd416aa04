/**
 * Shading per sample: a program that reads sample variables runs once for each covered sample of
 * its quads (OpenGL ES 3.2, section 13.4.1). Each round shades and merges one sample; in it, the
 * masks of the quads contain the lanes of that sample alone.
 */
import { MAX_SAMPLE_COUNT } from '@tessera/frame';
import { AT_SAMPLE, HAS_EIGHT_SAMPLES, SAMPLE_NUMBER_SHIFT } from '@tessera/shader/codegen';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { laneCount } from '../raster/coverage/tile-traversal.ts';
import {
  lanesOfSample,
  type QuadMask,
  readQuadMask,
  samplesOfLanes,
  writeQuadMask,
} from './quad-mask.ts';

const MAX_WARP_QUADS = 8;

/** Round of the quads of a warp. */
export interface SampleRound {
  /** Whether no other round of the warp follows. */
  readonly isLast: boolean;
  /** Number of quads of the warp with a lane in the round; the others are idle. */
  readonly quads: number;
  /** Number of lanes that the round covers; the others of these quads are helper lanes. */
  readonly lanes: number;
}

/** Runs the rounds of warps in the list of quads. */
export class SampleRounds {
  readonly #memory: ChipletMemory;
  /** Masks of the quads outside of the rounds. */
  readonly #masks: QuadMask[] = Array.from({ length: MAX_WARP_QUADS }, () => ({
    mask: 0,
    moreSamples: 0,
  }));

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
  }

  /**
   * Calls `shade` for each sample that any quad of a warp covers, with masks of that sample.
   *
   * @param first Place of the warp's first quad in the list.
   * @param count Number of quads, at most 8.
   */
  run(first: number, count: number, shade: (round: SampleRound) => void): void {
    const covered = this.#save(first, count);
    for (let sample = 0; sample < MAX_SAMPLE_COUNT; sample++) {
      if ((covered & (1 << sample)) === 0) continue;
      const isLast = covered >> (sample + 1) === 0;
      shade({ isLast, ...this.#select(first, count, sample) });
    }
    for (let k = 0; k < count; k++) this.#setMask(first + k, this.#masks[k]!);
  }

  /**
   * Removes samples from the masks of quads, but not lanes.
   *
   * @param kept Samples that stay, one bit each.
   */
  cut(first: number, count: number, kept: number): void {
    let [mask, moreSamples] = [0xffff, 0];
    for (let sample = 0; sample < MAX_SAMPLE_COUNT; sample++) {
      if (((kept >> sample) & 1) === 0) continue;
      const bits = samplesOfLanes(15, sample);
      mask |= bits.mask;
      moreSamples |= bits.moreSamples;
    }
    for (let quad = first; quad < first + count; quad++) {
      const before = this.#maskOf(quad);
      this.#setMask(quad, {
        mask: before.mask & mask,
        moreSamples: before.moreSamples & moreSamples,
      });
    }
  }

  /** Stores the masks and returns the samples in any of them. */
  #save(first: number, count: number): number {
    let covered = 0;
    for (let k = 0; k < count; k++) {
      const mask = this.#maskOf(first + k);
      this.#masks[k] = mask;
      for (let sample = 0; sample < MAX_SAMPLE_COUNT; sample++) {
        if (lanesOfSample(mask, sample) !== 0) covered |= 1 << sample;
      }
    }
    return covered;
  }

  /** Writes the masks of one sample and counts its quads and lanes. */
  #select(first: number, count: number, sample: number): Omit<SampleRound, 'isLast'> {
    let quads = 0;
    let laneSum = 0;
    for (let k = 0; k < count; k++) {
      const saved = this.#masks[k]!;
      const lanes = lanesOfSample(saved, sample);
      const number = AT_SAMPLE | (sample << SAMPLE_NUMBER_SHIFT);
      const bits = samplesOfLanes(lanes, sample);
      const pattern = saved.mask & HAS_EIGHT_SAMPLES;
      const mask = lanes | number | pattern | bits.mask;
      this.#setMask(first + k, { mask, moreSamples: bits.moreSamples });
      laneSum += laneCount(lanes);
      if (lanes !== 0) quads++;
    }
    return { quads, lanes: laneSum };
  }

  #maskOf(quad: number): QuadMask {
    return readQuadMask(this.#memory, quad);
  }

  #setMask(quad: number, mask: QuadMask): void {
    writeQuadMask(this.#memory, quad, mask);
  }
}
