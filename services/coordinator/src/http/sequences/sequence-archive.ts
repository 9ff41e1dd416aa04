/** Sends the images and the report of a sequence as one ZIP archive. */
import { Readable } from 'node:stream';
import { RenderError, type SequenceReport, type Sha256 } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import type { FrameResult } from '../../frames/frame-record.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { ZIP_TYPE } from '../protocol/response-schemas.ts';
import { MAX_ZIP_BYTES, MAX_ZIP_ENTRIES, writeZip, type ZipEntry, zipBytes } from './zip.ts';

/**
 * Streams the archive: frame-0000.png, … and report.json.
 *
 * @throws {RenderError} LIMIT_EXCEEDED before any file is read.
 */
export function sendArchive(
  reply: FastifyReply,
  sequenceId: string,
  results: readonly FrameResult[],
  report: SequenceReport,
  blobs: BlobStore,
): FastifyReply {
  const entries = listEntries(results, report, blobs);
  refuseLargeArchive(entries);
  reply.header('Content-Disposition', `attachment; filename="${sequenceId}.zip"`);
  reply.header('Content-Length', zipBytes(entries));
  return reply.type(ZIP_TYPE).send(Readable.from(writeZip(entries), { highWaterMark: 1 }));
}

function listEntries(
  results: readonly FrameResult[],
  report: SequenceReport,
  blobs: BlobStore,
): ZipEntry[] {
  const reportJson = Buffer.from(JSON.stringify(report, null, 2));
  const entries = results.map(({ image: { sha256, bytes } }, index) => ({
    name: `frame-${String(index).padStart(4, '0')}.png`,
    key: sha256,
    bytes,
    read: () => readBlob(blobs, sha256),
  }));
  const key = 'report.json';
  return [...entries, { name: key, key, bytes: reportJson.length, read: () => [reportJson] }];
}

async function* readBlob(blobs: BlobStore, sha256: Sha256): AsyncGenerator<Uint8Array, void> {
  yield* (await blobs.openVerified(sha256)).createReadStream();
}

function refuseLargeArchive(entries: readonly ZipEntry[]): void {
  const bytes = zipBytes(entries);
  if (entries.length <= MAX_ZIP_ENTRIES && bytes <= MAX_ZIP_BYTES) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `the archive of ${entries.length} files would have ${bytes} bytes; at most ${MAX_ZIP_ENTRIES} files and ` +
      `${MAX_ZIP_BYTES} bytes. Get the images one by one from /v1/frames/{id}/image`,
  );
}
