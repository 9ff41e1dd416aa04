/** Routes of frames as such: how far one is, which there are, away with one. What became of it: result-routes.ts. */
import { RenderError } from '@tessera/frame';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameStore, FrameSummary } from '../../frames/frame-store.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType, nextPage } from '../protocol/negotiation.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import { jsonWithList } from '../protocol/stored-results.ts';
import {
  FRAME_LIST_QUERY_SCHEMA,
  FRAME_LIST_RESPONSE,
  FRAME_PARAMS_SCHEMA,
  FRAME_STATUS_REF,
} from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';
import { requireFrame } from './result-routes.ts';

/** Longest time until a rendering that was cancelled has stopped. */
const CANCEL_WITHIN_MS = 5000;

export interface FrameRouteOptions {
  readonly queue: FrameQueue;
  readonly store: FrameStore;
}

export function addFrameRoutes(app: App, { queue, store }: FrameRouteOptions): void {
  app.get('/v1/frames', {
    schema: {
      operationId: 'listFrames',
      summary: 'Frames, the newest first',
      description: 'A page at a time: `next` is the address of the page after this one.',
      tags: ['frames'],
      querystring: FRAME_LIST_QUERY_SCHEMA,
      response: { 200: FRAME_LIST_RESPONSE, ...problems(400, 406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { status, policy, search, from, limit, cursor } = request.query;
      const { frames, nextBefore } = store.list({
        status,
        policy,
        search,
        fromMs: from === undefined ? undefined : parseTime(from),
        beforeNumber: cursor,
        limit,
      });
      const next = nextPage(request.url, nextBefore);
      return reply.type(JSON_TYPE).send(jsonWithList({ next }, 'frames', listStatuses(frames)));
    },
  });

  app.get('/v1/frames/:id', {
    schema: {
      operationId: 'getFrame',
      summary: 'How far a frame is',
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
      summary: 'Cancel a frame that is not finished, forget one that is',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
    },
    handler: async (request, reply) => {
      const record = requireFrame(store, request.params.id);
      if (record.phase === 'over') store.forget(record.id);
      else if (queue.cancel(record.id)) {
        // Answered once it is in the journal: otherwise a killed coordinator would resume the frame.
        await queue.waitFor(record.id, CANCEL_WITHIN_MS);
      } else {
        // A frame of an earlier start that is not in the queue yet.
        const error = { code: 'FRAME_CANCELLED', message: 'the frame was cancelled' } as const;
        store.finish(record, { status: 'cancelled', error });
      }
      return reply.code(204).send(null);
    },
  });
}

function* listStatuses(frames: Iterable<FrameSummary>): Generator<string, void> {
  for (const frame of frames) yield JSON.stringify(frameStatus(frame));
}

function parseTime(text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isFinite(timeMs)) return timeMs;
  throw new RenderError('REQUEST_INVALID', `query.from: '${text}' is no date and time`);
}
