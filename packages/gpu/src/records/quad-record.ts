/**
 * The mask of a quad record in targets of several samples a pixel. The other words are those of QUAD_RECORD
 * (@tessera/shader).
 */

/** Bit of the mask at which the four lanes of sample 0 begin; those of the next samples follow. */
export const SAMPLE_MASK_SHIFT = 16;
