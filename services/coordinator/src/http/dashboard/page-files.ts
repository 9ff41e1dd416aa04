/**
 * Files of pages. They are small, so they are kept in memory after their first use, plain and
 * compressed. Clients revalidate them by their entity tags.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified } from '../protocol/negotiation.ts';

/** File with its headers. */
export interface PageFile {
  readonly mediaType: string;
  readonly content: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Sends a file, or 304 if the client has it. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile,
): FastifyReply {
  reply.header('ETag', file.etag).header('Cache-Control', 'no-cache');
  reply.header('Vary', 'Accept-Encoding');
  if (isNotModified(request.headers['if-none-match'], file.etag)) {
    return reply.code(304).send(null);
  }
  const canUnzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (canUnzip) reply.header('Content-Encoding', 'gzip');
  return reply.type(file.mediaType).send(canUnzip ? file.gzipped : file.content);
}

/** Returns a file with its headers. */
export function pageFile(mediaType: string, content: Buffer): PageFile {
  const hash = createHash('sha256').update(content).digest('base64url');
  return { mediaType, content, gzipped: gzipSync(content), etag: `"${hash}"` };
}

/** Returns a function that reads a file on its first call. */
export function makeFile(mediaType: string, read: () => string | Buffer): () => PageFile {
  let file: PageFile | null = null;
  return () => {
    file ??= pageFile(mediaType, Buffer.from(read()));
    return file;
  };
}
