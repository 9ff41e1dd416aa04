/** Uploads of blobs: receives them in a spool folder, checks them and stores them. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BlobDamagedError, type BlobStore } from '@tessera/blobs';
import { type ErrorCode, RenderError, type Sha256 } from '@tessera/frame';
import { asProblem } from './blob-problems.ts';
import {
  asStorageError,
  type PartialUpload,
  type SpoolLimits,
  UploadSpool,
} from './upload-spool.ts';
import { UploadTurns } from './upload-turns.ts';

/** Services and limits of {@link BlobUploads}. */
export interface BlobUploadOptions extends SpoolLimits {
  readonly blobs: BlobStore;
  /** Folder of uploads that are not complete. Gateways may share it. */
  readonly spoolFolder: string;
  /** Upper bound on the bytes of one blob. */
  readonly maxBytes: number;
  /** Wall time without bytes after which another request may continue an upload. */
  readonly stalledMs?: number;
  /**
   * Called before the content of a blob that is not stored is received. It reserves nothing.
   *
   * @throws {RenderError} If the tenant may not store that many bytes more.
   */
  readonly admit: (tenant: string, bytes: number) => Promise<void>;
  /** Called when a tenant has uploaded a blob, whether it was stored before or not. */
  readonly stored: (tenant: string, sha256: Sha256, bytes: number) => Promise<void>;
}

/** Body that is being received. */
export interface ArrivingBody {
  readonly stream: Readable;
  /** Length that the client announced; null if it announced none. */
  readonly bytes: number | null;
}

/** Part of an upload. */
export interface UploadPart extends ArrivingBody {
  /** Number of bytes of the upload before this part. */
  readonly offset: number;
  /** Number of bytes of the whole upload. */
  readonly length: number;
}

/** State after a part. */
export interface UploadProgress {
  /** Number of bytes that have arrived. */
  readonly end: number;
  /** Whether the part completed a blob that was not stored before. */
  readonly isNew: boolean;
}

/** Error that tells where to continue. */
export class UploadOffsetError extends RenderError {
  /** Number of bytes that have arrived. */
  readonly offset: number;

  constructor(code: ErrorCode, message: string, offset: number, options?: ErrorOptions) {
    super(code, message, options);
    this.offset = offset;
  }
}

/** Uploads of all tenants. A tenant cannot see or continue the upload of another. */
export class BlobUploads {
  readonly spool: UploadSpool;
  readonly #options: BlobUploadOptions;
  readonly #turns: UploadTurns;

  constructor(options: BlobUploadOptions) {
    this.#options = options;
    this.spool = new UploadSpool(options.spoolFolder, options);
    this.#turns = new UploadTurns(options.stalledMs);
  }

  /**
   * Receives a blob in one request.
   *
   * @returns Whether the blob was not stored before.
   * @throws {RenderError} REQUEST_INVALID, LIMIT_EXCEEDED, STORAGE_FULL,
   *   CONTENT_MISMATCH, BLOBS_UNAVAILABLE, and the errors of `admit`. Nothing is stored then.
   */
  async receiveWhole(tenant: string, sha256: Sha256, body: ArrivingBody): Promise<boolean> {
    const { stream, bytes } = body;
    if (bytes === null) {
      throw new RenderError('REQUEST_INVALID', 'Content-Length: missing; PUT requires it');
    }
    this.#checkLength('Content-Length', bytes);
    if (await this.#isStored(tenant, sha256, stream)) return false;
    await this.#options.admit(tenant, bytes);
    const upload = await this.spool.beginWhole(bytes);
    try {
      await this.#store(tenant, sha256, await this.spool.append(upload, stream));
    } finally {
      await this.spool.remove(upload);
    }
    return true;
  }

  /**
   * Receives a part of a blob and stores the blob when it is complete.
   *
   * @throws {RenderError} The errors of {@link receiveWhole}; UPLOAD_BUSY. What arrived stays,
   *   except after CONTENT_MISMATCH.
   * @throws {UploadOffsetError} UPLOAD_OFFSET_WRONG, CONTENT_MISMATCH
   */
  async receivePart(tenant: string, sha256: Sha256, part: UploadPart): Promise<UploadProgress> {
    const { stream, bytes, offset, length } = part;
    this.#checkLength('Upload-Length', length);
    const lackingBytes = length - offset;
    if (lackingBytes < (bytes ?? 0)) {
      const message = `body: has ${bytes} bytes, but the upload lacks ${Math.max(0, lackingBytes)}`;
      throw new RenderError('REQUEST_INVALID', message);
    }
    if (await this.#isStored(tenant, sha256, stream)) return { end: length, isNew: false };
    const turn = await this.#turns.take(`${tenant} ${sha256}`);
    try {
      const upload = await this.#continued(tenant, sha256, offset, length);
      const longer = await this.spool.append(upload, stream, turn);
      if (longer.offset < length) return { end: longer.offset, isNew: false };
      turn.keep();
      await this.#store(tenant, sha256, longer);
      return { end: length, isNew: true };
    } finally {
      turn.end();
    }
  }

  /** Returns the upload that a part continues or begins. */
  async #continued(
    tenant: string,
    sha256: Sha256,
    offset: number,
    length: number,
  ): Promise<PartialUpload> {
    const upload = await this.spool.find(tenant, sha256);
    // With another length, one of the two was wrong, and only the hash would tell which.
    const isContinued = upload?.length === length;
    const expected = isContinued ? upload.offset : 0;
    if (offset !== expected) {
      const message = `Upload-Offset: ${offset}, but ${expected} of ${length} bytes have arrived`;
      throw new UploadOffsetError('UPLOAD_OFFSET_WRONG', message, expected);
    }
    if (isContinued) return upload;
    await this.#options.admit(tenant, length);
    return this.spool.begin(tenant, sha256, length);
  }

  #checkLength(header: string, length: number): void {
    const { maxBytes } = this.#options;
    if (length <= maxBytes) return;
    throw new RenderError('LIMIT_EXCEEDED', `${header}: ${length} is more than ${maxBytes} bytes`);
  }

  /**
   * Returns whether a blob is stored. Then reads the body to its end, so that it can be answered.
   */
  async #isStored(tenant: string, sha256: Sha256, stream: Readable): Promise<boolean> {
    const bytes = await asProblem(this.#options.blobs.size(sha256));
    if (bytes === null) return false;
    await finished(stream.resume());
    // Another tenant or gateway completed the same content.
    const upload = await this.spool.find(tenant, sha256);
    if (upload !== null) await this.spool.remove(upload);
    await this.#options.stored(tenant, sha256, bytes);
    return true;
  }

  /** Stores a complete upload and deletes its file, which stays if the store is away. */
  async #store(tenant: string, sha256: Sha256, upload: PartialUpload): Promise<void> {
    const { path, length } = upload;
    try {
      await asProblem(this.#options.blobs.put(sha256, length, () => createReadStream(path)));
    } catch (error) {
      if (!(error instanceof BlobDamagedError)) throw asStorageError(error);
      await this.spool.remove(upload);
      throw new UploadOffsetError('CONTENT_MISMATCH', error.message, 0, { cause: error });
    }
    await this.spool.remove(upload);
    await this.#options.stored(tenant, sha256, length);
  }
}
