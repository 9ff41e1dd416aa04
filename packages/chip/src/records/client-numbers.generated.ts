/**
 * Generated from table/memory-clients.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Numbers of the clients of local memory, which are their priorities: higher goes first. */
export const MEMORY_CLIENT = {
  remote: 0,
  copy: 1,
  command: 2,
  vertex: 3,
  batch: 4,
  texture: 5,
  program: 6,
  constant: 7,
  depth: 8,
  color: 9,
  displayStore: 10,
  pageTable: 11,
} as const;
