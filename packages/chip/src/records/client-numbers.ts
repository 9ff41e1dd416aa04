/**
 * Numbers of the clients of local memory, which are their priorities: higher goes first. See the table in
 * memory-clients.ts.
 */
export const MEMORY_CLIENT = {
  command: 0,
  vertex: 1,
  texture: 2,
  program: 3,
  depth: 4,
  color: 5,
  displayStore: 6,
} as const;
export const MEMORY_CLIENT_COUNT = 7;
