/** What happens, as it happens: the events of one frame, and those of the whole service. */
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { ChipletRegistry } from '../chiplet-registry.ts';
import type { EventLog, EventTopic, ServiceEvent } from '../event-log.ts';
import type { FrameQueue } from '../frame-queue.ts';
import type { FrameRecord, FrameStore } from '../frame-store.ts';
import type { App } from './app.ts';
import { FRAME_PARAMS_SCHEMA } from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';
import { chooseMediaType } from './negotiation.ts';
import { EVENT_STREAM_TYPE, problems } from './response-schemas.ts';
import { requireFrame } from './result-routes.ts';
import { EventStream, lastEventNumber } from './server-sent-events.ts';

export interface EventRouteOptions {
  readonly events: EventLog;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
}

/** Of a service's stream before its events. */
const RECENT_FRAMES = 20;

const LAST_EVENT_HEADERS_SCHEMA = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ maxLength: 100, description: 'The last event that was received' }),
  ),
});

const EVENT_STREAM_RESPONSE = {
  200: {
    description: 'Server-sent events until the client leaves',
    content: { [EVENT_STREAM_TYPE]: { schema: Type.String() } },
  },
};

export function addEventRoutes(app: App, options: EventRouteOptions): void {
  const { events, queue, store, registry } = options;
  const streams = new Set<EventStream>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });

  app.get('/v1/frames/:id/events', {
    schema: {
      operationId: 'watchFrame',
      summary: 'How a frame gets on, as server-sent events',
      description:
        '`frame`: the status, whenever status or phase change; `bin`: a coarse bin is done, by whom. ' +
        'The stream begins with the status as it is, or with what was missed since `Last-Event-ID`, and ends with the frame. ' +
        'Who asks again after that gets 204.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: {
        ...EVENT_STREAM_RESPONSE,
        204: { description: 'The frame is over and nothing was missed', type: 'null' },
        ...problems(404, 406),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const record = requireFrame(store, request.params.id);
      const isOfFrame = ({ subject }: ServiceEvent) => subject === record.id;
      const missed = eventsAfter(request.headers['last-event-id'])?.filter(isOfFrame) ?? null;
      if (missed?.length === 0 && record.phase === 'over') return reply.code(204).send(null);
      const stream = openStream(reply);
      const send = (event: ServiceEvent) => {
        stream.send(sentForm(event));
        if (event.topic === 'frame' && (event.body as FrameRecord).phase === 'over') stream.end();
      };
      const first = { number: events.lastNumber, subject: record.id, body: { ...record } };
      for (const event of missed ?? [{ topic: 'frame', ...first } as const]) send(event);
      if (record.phase !== 'over') follow(stream, (event) => isOfFrame(event) && send(event));
      return reply;
    },
  });

  app.get('/v1/events', {
    schema: {
      operationId: 'watchService',
      summary: 'Queue, frames, chiplets and studies as server-sent events',
      description:
        'Begins with `snapshot` (queue, chiplets, last frames), or with what was missed since `Last-Event-ID`. ' +
        'Then `queue`, `chiplet`, `frame`, `bin` and `study`, each with its state as it is now.',
      tags: ['service'],
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: { ...EVENT_STREAM_RESPONSE, ...problems(406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const missed = eventsAfter(request.headers['last-event-id']);
      const stream = openStream(reply);
      if (missed === null) {
        const frames = store.list({ limit: RECENT_FRAMES }).frames.map(frameStatus);
        const body = { queue: queue.load(), chiplets: registry.list(), frames };
        stream.send({ id: events.lastNumber, name: 'snapshot', body });
      }
      for (const event of missed ?? []) stream.send(sentForm(event));
      follow(stream, (event) => stream.send(sentForm(event)));
      return reply;
    },
  });

  const unsubscribeByStream = new Map<EventStream, () => void>();

  function openStream(reply: FastifyReply): EventStream {
    const stream = new EventStream(reply, () => {
      streams.delete(stream);
      unsubscribeByStream.get(stream)?.();
      unsubscribeByStream.delete(stream);
    });
    streams.add(stream);
    return stream;
  }

  function follow(stream: EventStream, listener: (event: ServiceEvent) => void): void {
    unsubscribeByStream.set(stream, events.subscribe(listener));
  }

  function eventsAfter(header: string | undefined): readonly ServiceEvent[] | null {
    const last = lastEventNumber(header);
    return last === null ? null : events.since(last);
  }
}

/** How bodies of each topic are shown. */
const SHOW_BODY: Readonly<Record<EventTopic, (body: unknown) => unknown>> = {
  frame: (body) => frameStatus(body as FrameRecord), // what FrameStore publishes
  bin: (body) => body,
  chiplet: (body) => body,
  queue: (body) => body,
  study: (body) => body,
};

function sentForm({ number, topic, body }: ServiceEvent) {
  return { id: number, name: topic, body: SHOW_BODY[topic](body) };
}
