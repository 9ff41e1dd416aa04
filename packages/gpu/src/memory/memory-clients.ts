/**
 * THE table of the clients of local memory. The paper gives the client of highest priority the grant and no order;
 * ours runs from the end of the pipeline to its start, so that what leaves the chiplet is never held up by what
 * enters it.
 */
export const MEMORY_CLIENTS = {
  /** Finished bins on their way to the display store, and visibility streams. */
  displayStore: { priority: 6 },
  color: { priority: 5 },
  depth: { priority: 4 },
  /** Programs on their way to shader cores, and their stores. */
  program: { priority: 3 },
  texture: { priority: 2 },
  vertex: { priority: 1 },
  /** Visibility stream and display lists for the command processor. */
  command: { priority: 0 },
} as const satisfies Record<string, { readonly priority: number }>;

export type MemoryClientName = keyof typeof MEMORY_CLIENTS;
export const MEMORY_CLIENT_NAMES = Object.keys(MEMORY_CLIENTS) as readonly MemoryClientName[];
