/** What happens, as it happens: the events of one frame, and those of the whole service. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Config } from '../../config/config.ts';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameStore, FrameSummary } from '../../frames/frame-store.ts';
import type { EventLog, EventTopic, ServiceEvent } from '../../observe/event-log.ts';
import { nextTurn } from '../../process/event-loop-turn.ts';
import type { StudyRecord, StudyStore } from '../../studies/study-store.ts';
import { FRAME_PARAMS_SCHEMA } from '../frames/frame-schemas.ts';
import { frameStatus } from '../frames/frame-status.ts';
import { requireFrame } from '../frames/result-routes.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { EVENT_STREAM_TYPE, problems } from '../protocol/response-schemas.ts';
import { EventStream, lastEventNumber, textOf } from '../protocol/server-sent-events.ts';
import { studyStatus } from '../studies/study-routes.ts';
import { STUDY_PARAMS_SCHEMA } from '../studies/study-schemas.ts';

export interface EventRouteOptions {
  readonly events: EventLog;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
  readonly studies: StudyStore;
  readonly config: Config;
}

/** Of a service's stream before its events. */
const RECENT_FRAMES = 20;
/** Events that are sent again to one stream in a turn of the event loop. */
const REPLAYED_PER_TURN = 64;

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
  const { events, queue, store, registry, studies, config } = options;
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
        ...problems(404, 406, 503),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const { source: _source, ...summary } = requireFrame(store, request.params.id);
      const { id, phase } = summary;
      const now = { topic: 'frame', subject: id, body: summary } as const;
      return watchOne(request.headers['last-event-id'], reply, now, phase === 'over');
    },
  });

  app.get('/v1/studies/:id/events', {
    schema: {
      operationId: 'watchStudy',
      summary: 'How a study gets on, as server-sent events',
      description: '`study`: the status, whenever something was measured. Otherwise as watchFrame.',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: {
        ...EVENT_STREAM_RESPONSE,
        204: { description: 'The study is over and nothing was missed', type: 'null' },
        ...problems(404, 406, 503),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const { id } = request.params;
      const study = studies.get(id);
      if (study === undefined) throw new RenderError('NOT_FOUND', `no study ${id}`);
      const now = { topic: 'study', subject: id, body: study } as const;
      return watchOne(request.headers['last-event-id'], reply, now, study.status !== 'running');
    },
  });

  /** Sends what was missed or what is now, then follows one frame or study until it is over. */
  async function watchOne(
    lastEventId: string | undefined,
    reply: FastifyReply,
    now: Omit<ServiceEvent, 'number'>,
    isOver: boolean,
  ): Promise<FastifyReply> {
    const isOfSubject = ({ subject }: ServiceEvent) => subject === now.subject;
    const missed = eventsAfter(lastEventId)?.filter(isOfSubject) ?? null;
    if (missed?.length === 0 && isOver) return reply.code(204).send();
    const stream = openStream(reply);
    const send = (event: ServiceEvent) => {
      stream.send(sentForm(event));
      if (isLast(event)) stream.end();
    };
    for (const event of missed ?? [{ ...now, number: events.lastNumber }]) send(event);
    if (!isOver) follow(stream, (event) => isOfSubject(event) && send(event));
    return reply;
  }

  app.get('/v1/events', {
    schema: {
      operationId: 'watchService',
      summary: 'Queue, frames, chiplets and studies as server-sent events',
      description:
        'Begins with `snapshot` (queue, chiplets, last frames), or with what was missed since `Last-Event-ID`. ' +
        'Then `queue`, `chiplet`, `frame`, `bin` and `study`, each with its state as it is now.',
      tags: ['service'],
      headers: LAST_EVENT_HEADERS_SCHEMA,
      response: { ...EVENT_STREAM_RESPONSE, ...problems(406, 503) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [EVENT_STREAM_TYPE]);
      const last = lastEventNumber(request.headers['last-event-id']);
      const isResumed = last !== null && events.since(last) !== null;
      const stream = openStream(reply);
      if (!isResumed) {
        stream.sendTexts([snapshot()]);
      } else if (!(await replay(stream, last))) {
        stream.end();
        return reply;
      }
      follow(stream, (event) => stream.sendTexts([writtenForm(event)]));
      return reply;
    },
  });

  let lastSnapshot = { number: -1, text: '' };

  /** The state of the service as an event; listeners that come before the next event get the same. */
  function snapshot(): string {
    const number = events.lastNumber;
    if (lastSnapshot.number !== number) {
      const frames = [...store.list({ limit: RECENT_FRAMES }).frames].map(frameStatus);
      const body = { queue: queue.load, chiplets: registry.list(), frames };
      lastSnapshot = { number, text: textOf({ id: number, name: 'snapshot', body }) };
    }
    return lastSnapshot.text;
  }

  /**
   * Sends what was missed, some events in a turn and as the client takes them, until nothing is left.
   *
   * @returns False if the client left, or took so long that events are not kept any more.
   */
  async function replay(stream: EventStream, lastNumber: number): Promise<boolean> {
    for (let last = lastNumber; ; ) {
      const missed = events.since(last);
      if (missed === null || !stream.isOpen) return false;
      if (missed.length === 0) return true;
      const some = missed.slice(0, REPLAYED_PER_TURN);
      last = some.at(-1)!.number;
      stream.sendTexts(some.map(writtenForm));
      await stream.drained();
      await nextTurn();
    }
  }

  const unsubscribeByStream = new Map<EventStream, () => void>();

  /** @throws {RenderError} TOO_MANY_STREAMS. */
  function openStream(reply: FastifyReply): EventStream {
    if (streams.size >= config.TESSERA_MAX_STREAMS) {
      throw new RenderError('TOO_MANY_STREAMS', `${streams.size} streams of events are open`);
    }
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

/** Whether nothing more will happen to a frame or study. */
function isLast({ topic, body }: ServiceEvent): boolean {
  if (topic === 'frame') return (body as FrameSummary).phase === 'over';
  return topic === 'study' && (body as StudyRecord).status !== 'running';
}

/** How bodies of each topic are shown. */
const SHOW_BODY: Readonly<Record<EventTopic, (body: unknown) => unknown>> = {
  frame: (body) => frameStatus(body as FrameSummary), // what FrameStore publishes
  bin: (body) => body,
  chiplet: (body) => body,
  queue: (body) => body,
  study: (body) => studyStatus(body as StudyRecord), // what StudyStore publishes
};

/** By event, as all streams send it. */
const writtenForms = new WeakMap<ServiceEvent, string>();

function writtenForm(event: ServiceEvent): string {
  let text = writtenForms.get(event);
  if (text === undefined) {
    text = textOf(sentForm(event));
    writtenForms.set(event, text);
  }
  return text;
}

function sentForm({ number, topic, body }: ServiceEvent) {
  return { id: number, name: topic, body: SHOW_BODY[topic](body) };
}
