/**
 * Generated from table/memory-clients.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Numbers of the clients of local memory, which are their priorities: higher goes first. */
export const MEMORY_CLIENT = {
  copy: 0,
  command: 1,
  vertex: 2,
  batch: 3,
  texture: 4,
  program: 5,
  constant: 6,
  depth: 7,
  color: 8,
  displayStore: 9,
  pageTable: 10,
} as const;
