/** Routes to list, poll and delete frames. Results: result-routes.ts. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameRecord, FrameSummary } from '../../frames/frame-record.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType, nextPage } from '../protocol/negotiation.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import { jsonWithList } from '../protocol/stored-results.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { requireFrame } from './frame-results.ts';
import {
  FRAME_LIST_QUERY_SCHEMA,
  FRAME_LIST_RESPONSE,
  FRAME_PARAMS_SCHEMA,
  FRAME_STATUS_REF,
  type FrameListQuery,
} from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';

/** Services that the frame routes use. */
export interface FrameRouteOptions {
  readonly queue: FrameQueue;
  readonly store: FrameStore;
}

/** Adds the routes to list, poll and delete frames. */
export function addFrameRoutes(app: App, { queue, store }: FrameRouteOptions): void {
  app.get('/v1/frames', {
    schema: {
      operationId: 'listFrames',
      summary: 'List frames, newest first',
      description: 'Returns one page; `next` is the address of the next page.',
      tags: ['frames'],
      querystring: FRAME_LIST_QUERY_SCHEMA,
      response: { 200: FRAME_LIST_RESPONSE, ...problems(400, 406) },
    },
    handler: async (request, reply) => listFrames(request, reply, store),
  });

  app.get('/v1/frames/:id', {
    schema: {
      operationId: 'getFrame',
      summary: 'Get the status of a frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 200: FRAME_STATUS_REF, ...problems(404, 406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      reply.header('Cache-Control', 'no-cache');
      return frameStatus(requireFrame(store, request.params.id));
    },
  });

  app.delete('/v1/frames/:id', {
    schema: {
      operationId: 'deleteFrame',
      summary: 'Cancel an unfinished frame or delete a finished one',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
    },
    handler: async (request, reply) => {
      deleteFrame(requireFrame(store, request.params.id), queue, store);
      return reply.code(204).send(null);
    },
  });
}

function listFrames(
  request: Validated<{ query: FrameListQuery }>,
  reply: FastifyReply,
  store: FrameStore,
): FastifyReply {
  chooseMediaType(request.headers.accept, [JSON_TYPE]);
  const { status, policy, search, tag, from, limit, cursor } = request.query;
  const { frames, nextBefore } = store.list({
    status,
    policy,
    search,
    tag,
    fromMs: from === undefined ? undefined : parseTime(from),
    beforeNumber: cursor,
    limit,
  });
  const next = nextPage(request.url, nextBefore);
  return reply.type(JSON_TYPE).send(jsonWithList({ next }, 'frames', listStatuses(frames)));
}

function deleteFrame(record: FrameRecord, queue: FrameQueue, store: FrameStore): void {
  if (record.phase === 'over') store.delete(record.id);
  else queue.cancel(record.id);
}

function* listStatuses(frames: Iterable<FrameSummary>): Generator<string, void> {
  for (const frame of frames) yield JSON.stringify(frameStatus(frame));
}

function parseTime(text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isFinite(timeMs)) return timeMs;
  throw new RenderError(
    'REQUEST_INVALID',
    `query.from: '${text}' is not an ISO 8601 date and time`,
  );
}
