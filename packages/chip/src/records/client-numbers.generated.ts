/**
 * Generated from table/memory-clients.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Numbers of the clients of local memory, which are their priorities: higher goes first. */
export const MEMORY_CLIENT = {
  command: 0,
  vertex: 1,
  texture: 2,
  program: 3,
  depth: 4,
  color: 5,
  displayStore: 6,
} as const;
