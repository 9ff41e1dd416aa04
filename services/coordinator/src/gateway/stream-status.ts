/** Events of a frame or study of a cluster: its status whenever it has changed. */
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { EVENT_STREAM_TYPE, problems } from '../http/protocol/response-schemas.ts';
import { EventStream } from '../http/protocol/server-sent-events.ts';
import { delay } from '../process/delay.ts';

/** Interval between two looks at the engine. */
const LOOK_MS = 500;
/**
 * Looks that may fail one after the other before the stream ends, so that the client reconnects.
 */
const MAX_FAILURES = 20;

/** Answers of a route that streams a status. */
export const STATUS_STREAM_RESPONSE = {
  200: {
    description: 'Server-sent events until the frame or study is over',
    content: { [EVENT_STREAM_TYPE]: { schema: Type.String() } },
  },
  ...problems(404, 503),
};

/**
 * Streams a status until it is over.
 *
 * @param name Name of the events.
 * @param readStatus Reads the status; `isOver` if it does not change any more.
 */
export function streamStatus(
  reply: FastifyReply,
  name: string,
  readStatus: () => Promise<{ readonly status: object; readonly isOver: boolean }>,
): FastifyReply {
  const closed = new AbortController();
  const stream = new EventStream(reply, () => closed.abort());
  const follow = async () => {
    let sent = '';
    for (let id = 0, failures = 0; failures < MAX_FAILURES && !closed.signal.aborted; ) {
      try {
        const { status, isOver } = await readStatus();
        failures = 0;
        const text = JSON.stringify(status);
        if (text !== sent) stream.send({ id: id++, name, body: status });
        sent = text;
        if (isOver) break;
      } catch (error) {
        failures++;
        reply.log.debug({ err: error }, 'a status was not read');
      }
      await delay(LOOK_MS, closed.signal);
    }
    stream.end();
  };
  follow().catch((error) => {
    reply.log.error({ err: error }, 'a stream of events failed');
    stream.end();
  });
  return reply;
}
