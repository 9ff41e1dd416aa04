/**
 * Sends results from where they are stored, in pieces as the client receives them. A client that
 * receives nothing holds one piece and not a copy of the result. `closeStalledWriters` closes its
 * connection.
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RenderError } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import type { FrameStore } from '../../frames/frame-store.ts';
import { nextTurn } from '../../process/event-loop-turn.ts';
import type { BlobStore, StoredBlob } from '../../store/blob-store.ts';
import { JSON_TYPE } from './response-schemas.ts';

/** Bytes of an answer that are passed to its connection at once. */
export const SLICE_BYTES = 2 ** 16;

/**
 * Sends a file of the store.
 *
 * @throws {RenderError} The errors of `BlobStore.openVerified`.
 */
export async function sendBlob(
  reply: FastifyReply,
  blobs: BlobStore,
  { sha256, bytes }: StoredBlob,
  mediaType: string,
): Promise<FastifyReply> {
  return sendFile(reply, await blobs.openVerified(sha256), bytes, mediaType);
}

/** Sends an open file and closes it. */
export function sendFile(
  reply: FastifyReply,
  file: FileHandle,
  bytes: number,
  mediaType: string,
): FastifyReply {
  const stream = file.createReadStream();
  // If the client disconnected while the file was opened, nothing else ends the stream.
  if (reply.raw.destroyed) stream.destroy();
  return reply.type(mediaType).header('Content-Length', bytes).send(stream);
}

/**
 * Sends an object of JSON of the store, with more fields before its own.
 *
 * @param blob File of an object that has fields.
 * @throws {RenderError} The errors of `BlobStore.openVerified`.
 */
export async function sendJsonWith(
  reply: FastifyReply,
  blobs: BlobStore,
  { sha256, bytes }: StoredBlob,
  fields: object,
): Promise<FastifyReply> {
  const head = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},`);
  const rest = (await blobs.openVerified(sha256)).createReadStream({ start: 1 });
  const stream = Readable.from(joined(head, rest));
  // A stream that is destroyed before its start never reads the file.
  stream.once('close', () => rest.destroy());
  if (reply.raw.destroyed) stream.destroy();
  return reply
    .type(JSON_TYPE)
    .header('Content-Length', head.length + bytes - 1)
    .send(stream);
}

async function* joined(head: Uint8Array, rest: Readable): AsyncGenerator<Uint8Array, void> {
  yield head;
  yield* rest;
}

/**
 * Sends the report of a finished frame from the journal.
 *
 * @throws {RenderError} NOT_FOUND if the frame was deleted meanwhile.
 */
export function sendReport(reply: FastifyReply, store: FrameStore, frameId: string): FastifyReply {
  const bytes = store.reports.bytes(frameId);
  if (bytes === null) throw new RenderError('NOT_FOUND', `frame ${frameId} was deleted`);
  const stream = streamPieces(store.reports.pieces(frameId, bytes));
  return reply.type(JSON_TYPE).header('Content-Length', bytes).send(stream);
}

/**
 * Streams a JSON object that ends with a list. Each element is generated when the client has
 * received those before it.
 *
 * @param head Fields before the list.
 * @param elements JSON of the elements; one string may contain several, separated by commas.
 */
export function jsonWithList(
  head: object,
  listName: string,
  elements: Iterable<string> | AsyncIterable<string>,
): Readable {
  return streamPieces(jsonPieces(head, listName, elements));
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Streams pieces, each generated when the client has received those before it, one per turn of the
 * event loop.
 */
export function streamPieces(pieces: Pieces): Readable {
  return Readable.from(slicesOf(pieces), { highWaterMark: 1 });
}

/**
 * Splits pieces into slices that share their memory. Slices are small, so that the progress of the
 * client is visible.
 */
async function* slicesOf(pieces: Pieces): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      yield bytes.subarray(at, at + SLICE_BYTES);
    }
    // Sockets accept megabytes at once, so generating pieces for many readers would fill a turn of
    // the event loop.
    await nextTurn();
  }
}

async function* jsonPieces(
  head: object,
  listName: string,
  elements: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void> {
  const opened = JSON.stringify(head).slice(0, -1);
  yield `${opened}${opened === '{' ? '' : ','}${JSON.stringify(listName)}:[`;
  let separator = '';
  for await (const element of elements) {
    yield separator + element;
    separator = ',';
  }
  yield ']}';
}

/**
 * Returns a signal that is aborted when the client disconnects before its answer is complete, and
 * after the answer.
 */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  if (reply.raw.destroyed) abort.abort();
  reply.raw.once('close', () => abort.abort());
  return abort.signal;
}
