/** Routes of server-sent events: of one frame, of one study, of the whole service. */
import Type from 'typebox';
import { requireFrame } from '../frames/frame-results.ts';
import { FRAME_PARAMS_SCHEMA } from '../frames/frame-schemas.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { EVENT_STREAM_TYPE, problems } from '../protocol/response-schemas.ts';
import { requireStudy } from '../studies/study-handlers.ts';
import { STUDY_PARAMS_SCHEMA } from '../studies/study-schemas.ts';
import { EventStreams, type EventStreamsOptions } from './event-streams.ts';
import { watchService } from './watch-service.ts';
import { watchSubject } from './watch-subject.ts';

/** Services that the event routes use. */
export type EventRouteOptions = EventStreamsOptions;

const LAST_EVENT_HEADERS_SCHEMA = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the last event that the client received' }),
  ),
});

const EVENT_STREAM_RESPONSE = {
  200: {
    description: 'Server-sent events until the client disconnects',
    content: { [EVENT_STREAM_TYPE]: { schema: Type.String() } },
  },
};

/** Adds the routes of events. */
export function addEventRoutes(app: App, options: EventRouteOptions): void {
  const { store, studies } = options;
  const streams = new EventStreams(options);
  app.addHook('preClose', async () => streams.endAll());

  app.get('/v1/frames/:id/events', {
    schema: {
      operationId: 'watchFrame',
      summary: 'Follow a frame by server-sent events',
      description:
        'Sends `frame` with the status when status or phase changes, and `bin` when a chiplet finishes a coarse bin. ' +
        'The stream begins with the current status, or with the events missed since `Last-Event-ID`. It ends with ' +
        'the frame; a client that reconnects after that gets 204.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: {
        ...EVENT_STREAM_RESPONSE,
        204: { description: 'The frame is finished and no event was missed', type: 'null' },
        ...problems(404, 406, 503),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const { source: _source, ...body } = requireFrame(store, request.params.id);
      const now = { topic: 'frame', subject: body.id, body } as const;
      const isOver = body.phase === 'over';
      return watchSubject(streams, request.headers['last-event-id'], reply, now, isOver);
    },
  });

  app.get('/v1/studies/:id/events', {
    schema: {
      operationId: 'watchStudy',
      summary: 'Follow a study by server-sent events',
      description:
        'Sends `study` with the status after each measurement. The stream begins and ends as in watchFrame.',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: {
        ...EVENT_STREAM_RESPONSE,
        204: { description: 'The study is finished and no event was missed', type: 'null' },
        ...problems(404, 406, 503),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const study = requireStudy(studies, request.params.id);
      const now = { topic: 'study', subject: study.id, body: study } as const;
      const isOver = study.status !== 'running';
      return watchSubject(streams, request.headers['last-event-id'], reply, now, isOver);
    },
  });

  app.get('/v1/events', {
    schema: {
      operationId: 'watchService',
      summary: 'Follow the queue, frames, chiplets and studies by server-sent events',
      description:
        'The stream begins with `snapshot` (queue, chiplets, latest frames), or with the events missed since ' +
        '`Last-Event-ID`. The events `queue`, `chiplet`, `frame`, `bin` and `study` follow, each with its current state.',
      tags: ['service'],
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: { ...EVENT_STREAM_RESPONSE, ...problems(406, 503) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      return watchService(streams, request.headers['last-event-id'], reply);
    },
  });
}
