/**
 * Bulk resources held by a process, by hash, and the frames that wait for some of them. When their
 * total size exceeds a capacity, the least recently used ones are evicted. A waiting frame keeps
 * the resources it has received, so a frame larger than the store can still be completed. Bulk
 * bytes are in memory shared between threads.
 */
import type {
  BufferResource,
  FrameCommands,
  PreparedFrame,
  ShaderProgram,
  TextureResource,
} from '@tessera/frame';
import type { Resource, ResourceName } from '../messages/messages.ts';
import { resourceKey, resourceNames } from './resource-sender.ts';
import { inSharedMemory } from './shared-memory.ts';

interface WaitingFrame {
  readonly missing: Set<string>;
  readonly found: Map<string, Resource>;
  readonly complete: () => void;
}

/** Cache of bulk resources with a capacity in bytes. */
export class ResourceStore {
  readonly #capacityBytes: number;
  /** Resources in the order of use, least recent first. */
  readonly #heldByKey = new Map<string, { resource: Resource; bytes: number }>();
  readonly #waiting = new Set<WaitingFrame>();
  #heldBytes = 0;

  /** @param capacityBytes Maximum number of bytes of cached resources. */
  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes;
  }

  /** Returns the names of all resources held. */
  held(): ResourceName[] {
    return Array.from(this.#heldByKey.values(), ({ resource }) => ({
      kind: resource.kind,
      sha256: resource.resource.sha256,
    }));
  }

  put(received: Resource): void {
    const key = resourceKey({ kind: received.kind, sha256: received.resource.sha256 });
    const resource = inSharedMemory(received);
    for (const frame of this.#waiting) {
      if (!frame.missing.delete(key)) continue;
      frame.found.set(key, resource);
      if (frame.missing.size === 0) frame.complete();
    }
    if (this.#heldByKey.has(key)) return;
    const bytes = resourceBytes(resource);
    this.#heldByKey.set(key, { resource, bytes });
    this.#heldBytes += bytes;
    for (const [oldestKey, oldest] of this.#heldByKey) {
      if (this.#heldBytes <= this.#capacityBytes) break;
      this.#heldByKey.delete(oldestKey);
      this.#heldBytes -= oldest.bytes;
    }
  }

  /**
   * Returns the frame of these commands as soon as all resources have arrived.
   *
   * @param requestMissing Called immediately with the missing resources, if there are any.
   * @param signal Cancels the wait; the promise rejects with its reason.
   */
  async completeFrame(
    commands: FrameCommands,
    requestMissing: (names: readonly ResourceName[]) => void,
    signal: AbortSignal,
  ): Promise<PreparedFrame> {
    const found = new Map<string, Resource>();
    const missing: ResourceName[] = [];
    for (const name of resourceNames(commands)) {
      const key = resourceKey(name);
      const held = this.#heldByKey.get(key);
      if (held === undefined) {
        missing.push(name);
      } else {
        found.set(key, held.resource);
        this.#heldByKey.delete(key);
        this.#heldByKey.set(key, held);
      }
    }
    if (missing.length > 0) {
      const arrived = this.#waitFor(new Set(missing.map(resourceKey)), found, signal);
      requestMissing(missing);
      await arrived;
    }
    return assembleFrame(commands, found);
  }

  #waitFor(missing: Set<string>, found: Map<string, Resource>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abandon = () => {
        this.#waiting.delete(frame);
        reject(signal.reason);
      };
      const frame: WaitingFrame = {
        missing,
        found,
        complete: () => {
          this.#waiting.delete(frame);
          signal.removeEventListener('abort', abandon);
          resolve();
        },
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(frame);
    });
  }
}

function assembleFrame(
  commands: FrameCommands,
  found: ReadonlyMap<string, Resource>,
): PreparedFrame {
  const buffers: BufferResource[] = [];
  const textures: TextureResource[] = [];
  const programs: ShaderProgram[] = [];
  for (const sha256 of commands.buffers) {
    const held = found.get(resourceKey({ kind: 'buffer', sha256 }));
    if (held?.kind === 'buffer') buffers.push(held.resource);
  }
  for (const sha256 of commands.textures) {
    const held = found.get(resourceKey({ kind: 'texture', sha256 }));
    if (held?.kind === 'texture') textures.push(held.resource);
  }
  for (const sha256 of commands.programs) {
    const held = found.get(resourceKey({ kind: 'program', sha256 }));
    if (held?.kind === 'program') programs.push(held.resource);
  }
  return { commands, buffers, textures, programs };
}

function resourceBytes(resource: Resource): number {
  switch (resource.kind) {
    case 'buffer':
      return resource.resource.bytes.length;
    case 'texture':
      return resource.resource.levels.reduce((sum, level) => sum + level.length, 0);
    case 'program': {
      const { vertex, positionOnly, fragment } = resource.resource;
      return [vertex, positionOnly, fragment].reduce(
        (sum, stage) => sum + 4 * (stage.code.length + stage.literals.length),
        0,
      );
    }
  }
}
