/**
 * Kinds of waits of the chip's modules. A module that is starved or stalled waits for one of them,
 * and one that is busy for none. The position is the number of the kind. What they mean is said
 * where their counters are named.
 */
export const WAITS = [
  'none',
  'input',
  'output',
  'l2',
  'dram',
  'remote',
  'requests',
  'misses',
  'shading',
  'operands',
  'texels',
  'program',
  'constants',
  'registers',
  'results',
  'slots',
  'bin',
  'visibility',
  'copies',
  'programs',
  'target',
  'batches',
] as const;
