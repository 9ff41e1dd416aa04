/** Follows the whole service. */
import type { FastifyReply } from 'fastify';
import { nextTurn } from '../../process/event-loop-turn.ts';
import { type EventStream, lastEventNumber } from '../protocol/server-sent-events.ts';
import { eventText } from './event-forms.ts';
import type { EventStreams } from './event-streams.ts';

/** Missed events sent to one stream per turn of the event loop. */
const REPLAYED_PER_TURN = 64;

/** Sends a snapshot or the missed events, then new events until the client disconnects. */
export async function watchService(
  streams: EventStreams,
  lastEventId: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const last = lastEventNumber(lastEventId);
  const isResumed = last !== null && streams.log.since(last) !== null;
  const stream = streams.open(reply);
  if (!isResumed) {
    stream.sendTexts([streams.snapshot()]);
  } else if (!(await replay(streams, stream, last))) {
    stream.end();
    return reply;
  }
  streams.follow(stream, (event) => stream.sendTexts([eventText(event)]));
  return reply;
}

/**
 * Sends missed events in batches, each after the client has received the one before.
 *
 * @returns False if the client disconnected, or was so slow that events it missed are not kept.
 */
async function replay(
  streams: EventStreams,
  stream: EventStream,
  lastNumber: number,
): Promise<boolean> {
  for (let last = lastNumber; ; ) {
    const missed = streams.log.since(last);
    if (missed === null || !stream.isOpen) return false;
    if (missed.length === 0) return true;
    const batch = missed.slice(0, REPLAYED_PER_TURN);
    last = batch.at(-1)!.number;
    stream.sendTexts(batch.map(eventText));
    await stream.drained();
    await nextTurn();
  }
}
