/**
 * Mask of a quad record in targets with several samples per pixel. The other words are those of
 * QUAD_RECORD in `@tessera/shader`.
 */

/** Bit of the mask at which the four lanes of sample 0 start. Those of the next samples follow. */
export const SAMPLE_MASK_SHIFT = 16;
