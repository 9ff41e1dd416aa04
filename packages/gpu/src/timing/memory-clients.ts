/**
 * THE table of the clients of local memory. The paper gives the client of highest priority the grant and no order;
 * ours runs from the end of the pipeline to its start, so that what leaves the chiplet is never held up by what
 * enters it.
 */

import { MEMORY_CLIENT } from '@tessera/chip/records';
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
    priority: MEMORY_CLIENT.displayStore,
    read: 'memory.displayStoreBytesRead',
    write: 'memory.displayStoreBytesWritten',
  },
  color: {
    priority: MEMORY_CLIENT.color,
    read: 'memory.colorBytesRead',
    write: 'memory.colorBytesWritten',
  },
  depth: {
    priority: MEMORY_CLIENT.depth,
    read: 'memory.depthBytesRead',
    write: 'memory.depthBytesWritten',
  },
  /** Programs on their way to shader cores, and their stores. */
  program: {
    priority: MEMORY_CLIENT.program,
    read: 'memory.programBytesRead',
    write: 'memory.programBytesWritten',
  },
  texture: {
    priority: MEMORY_CLIENT.texture,
    read: 'memory.textureBytesRead',
    write: null,
  },
  vertex: {
    priority: MEMORY_CLIENT.vertex,
    read: 'memory.vertexBytesRead',
    write: null,
  },
  /** Visibility stream and display lists for the command processor. */
  command: {
    priority: MEMORY_CLIENT.command,
    read: 'memory.commandBytesRead',
    write: null,
  },
} as const satisfies Record<string, MemoryClient>;

export type MemoryClientName = keyof typeof MEMORY_CLIENTS;
