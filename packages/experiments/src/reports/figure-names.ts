/** Names of the figures of a frame's report that are not counters. */
export const FIGURE_NAMES = [
  'cycles',
  'simulatedMs',
  'vertices',
  'primitives',
  'fragments',
  'passes',
  'bins',
  'chiplets',
  'visibilityCycles',
  'streamBytes',
  'makespanCycles',
  'imbalance',
  'linkBytes',
  'linkCycles',
  'energyPj',
] as const;

/** Name of a figure. */
export type FigureName = (typeof FIGURE_NAMES)[number];
