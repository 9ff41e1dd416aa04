/**
 * Sends the bulk resources of frames over one connection, each once. The sender remembers what the
 * receiver holds. A receiver that evicted a resource requests it (`resourcesMissing`), and it is
 * sent again.
 */
import { setImmediate } from 'node:timers/promises';
import type { FrameCommands, PreparedFrame } from '@tessera/frame';
import { type EncodedMessage, encodeInChunks } from '../codec/codec.ts';
import type { Connection } from '../connection/connection.ts';
import type { Resource, ResourceName } from '../messages/messages.ts';

/**
 * Maximum number of hashes to remember per connection. The oldest is evicted first, and its
 * resource is sent again when needed.
 */
const MAX_REMEMBERED = 100_000;
/** Number of resources sent in one turn of the event loop. */
const RESOURCES_PER_TURN = 64;

/** Returns a name of a resource that is unique over all kinds. */
export function resourceKey({ kind, sha256 }: ResourceName): string {
  return `${kind}:${sha256}`;
}

/** Returns the names of all resources of a frame without duplicates, in the order of the lists. */
export function resourceNames(commands: FrameCommands): ResourceName[] {
  const names = new Map<string, ResourceName>();
  const add = (name: ResourceName) => names.set(resourceKey(name), name);
  for (const sha256 of commands.programs) add({ kind: 'program', sha256 });
  for (const sha256 of commands.buffers) add({ kind: 'buffer', sha256 });
  for (const sha256 of commands.textures) add({ kind: 'texture', sha256 });
  return [...names.values()];
}

/**
 * Encoded resources of one frame, shared by all connections of a broadcast. Each is encoded on its
 * first use.
 */
export class FrameResources {
  readonly #resourceByKey = new Map<string, Resource>();
  readonly #encodedByKey = new Map<string, EncodedMessage>();

  constructor(frame: PreparedFrame) {
    for (const resource of frame.programs) this.#add({ kind: 'program', resource });
    for (const resource of frame.buffers) this.#add({ kind: 'buffer', resource });
    for (const resource of frame.textures) this.#add({ kind: 'texture', resource });
  }

  /** Returns the encoded `resource` message, or `undefined` if the frame has no such resource. */
  encoded(key: string): EncodedMessage | undefined {
    const known = this.#encodedByKey.get(key);
    if (known !== undefined) return known;
    const resource = this.#resourceByKey.get(key);
    if (resource === undefined) return undefined;
    const encoded = encodeInChunks({ type: 'resource', ...resource });
    this.#encodedByKey.set(key, encoded);
    return encoded;
  }

  /** Drops the encoded messages. Called after all connections have been served. */
  dropEncoded(): void {
    this.#encodedByKey.clear();
  }

  #add(resource: Resource): void {
    const { sha256 } = resource.resource;
    this.#resourceByKey.set(resourceKey({ kind: resource.kind, sha256 }), resource);
  }
}

/** Sends the resources of frames over one connection. */
export class ResourceSender {
  readonly #connection: Connection;
  readonly #heldKeys = new Set<string>();

  /** @param held Resources that the receiver reported as held. */
  constructor(connection: Connection, held: readonly ResourceName[] = []) {
    this.#connection = connection;
    for (const name of held) this.#remember(resourceKey(name));
  }

  /** Sends the resources of a frame that the receiver does not hold. Waits for back-pressure. */
  async sendMissing(commands: FrameCommands, resources: FrameResources): Promise<void> {
    let sentCount = 0;
    for (const name of resourceNames(commands)) {
      const key = resourceKey(name);
      if (this.#heldKeys.has(key)) continue;
      await this.#sendOne(key, resources);
      // A frame may have thousands of small resources, which never cause back-pressure.
      if (++sentCount % RESOURCES_PER_TURN === 0) await setImmediate();
    }
  }

  /** Sends requested resources that this frame has. */
  async resend(names: readonly ResourceName[], resources: FrameResources): Promise<void> {
    for (const name of names) await this.#sendOne(resourceKey(name), resources);
  }

  async #sendOne(key: string, resources: FrameResources): Promise<void> {
    const encoded = resources.encoded(key);
    if (encoded === undefined) return;
    this.#remember(key);
    this.#connection.sendEncoded(encoded);
    await this.#connection.drained();
  }

  #remember(key: string): void {
    this.#heldKeys.add(key);
    if (this.#heldKeys.size > MAX_REMEMBERED) {
      this.#heldKeys.delete(this.#heldKeys.values().next().value!);
    }
  }
}
