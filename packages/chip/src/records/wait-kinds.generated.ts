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
