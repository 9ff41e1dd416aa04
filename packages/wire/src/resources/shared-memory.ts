/**
 * Copies bulk bytes into memory shared between threads, so that a frame reaches the rendering
 * thread without another copy.
 */
import type { Resource } from '../messages/messages.ts';

/**
 * Returns the resource with its bytes in shared memory. The message that contained them can be
 * freed.
 */
export function inSharedMemory(resource: Resource): Resource {
  switch (resource.kind) {
    case 'buffer': {
      const { bytes } = resource.resource;
      return { kind: 'buffer', resource: { ...resource.resource, bytes: toShared(bytes) } };
    }
    case 'texture': {
      const levels = resource.resource.levels.map(toShared);
      return { kind: 'texture', resource: { ...resource.resource, levels } };
    }
    case 'program':
      return resource;
  }
}

function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
