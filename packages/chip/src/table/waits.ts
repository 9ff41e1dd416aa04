/**
 * Kinds of waits of the chip's modules. A module that is starved or stalled waits for one of them.
 * The position in the table is the number of the kind.
 */
export const WAITS = {
  none: 'the module is busy',
  input: 'the unit before has sent nothing',
  output: 'the unit behind has no room',
  l2: 'lines that the second-level cache has, or that are still to be requested from it',
  dram: 'lines of local memory',
  remote: 'lines of the memory of another chiplet',
  requests: 'the memory system takes no more requests',
  misses: 'no more lines may be in flight',
  shading: 'vertices or fragments that are being shaded',
  operands: 'results of earlier instructions of a warp',
  texels: 'results of texture lookups',
  program: 'instructions of a warp',
  constants: 'uniform values of a warp',
  registers: 'registers for a warp',
  results: 'room for the results of a vertex warp',
  slots: 'a free warp slot',
  bin: 'a bin that the chiplet may render',
  visibility: 'segments of streamed visibility, or their decoder',
  copies: 'copies of textures, or pixels of other chiplets that are being stored',
  programs: 'on-chip blocks for the programs of a draw',
  target: 'on-chip memory for the pixels of the next bin',
  batches: 'a free batch buffer',
} as const;

/** Name of a kind of {@link WAITS}. */
export type WaitKind = keyof typeof WAITS;
