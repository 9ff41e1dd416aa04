/** Routes of frames at a gateway: a posted frame is a batch of one interactive unit. */
import { RenderError } from '@tessera/frame';
import type { FrameFiles } from '../cluster/cluster-results.ts';
import { FRAME_PARAMS_SCHEMA, FRAME_STATUS_REF } from '../http/frames/frame-schemas.ts';
import { POST_FRAME_SCHEMA } from '../http/frames/post-frame-schema.ts';
import type { App } from '../http/protocol/app.ts';
import {
  binaryContent,
  JSON_TYPE,
  PNG_TYPE,
  problems,
  REPORT_REF,
} from '../http/protocol/response-schemas.ts';
import { requireClusterFrame, requireFiles, sendClusterFile } from './cluster-frames.ts';
import type { GatewayServices } from './gateway-services.ts';
import { PostClusterFrame } from './post-cluster-frame.ts';
import { statusOfFrame } from './statuses.ts';
import { STATUS_STREAM_RESPONSE, streamStatus } from './stream-status.ts';

/** Length of the list of frames. */
const LISTED_FRAMES = 100;

/** Adds the routes of frames. */
export function addClusterFrames(app: App, services: GatewayServices): void {
  const { withEngine, tenantOf } = services;
  const posts = new PostClusterFrame(services);

  app.post('/v1/frames', {
    schema: POST_FRAME_SCHEMA,
    handler: async (request, reply) => posts.handle(request, reply),
  });

  app.get('/v1/frames', {
    schema: {
      operationId: 'listFrames',
      summary: 'List the newest frames of the tenant',
      tags: ['frames'],
    },
    handler: async (request) => {
      const filter = { tenant: tenantOf(request).name, limit: LISTED_FRAMES };
      return withEngine(async (engine) => {
        const batches = await engine.batches({ ...filter, workClass: 'interactive' });
        const frames = [];
        for (const batch of batches) {
          const [unit] = await engine.units(batch.id, { from: 0, limit: 1 });
          frames.push(statusOfFrame(batch, unit!));
        }
        return { frames };
      });
    },
  });

  app.get('/v1/frames/:id', {
    schema: {
      operationId: 'getFrame',
      summary: 'Get the status of a frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 200: FRAME_STATUS_REF, ...problems(404, 503) },
    },
    handler: async (request) => {
      const { batch, unit } = await requireClusterFrame(services, request, request.params.id);
      return statusOfFrame(batch, unit);
    },
  });

  app.delete('/v1/frames/:id', {
    schema: {
      operationId: 'deleteFrame',
      summary: 'Cancel an unfinished frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404, 503) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await requireClusterFrame(services, request, id);
      await withEngine((engine) => engine.cancel(id));
      return reply.code(204).send(null);
    },
  });
  addResultRoutes(app, services);
}

function addResultRoutes(app: App, services: GatewayServices): void {
  app.get('/v1/frames/:id/events', {
    schema: {
      operationId: 'watchFrame',
      summary: 'Follow a frame (server-sent events)',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: STATUS_STREAM_RESPONSE,
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await requireClusterFrame(services, request, id);
      return streamStatus(reply, 'frame', async () => {
        const { batch, unit } = await requireClusterFrame(services, request, id);
        return { status: statusOfFrame(batch, unit), isOver: batch.state !== 'open' };
      });
    },
  });

  const results = [
    {
      path: 'image',
      type: PNG_TYPE,
      content: binaryContent(PNG_TYPE),
      of: ({ image }: FrameFiles) => image,
    },
    {
      path: 'report',
      type: JSON_TYPE,
      content: { [JSON_TYPE]: { schema: REPORT_REF } },
      of: ({ report }: FrameFiles) => report,
    },
    {
      path: 'timeline',
      type: JSON_TYPE,
      content: binaryContent(JSON_TYPE),
      of: ({ timeline }: FrameFiles) => timeline,
    },
    {
      path: 'measurement',
      type: 'application/octet-stream',
      content: binaryContent('application/octet-stream'),
      of: ({ measurement }: FrameFiles) => measurement,
    },
  ];
  for (const { path, type, content, of } of results) {
    app.get(`/v1/frames/:id/${path}`, {
      schema: {
        operationId: `getFrame${path[0]!.toUpperCase()}${path.slice(1)}`,
        summary: `Get the ${path} of a frame`,
        tags: ['frames'],
        params: FRAME_PARAMS_SCHEMA,
        response: {
          200: { description: 'Result', content },
          304: { description: 'The result matches If-None-Match', type: 'null' },
          // The errors with which a frame may have failed are answered too.
          ...problems(400, 404, 409, 410, 413, 422, 500, 503, 504),
        },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const blob = of(requireFiles(await requireClusterFrame(services, request, id)));
        if (blob === null) throw new RenderError('NOT_FOUND', `the frame has no ${path}`);
        return sendClusterFile(services, request, reply, blob, type);
      },
    });
  }
}
