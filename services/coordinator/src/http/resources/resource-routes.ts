/** `PUT /v1/resources/{sha256}`: content that native frames name by its hash, so that it is sent once. */
import type { Readable } from 'node:stream';
import { RenderError } from '@tessera/frame';
import Type from 'typebox';
import type { Config } from '../../config/config.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { ResourceStore } from '../../store/resource-store.ts';
import type { App } from '../protocol/app.ts';
import { problems } from '../protocol/response-schemas.ts';
import type { Uploads } from '../protocol/uploads.ts';

export interface ResourceRouteOptions {
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly resources: ResourceStore;
}

const BYTES_TYPE = 'application/octet-stream';

/** To be added in a scope of its own: bodies of bytes are read nowhere else. */
export function addResourceRoutes(app: App, options: ResourceRouteOptions) {
  const { config, blobs, uploads, resources } = options;
  app.addContentTypeParser(BYTES_TYPE, (_request, body, done) => done(null, body));

  app.put('/v1/resources/:sha256', {
    schema: {
      operationId: 'putResource',
      summary: 'Put a buffer, a level of a texture or a shader’s source for frames to name',
      description:
        'The body is kept under its SHA-256, which must be that of the path. Native frames posted later may name it in ' +
        'place of its bytes (docs/frame-format.md). The longest unused are removed when all together are too large; ' +
        'an admitted frame keeps what it names.',
      tags: ['frames'],
      params: Type.Object({
        sha256: Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'In lower-case hexadecimal',
        }),
      }),
      // For the document: what comes is streamed to disk.
      body: { content: { [BYTES_TYPE]: { schema: {} } } },
      response: {
        201: { description: 'Kept' },
        204: { description: 'It was here already' },
        ...problems(400, 413, 415, 429, 503, 507),
      },
    },
    handler: async (request, reply) => {
      const { sha256 } = request.params;
      const upload = uploads.begin();
      const stream = upload.count(request.body as unknown as Readable);
      const writing = blobs.writeStream(stream, config.TESSERA_MAX_BODY_BYTES);
      const blob = await writing.finally(() => upload.close());
      try {
        if (blob.sha256 !== sha256) {
          const message = `body: its SHA-256 is ${blob.sha256}, the path says ${sha256}`;
          throw new RenderError('REQUEST_INVALID', message);
        }
        return reply.code(resources.add(blob) ? 201 : 204).send();
      } finally {
        blobs.release([blob]);
      }
    },
  });
}
