/** Masks of a quad record (QUAD_RECORD): lanes, and lanes by sample. */
import { QUAD_RECORD, SAMPLE_MASK_SHIFT } from '@tessera/shader/codegen';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';

const LANES = 15;
/** Samples that the word `mask` has the lanes of. */
const SAMPLES_IN_MASK = 4;

/** Words `mask` and `moreSamples` of a quad record. */
export interface QuadMask {
  readonly mask: number;
  readonly moreSamples: number;
}

/** Returns the lanes of a sample. */
export function lanesOfSample({ mask, moreSamples }: QuadMask, sample: number): number {
  if (sample < SAMPLES_IN_MASK) return (mask >>> (SAMPLE_MASK_SHIFT + 4 * sample)) & LANES;
  return (moreSamples >> (4 * (sample - SAMPLES_IN_MASK))) & LANES;
}

/** Returns masks with lanes in one sample. */
export function samplesOfLanes(lanes: number, sample: number): QuadMask {
  return sample < SAMPLES_IN_MASK
    ? { mask: lanes << (SAMPLE_MASK_SHIFT + 4 * sample), moreSamples: 0 }
    : { mask: 0, moreSamples: lanes << (4 * (sample - SAMPLES_IN_MASK)) };
}

/** Returns the masks of a quad of the quad list. */
export function readQuadMask({ i32, quadsPtr }: ChipletMemory, place: number): QuadMask {
  const record = quadsPtr + QUAD_RECORD.bytes * place;
  return {
    mask: i32[(record + QUAD_RECORD.mask) >> 2]!,
    moreSamples: i32[(record + QUAD_RECORD.y) >> 2]! >>> 16,
  };
}

/** Replaces the masks of a quad of the quad list. */
export function writeQuadMask(
  { i32, quadsPtr }: ChipletMemory,
  place: number,
  { mask, moreSamples }: QuadMask,
): void {
  const record = quadsPtr + QUAD_RECORD.bytes * place;
  const yAt = (record + QUAD_RECORD.y) >> 2;
  i32[(record + QUAD_RECORD.mask) >> 2] = mask;
  i32[yAt] = (i32[yAt]! & 0xffff) | (moreSamples << 16);
}
