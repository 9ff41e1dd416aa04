/**
 * Shading per sample: a program that reads sample variables runs once for each covered sample of
 * its quads (OpenGL ES 3.2, section 13.4.1). Each round shades and merges one sample; in it, the
 * masks of the quads contain the lanes of that sample alone.
 */
import { MULTISAMPLE_COUNT } from '@tessera/frame';
import {
  AT_SAMPLE,
  QUAD_RECORD,
  SAMPLE_MASK_SHIFT,
  SAMPLE_NUMBER_SHIFT,
} from '@tessera/shader/codegen';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { laneCount } from '../raster/coverage/tile-traversal.ts';

const LANES = 15;
const MAX_WARP_QUADS = 8;
const SAMPLES = Array.from({ length: MULTISAMPLE_COUNT }, (_, sample) => sample);
const QUAD_WORDS = QUAD_RECORD.bytes >> 2;
const MASK_WORD = QUAD_RECORD.mask >> 2;

/** Round of the quads of a warp. */
export interface SampleRound {
  /** Whether no other round of the warp follows. */
  readonly isLast: boolean;
  /** Number of quads of the warp with a lane in the round; the others are idle. */
  readonly quads: number;
  /** Number of lanes that the round covers; the others of these quads are helper lanes. */
  readonly lanes: number;
}

/** Returns the lanes of a sample in the mask of a quad. */
function lanesOf(mask: number, sample: number): number {
  return (mask >>> (SAMPLE_MASK_SHIFT + 4 * sample)) & LANES;
}

/** Runs the rounds of warps in the list of quads. */
export class SampleRounds {
  readonly #memory: ChipletMemory;
  /** Masks of the quads outside of the rounds. */
  readonly #masks = new Int32Array(MAX_WARP_QUADS);

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
    for (let sample = 0; sample < MULTISAMPLE_COUNT; sample++) {
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
    let bits = (1 << SAMPLE_MASK_SHIFT) - 1;
    for (const sample of SAMPLES) {
      if ((kept >> sample) & 1) bits |= LANES << (SAMPLE_MASK_SHIFT + 4 * sample);
    }
    for (let quad = first; quad < first + count; quad++) {
      this.#setMask(quad, this.#maskOf(quad) & bits);
    }
  }

  /** Stores the masks and returns the samples in any of them. */
  #save(first: number, count: number): number {
    let covered = 0;
    for (let k = 0; k < count; k++) {
      const mask = this.#maskOf(first + k);
      this.#masks[k] = mask;
      for (const sample of SAMPLES) if (lanesOf(mask, sample) !== 0) covered |= 1 << sample;
    }
    return covered;
  }

  /** Writes the masks of one sample and counts its quads and lanes. */
  #select(first: number, count: number, sample: number): Omit<SampleRound, 'isLast'> {
    let quads = 0;
    let laneSum = 0;
    for (let k = 0; k < count; k++) {
      const lanes = lanesOf(this.#masks[k]!, sample);
      const number = AT_SAMPLE | (sample << SAMPLE_NUMBER_SHIFT);
      this.#setMask(first + k, lanes | number | (lanes << (SAMPLE_MASK_SHIFT + 4 * sample)));
      laneSum += laneCount(lanes);
      if (lanes !== 0) quads++;
    }
    return { quads, lanes: laneSum };
  }

  #maskOf(quad: number): number {
    return this.#memory.i32[(this.#memory.quadsPtr >> 2) + QUAD_WORDS * quad + MASK_WORD]!;
  }

  #setMask(quad: number, mask: number): void {
    this.#memory.i32[(this.#memory.quadsPtr >> 2) + QUAD_WORDS * quad + MASK_WORD] = mask;
  }
}
