/**
 * THE table of the clients of local memory. The paper gives the client of highest priority the grant and no order;
 * ours runs from the end of the pipeline to its start, so that what leaves the chiplet is never held up by what
 * enters it.
 */
import type { CounterName } from '@tessera/frame';

interface MemoryClient {
  /** Higher goes first. */
  readonly priority: number;
  /** What counts its bytes; `null` for one that never writes. */
  readonly read: CounterName;
  readonly write: CounterName | null;
}

export const MEMORY_CLIENTS = {
  /** Finished bins on their way to the display store, and visibility streams. */
  displayStore: {
    priority: 6,
    read: 'memory.displayStoreBytesRead',
    write: 'memory.displayStoreBytesWritten',
  },
  color: {
    priority: 5,
    read: 'memory.colorBytesRead',
    write: 'memory.colorBytesWritten',
  },
  depth: {
    priority: 4,
    read: 'memory.depthBytesRead',
    write: 'memory.depthBytesWritten',
  },
  /** Programs on their way to shader cores, and their stores. */
  program: {
    priority: 3,
    read: 'memory.programBytesRead',
    write: 'memory.programBytesWritten',
  },
  texture: {
    priority: 2,
    read: 'memory.textureBytesRead',
    write: null,
  },
  vertex: {
    priority: 1,
    read: 'memory.vertexBytesRead',
    write: null,
  },
  /** Visibility stream and display lists for the command processor. */
  command: {
    priority: 0,
    read: 'memory.commandBytesRead',
    write: null,
  },
} as const satisfies Record<string, MemoryClient>;

export type MemoryClientName = keyof typeof MEMORY_CLIENTS;
