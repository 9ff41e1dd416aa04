/**
 * `PUT /v1/resources/{sha256}`: stores content that native frames name by its hash, so that it is
 * sent once.
 */
import type { Readable } from 'node:stream';
import { RenderError } from '@tessera/frame';
import Type from 'typebox';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { Access } from '../../config/access.ts';
import { accountOf } from '../../config/clients.ts';
import type { Config } from '../../config/config.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { ResourceStore } from '../../store/resource-store.ts';
import { clientOf } from '../access/client-of.ts';
import { contentLength } from '../frames/frame-body.ts';
import type { App } from '../protocol/app.ts';
import { FILE_SCHEMA, problems } from '../protocol/response-schemas.ts';
import type { Uploads } from '../protocol/uploads.ts';

/** Services that the resource routes use. */
export interface ResourceRouteOptions {
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly resources: ResourceStore;
  readonly access: Access;
  readonly quotas: ClientQuotas;
}

const BYTES_TYPE = 'application/octet-stream';

/** Adds the route. Call it in a scope of its own, because no other route accepts binary bodies. */
export function addResourceRoutes(app: App, options: ResourceRouteOptions) {
  const { access, config, blobs, uploads, resources, quotas } = options;
  app.addContentTypeParser(BYTES_TYPE, (_request, body, done) => done(null, body));

  app.put('/v1/resources/:sha256', {
    schema: {
      operationId: 'putResource',
      summary: 'Upload a buffer, a texture level or a shader source for frames to name',
      description:
        'Stores the body under its SHA-256, which must match the path. Native frames may then name it instead of ' +
        'containing its bytes (docs/frame-format.md). When the total size of all resources exceeds a limit, the least recently used ones ' +
        'are deleted. An admitted frame keeps the resources that it names.',
      tags: ['frames'],
      params: Type.Object({
        sha256: Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'SHA-256 in lower-case hexadecimal',
        }),
      }),
      documentedBody: { content: { [BYTES_TYPE]: { schema: FILE_SCHEMA } } },
      response: {
        201: { description: 'Stored', type: 'null' },
        204: { description: 'Already stored', type: 'null' },
        ...problems(400, 413, 415, 429, 503, 507),
      },
    },
    handler: async (request, reply) => {
      const { sha256 } = request.params;
      const client = clientOf(request, access);
      quotas.refuseBytes(client, contentLength(request));
      const upload = uploads.begin(quotas.beginBody(client));
      const stream = upload.count(request.body as unknown as Readable);
      const writing = blobs.writeStream(stream, config.TESSERA_MAX_BODY_BYTES);
      const blob = await writing.finally(() => upload.close());
      try {
        if (blob.sha256 !== sha256) {
          const message = `body: its SHA-256 is ${blob.sha256} instead of ${sha256} in the path`;
          throw new RenderError('REQUEST_INVALID', message);
        }
        if (!resources.has(sha256)) quotas.refuseFiles(client, [blob]);
        const isNew = resources.add(blob, accountOf(client));
        return reply.code(isNew ? 201 : 204).send(null);
      } finally {
        blobs.release([blob]);
      }
    },
  });
}
