/** Lookup of frames and their results, and answers with images, for the routes of frames. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FrameRecord, FrameResult } from '../../frames/frame-record.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { BlobStore, StoredBlob } from '../../store/blob-store.ts';
import { isNotModified } from '../protocol/negotiation.ts';
import { PNG_TYPE } from '../protocol/response-schemas.ts';
import { sendBlob } from '../protocol/stored-results.ts';

/** Content under a result's address never changes, so clients may cache it forever. */
const CACHE_FOREVER = 'private, max-age=31536000, immutable';

/**
 * Returns the frame with an id.
 *
 * @throws {RenderError} NOT_FOUND.
 */
export function requireFrame(store: FrameStore, id: string): FrameRecord {
  const record = store.get(id);
  if (record !== undefined) return record;
  throw new RenderError('NOT_FOUND', `no frame ${id}; old finished frames are deleted`);
}

/**
 * Returns the result of a frame.
 *
 * @throws {RenderError} RESULT_NOT_READY, or the error that the frame failed with.
 */
export function requireResult(record: FrameRecord): FrameResult {
  if (record.error !== null) throw new RenderError(record.error.code, record.error.message);
  if (record.result === null) {
    throw new RenderError('RESULT_NOT_READY', `the frame is ${record.status} (${record.phase})`);
  }
  return record.result;
}

/** Sends an image of the store, or 304 if the client has a copy. */
export async function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  blobs: BlobStore,
  image: StoredBlob,
): Promise<FastifyReply> {
  if (hasCopy(request, reply, image.sha256)) return reply.code(304).send(null);
  return sendBlob(reply, blobs, image, PNG_TYPE);
}

/** Sets the cache headers and returns whether the client has a copy of the content. */
export function hasCopy(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const etag = `"${tag}"`;
  reply.header('ETag', etag).header('Cache-Control', CACHE_FOREVER);
  return request.method === 'GET' && isNotModified(request.headers['if-none-match'], etag);
}
