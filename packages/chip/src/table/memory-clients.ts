/**
 * The single table of the clients of local memory, lowest priority first. The memory manager grants
 * the client of highest priority, and its paper defines no order. This order runs from the end of
 * the pipeline to its start, so that data leaving the chiplet never waits for data entering it.
 */

/** One client: the counters of its bytes. */
interface MemoryClient {
  /** Counter of the bytes that it reads. */
  readonly read: string;
  /** Counter of the bytes that it writes; null for a client that never writes. */
  readonly write: string | null;
}

/**
 * Clients by name. The position of a client in the table is its number and its priority: higher
 * goes first.
 */
export const MEMORY_CLIENTS = {
  /** Requests of other chiplets. They do not pass the arbiter, so their priority has no effect. */
  remote: { read: 'memory.remoteBytesRead', write: 'memory.remoteBytesWritten' },
  /** Uploads, generated mipmap levels, and copies between targets and textures. */
  copy: { read: 'memory.copyBytesRead', write: 'memory.copyBytesWritten' },
  /** Visibility stream and display lists for the command processor, and snapshots of queries. */
  command: { read: 'memory.commandBytesRead', write: 'memory.commandBytesWritten' },
  /** Indices and attributes of vertices, and words of transform feedback. */
  vertex: { read: 'memory.vertexBytesRead', write: 'memory.vertexBytesWritten' },
  /** Primitive records and fine-bin lists of primitive batches. */
  batch: { read: 'memory.batchBytesRead', write: 'memory.batchBytesWritten' },
  texture: { read: 'memory.textureBytesRead', write: null },
  /** Programs that shader cores fetch, and the stores of these programs. */
  program: { read: 'memory.programBytesRead', write: 'memory.programBytesWritten' },
  /** Constants of draws that shader cores fetch. */
  constant: { read: 'memory.constantBytesRead', write: null },
  depth: { read: 'memory.depthBytesRead', write: 'memory.depthBytesWritten' },
  color: { read: 'memory.colorBytesRead', write: 'memory.colorBytesWritten' },
  /** Finished bins that go to the display store, and visibility streams. */
  displayStore: {
    read: 'memory.displayStoreBytesRead',
    write: 'memory.displayStoreBytesWritten',
  },
  /** Entries of the page table, which all other clients may wait for. */
  pageTable: { read: 'memory.pageTableBytesRead', write: null },
} as const satisfies Readonly<Record<string, MemoryClient>>;

/** Name of a client of local memory. */
export type MemoryClientName = keyof typeof MEMORY_CLIENTS;
