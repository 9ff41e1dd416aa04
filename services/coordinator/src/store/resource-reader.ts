/**
 * Reads the resources that a native frame names by hash from the files of the store. Runs in the
 * thread of {@link ModelPreparer}.
 */
import { statSync } from 'node:fs';
import { RenderError, type Sha256 } from '@tessera/frame';
import { blobPath } from './blob-store.ts';
import { readIfWholeSync } from './file-check.ts';
import { MissingResourcesError } from './missing-resources.ts';

/** Upper bound on different resources per frame. */
export const MAX_NAMED_RESOURCES = 16_384;

/** Reads the named resources of one frame. */
export class ResourceReader {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #contents = new Map<Sha256, Uint8Array>();
  readonly #missing = new Set<Sha256>();
  #bytes = 0;

  /**
   * @param folder Folder of the store's files.
   * @param maxBytes Upper bound on the bytes of all named resources.
   */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Hashes of the resources read so far. */
  get named(): Sha256[] {
    return [...this.#contents.keys()];
  }

  /**
   * Returns the content of a resource. For a missing one, returns nothing and lets
   * {@link requireAll} throw.
   *
   * @throws {RenderError} LIMIT_EXCEEDED.
   */
  read(sha256: Sha256): Uint8Array {
    const contents = this.#contents.get(sha256);
    if (contents !== undefined) return contents;
    if (this.#contents.size + this.#missing.size >= MAX_NAMED_RESOURCES) {
      const message = `frame: names more than ${MAX_NAMED_RESOURCES} resources`;
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const path = blobPath(this.#folder, sha256);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) {
      this.#missing.add(sha256);
      return new Uint8Array(0);
    }
    this.#bytes += size;
    if (this.#bytes > this.#maxBytes) {
      const message = `frame: its resources have more than ${this.#maxBytes} bytes`;
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const content = readIfWholeSync(path);
    if (content === null) {
      // The client then uploads the resource again, which replaces the damaged file.
      this.#missing.add(sha256);
      return new Uint8Array(0);
    }
    this.#contents.set(sha256, content);
    return content;
  }

  /** @throws {MissingResourcesError} If a named resource is missing. */
  requireAll(): void {
    if (this.#missing.size > 0) throw new MissingResourcesError([...this.#missing]);
  }
}
