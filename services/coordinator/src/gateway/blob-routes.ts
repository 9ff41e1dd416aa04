/**
 * `/v1/blobs/{sha256}`: content of a cluster by its hash. Uploads are resumable, in the form of tus
 * 1.0 and the Internet-Draft "Resumable Uploads for HTTP": HEAD tells the offset, PATCH continues.
 */
import { Readable } from 'node:stream';
import type { Sha256 } from '@tessera/frame';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { App } from '../http/protocol/app.ts';
import { binaryContent, FILE_SCHEMA, problems } from '../http/protocol/response-schemas.ts';
import { asProblem, missingBlob } from './blob-problems.ts';
import {
  type ArrivingBody,
  type BlobUploadOptions,
  BlobUploads,
  UploadOffsetError,
} from './blob-uploads.ts';

/** Services and limits of the routes. */
export interface BlobRouteOptions extends BlobUploadOptions {
  /** Returns the tenant of a request, which was authenticated before. */
  readonly tenantOf: (request: FastifyRequest) => string;
}

const BYTES_TYPE = 'application/octet-stream';
const PATCH_TYPE = 'application/offset+octet-stream';
/** Wall time between deletions of old uploads. */
const SWEEP_MS = 3_600_000;

const PARAMS = Type.Object({
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 in lower-case hexadecimal',
  }),
});
const byteCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** Adds the routes. Call it in a scope of its own, because no other route accepts these bodies. */
export function addBlobRoutes(app: App, options: BlobRouteOptions): void {
  const uploads = new BlobUploads(options);
  for (const type of [BYTES_TYPE, PATCH_TYPE]) {
    app.addContentTypeParser(type, (_request, body, done) => done(null, body));
  }
  const sweep = () =>
    uploads.spool
      .sweep()
      .catch((error) => app.log.error({ err: error }, 'old uploads not deleted'));
  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook('onReady', sweep);
  app.addHook('onClose', async () => clearInterval(timer));
  addReadingRoutes(app, options, uploads);
  addWritingRoutes(app, options, uploads);
}

function addReadingRoutes(app: App, options: BlobRouteOptions, uploads: BlobUploads): void {
  const { blobs, tenantOf } = options;

  app.head('/v1/blobs/:sha256', {
    schema: {
      operationId: 'headBlob',
      summary: 'Ask whether a blob is stored, or how much of an upload has arrived',
      description:
        '404 has the header Upload-Offset if an upload of the blob was begun: the number of bytes that arrived. ' +
        'Continue there with PATCH.',
      tags: ['blobs'],
      params: PARAMS,
      response: {
        200: { description: 'Stored; Content-Length is its length' },
        ...problems(404, 503),
      },
    },
    handler: async (request, reply) => {
      const { sha256 } = request.params;
      reply.header('Cache-Control', 'no-store');
      const bytes = await asProblem(blobs.size(sha256));
      if (bytes !== null) return reply.headers(headersOf(sha256, bytes)).send();
      const upload = await uploads.spool.find(tenantOf(request), sha256);
      if (upload !== null) {
        reply.header('Upload-Offset', upload.offset).header('Upload-Length', upload.length);
      }
      throw missingBlob(sha256);
    },
  });

  app.get('/v1/blobs/:sha256', {
    exposeHeadRoute: false,
    schema: {
      operationId: 'getBlob',
      summary: 'Get the content of a blob',
      tags: ['blobs'],
      params: PARAMS,
      response: {
        200: { description: 'Content', content: binaryContent(BYTES_TYPE) },
        304: { description: 'If-None-Match has the entity tag of the blob' },
        ...problems(404, 503),
      },
    },
    handler: async (request, reply) => {
      const { sha256 } = request.params;
      const bytes = await asProblem(blobs.size(sha256));
      if (bytes === null) throw missingBlob(sha256);
      const tags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim());
      if (tags?.some((tag) => tag === '*' || tag.replace(/^W\//, '') === `"${sha256}"`)) {
        return reply.code(304).header('ETag', `"${sha256}"`).send();
      }
      const content = await asProblem(blobs.get(sha256));
      // If the client disconnected meanwhile, nothing else ends the stream.
      if (reply.raw.destroyed) content.destroy();
      return reply.headers(headersOf(sha256, bytes)).send(content);
    },
  });
}

function addWritingRoutes(app: App, { tenantOf }: BlobRouteOptions, uploads: BlobUploads): void {
  app.put('/v1/blobs/:sha256', {
    schema: {
      operationId: 'putBlob',
      summary: 'Upload a blob in one request',
      tags: ['blobs'],
      params: PARAMS,
      documentedBody: { content: { [BYTES_TYPE]: { schema: FILE_SCHEMA } } },
      response: {
        201: { description: 'Stored', type: 'null' },
        204: { description: 'Already stored', type: 'null' },
        ...problems(400, 413, 415, 422, 429, 503, 507),
      },
    },
    handler: async (request, reply) => {
      const { sha256 } = request.params;
      const isNew = await uploads.receiveWhole(tenantOf(request), sha256, bodyOf(request));
      return reply.code(isNew ? 201 : 204).send(null);
    },
  });

  app.patch('/v1/blobs/:sha256', {
    schema: {
      operationId: 'patchBlob',
      summary: 'Begin or continue an upload',
      description:
        'Appends the body at Upload-Offset, which is 0 at first. If the connection breaks, HEAD tells the offset to ' +
        'continue at. When all bytes are there, their SHA-256 is compared with the path. A body may be empty to ' +
        'repeat that. All requests of an upload must reach the same gateway, or gateways with one spool folder.',
      tags: ['blobs'],
      params: PARAMS,
      headers: Type.Object({
        'upload-offset': byteCount('Number of bytes that were sent before'),
        'upload-length': byteCount('Number of bytes of the whole content'),
      }),
      documentedBody: { content: { [PATCH_TYPE]: { schema: FILE_SCHEMA } } },
      response: {
        201: { description: 'Stored', type: 'null' },
        204: { description: 'Upload-Offset bytes have arrived, or already stored', type: 'null' },
        ...problems(400, 409, 413, 415, 422, 429, 503, 507),
      },
    },
    handler: async (request, reply) => {
      const { sha256 } = request.params;
      const { 'upload-offset': offset, 'upload-length': length } = request.headers;
      try {
        const part = { ...bodyOf(request), offset, length };
        const { end, isNew } = await uploads.receivePart(tenantOf(request), sha256, part);
        return await reply
          .code(isNew ? 201 : 204)
          .header('Upload-Offset', end)
          .send(null);
      } catch (error) {
        if (error instanceof UploadOffsetError) reply.header('Upload-Offset', error.offset);
        throw error;
      }
    },
  });
}

function headersOf(sha256: Sha256, bytes: number): Record<string, string | number> {
  return {
    'Content-Type': BYTES_TYPE,
    'Content-Length': bytes,
    // Content of a hash never changes.
    ETag: `"${sha256}"`,
    'Cache-Control': 'private, max-age=31536000, immutable',
  };
}

/** Returns the body of a request, which the parser passes through. */
function bodyOf({ body, headers }: FastifyRequest): ArrivingBody {
  const length = headers['content-length'];
  return {
    stream: (body as Readable | undefined) ?? Readable.from([]),
    bytes: length === undefined ? null : Number(length),
  };
}
