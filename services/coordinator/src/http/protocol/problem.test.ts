import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { answerError } from './problem.ts';

/** Answers an error. Returns the status and the number of errors that were logged. */
async function answer(error: unknown): Promise<{ status: number; logged: number }> {
  const outcome = { status: 0, logged: 0 };
  const log = { error: () => outcome.logged++ };
  const request = { url: '/v1/frames', headers: {}, log };
  const reply = {
    code: (status: number) => {
      outcome.status = status;
      return reply;
    },
    type: () => reply,
    header: () => reply,
    send: async () => {},
  };
  // The members that answerError uses.
  await answerError(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply);
  return outcome;
}

/** Reads a stream and returns its error. */
async function errorOf(stream: PassThrough): Promise<unknown> {
  return stream.toArray().then(
    () => null,
    (error) => error,
  );
}

describe('the answer to an error', () => {
  it('takes a client that disconnects during or before the first read for no bug', async () => {
    const before = new PassThrough();
    before.destroy();
    const during = new PassThrough();
    const reading = errorOf(during);
    during.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    for (const error of [await errorOf(before), await reading]) {
      expect(await answer(error)).toEqual({ status: 400, logged: 0 });
    }
  });

  it('logs any other error as a bug', async () => {
    expect(await answer(new Error('no property of undefined'))).toEqual({ status: 500, logged: 1 });
  });
});
