/** What a native frame names by hash, read from the files of the store. In the thread of {@link ModelPreparer}. */
import { statSync } from 'node:fs';
import { RenderError, type Sha256 } from '@tessera/frame';
import { blobPath } from './blob-store.ts';
import { readIfWholeSync } from './file-check.ts';
import { MissingResourcesError } from './missing-resources.ts';

/** Different resources that one frame may name. */
export const MAX_NAMED_RESOURCES = 16_384;

export class ResourceReader {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #contents = new Map<Sha256, Uint8Array>();
  readonly #missing = new Set<Sha256>();
  #bytes = 0;

  /**
   * @param folder Of the store's files.
   * @param maxBytes Of all that one frame names.
   */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** What was named so far. */
  get named(): Sha256[] {
    return [...this.#contents.keys()];
  }

  /**
   * The content under a hash; of one that is not there nothing, and {@link requireAll} will say so.
   *
   * @throws {RenderError} LIMIT_EXCEEDED.
   */
  read(sha256: Sha256): Uint8Array {
    const known = this.#contents.get(sha256);
    if (known !== undefined) return known;
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
      const message = `frame: names resources of more than ${this.#maxBytes} bytes`;
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const content = readIfWholeSync(path);
    if (content === null) {
      // The client sends it again, and what comes takes the place of the damaged file.
      this.#missing.add(sha256);
      return new Uint8Array(0);
    }
    this.#contents.set(sha256, content);
    return content;
  }

  /** @throws {MissingResourcesError} If something was named that is not there. */
  requireAll(): void {
    if (this.#missing.size > 0) throw new MissingResourcesError([...this.#missing]);
  }
}
