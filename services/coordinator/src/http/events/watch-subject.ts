/** Follows one frame or study. */
import type { FastifyReply } from 'fastify';
import type { ServiceEvent } from '../../observe/event-log.ts';
import { lastEventNumber } from '../protocol/server-sent-events.ts';
import { isLastEvent, publicEvent } from './event-forms.ts';
import type { EventStreams } from './event-streams.ts';

/**
 * Sends the missed events or the current state, then new events until the frame or study is over.
 *
 * @param now Current state as an event without a number.
 * @param isOver Whether no more events follow.
 */
export function watchSubject(
  streams: EventStreams,
  lastEventId: string | undefined,
  reply: FastifyReply,
  now: Omit<ServiceEvent, 'number'>,
  isOver: boolean,
): FastifyReply {
  const { log } = streams;
  const isOfSubject = ({ subject }: ServiceEvent) => subject === now.subject;
  const last = lastEventNumber(lastEventId);
  const missed = (last === null ? null : log.since(last))?.filter(isOfSubject) ?? null;
  if (missed?.length === 0 && isOver) return reply.code(204).send();
  const stream = streams.open(reply);
  const send = (event: ServiceEvent) => {
    stream.send(publicEvent(event));
    if (isLastEvent(event)) stream.end();
  };
  for (const event of missed ?? [{ ...now, number: log.lastNumber }]) send(event);
  if (!isOver) streams.follow(stream, (event) => isOfSubject(event) && send(event));
  return reply;
}
