/** Named choices of texture units. */

/** Choices of texture units with their values and meaning. */
export const TEXTURE_SPEC_CHOICES = {
  helperLaneLookups: {
    values: ['none', 'needed', 'implicit', 'all'],
    meaning:
      'lookups for which helper lanes read texels: none; those whose result a derivative or the level of another lookup needs; those with an implicit level; all',
  },
} as const;
