/** Bulk bytes in memory that threads share, so that a frame crosses to the thread that renders without a copy. */
import type { Resource } from '../messages/messages.ts';

/** The same resource; its bytes no longer keep the message alive that they came in. */
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
