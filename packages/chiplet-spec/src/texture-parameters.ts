/** Named choices of texture units. */

/** Choices of texture units with their values and meaning. */
export const TEXTURE_SPEC_CHOICES = {
  helperLaneLookups: {
    values: ['none', 'needed', 'implicit', 'all'],
    meaning:
      'lookups for which helper lanes read texels: none; those whose result a derivative or the level of another lookup needs; those with an implicit level; all',
  },
  textureLayout: {
    values: ['linear-block', 'morton'],
    meaning:
      'order of the blocks of 4×4 texels in memory: row by row, or in Z-order in tiles of 16 KiB',
  },
} as const;
