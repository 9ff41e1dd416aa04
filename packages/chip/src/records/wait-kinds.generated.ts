/**
 * Generated from table/waits.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Numbers of the kinds of waits. */
export const WAIT = {
  none: 0,
  input: 1,
  output: 2,
  l2: 3,
  dram: 4,
  remote: 5,
  requests: 6,
  misses: 7,
  shading: 8,
  operands: 9,
  texels: 10,
  program: 11,
  constants: 12,
  registers: 13,
  results: 14,
  slots: 15,
  bin: 16,
  visibility: 17,
  copies: 18,
  programs: 19,
  target: 20,
  batches: 21,
  count: 22,
} as const;

/** Numbers of the kinds of waits of warps. */
export const WARP_WAIT = {
  start: 0,
  registers: 1,
  program: 2,
  constants: 3,
  ready: 4,
  issue: 5,
  operands: 6,
  lookup: 7,
  texels: 8,
  texelsL2: 9,
  texelsDram: 10,
  texelsRemote: 11,
  output: 12,
  results: 13,
  count: 14,
} as const;
