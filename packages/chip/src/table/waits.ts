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

/**
 * Kinds of what a warp in a slot of a shader core does or waits for. The position is the number of
 * the kind. The three memories of texels are in the order of those in {@link WAITS}.
 */
export const WARP_WAITS = [
  'start',
  'registers',
  'program',
  'constants',
  'ready',
  'issue',
  'operands',
  'lookup',
  'texels',
  'texelsL2',
  'texelsDram',
  'texelsRemote',
  'output',
  'results',
] as const;
