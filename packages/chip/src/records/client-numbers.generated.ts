/**
 * Generated from table/memory-clients.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Numbers of the clients of local memory, which are their priorities: higher goes first. */
export const MEMORY_CLIENT = {
  command: 0,
  vertex: 1,
  batch: 2,
  texture: 3,
  program: 4,
  constant: 5,
  depth: 6,
  color: 7,
  displayStore: 8,
  pageTable: 9,
} as const;
