/**
 * Invalid bytes on any link or on HTTP close the connection with a reason and leave the service
 * running.
 */
import { once } from 'node:events';
import type { Report } from '@tessera/frame';
import { connectWebSocket, encodeMessage, type Message } from '@tessera/wire';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const HELLO: Message = {
  type: 'hello',
  protocolVersion: 5,
  role: 'worker',
  crosslinkUrl: null,
  instance: 'hostile',
};
const JOIN: Message = { type: 'crosslinkHello', protocolVersion: 5, chipletId: 9, held: [] };

const HOSTILE: readonly [string, Uint8Array | string][] = [
  ['text', 'hello'],
  ['no bytes', new Uint8Array(0)],
  ['noise', Uint8Array.from({ length: 5000 }, (_, i) => (i * 193) & 255)],
  ['an array that claims four billion entries', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
  ['deep nesting', new Uint8Array(100_000).fill(0x91)],
  ['a message for another end', encodeMessage({ type: 'releaseFrame', frameId: 'f' })],
];

describe('links under hostile input', () => {
  let started: TestService;
  let pids: Map<string, number>;
  let links: Record<'coordinator' | 'crosslink', string>;
  let model: Uint8Array;

  beforeAll(async () => {
    started = await startTestService({
      workerCount: 1,
      environment: { TESSERA_VISIBILITY_RENDERS: 'false', TESSERA_INSECURE_CHIPLETS: 'true' },
    });
    pids = started.service.pids();
    model = await makeKnotModel();
    const coordinator = `${started.url.replace('http', 'ws')}/chiplets`;
    // A worker receives the address of the crosslink.
    const connection = await connectWebSocket(coordinator, 'chiplet', 5000);
    const crosslink = await new Promise<string>((resolve, reject) => {
      connection.listen({
        onMessage: (message) => {
          if (message.type === 'welcome' && message.crosslinkUrl !== null)
            resolve(message.crosslinkUrl);
        },
        onClose: (reason) => reject(new Error(reason)),
      });
      connection.send(HELLO);
    });
    connection.listen({ onMessage: () => {}, onClose: () => {} });
    connection.close('done');
    links = { coordinator, crosslink };
  });

  /** Sends bytes on a new socket, after `first`, and returns code and reason of the close. */
  async function closeOn(
    url: string,
    sent: Uint8Array | string,
    first: Message | null,
  ): Promise<[number, string]> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    if (first !== null) socket.send(new Uint8Array(encodeMessage(first)));
    socket.send(typeof sent === 'string' ? sent : new Uint8Array(sent));
    const [{ code, reason }] = (await once(socket, 'close')) as [CloseEvent];
    return [code, reason];
  }

  it.each(
    (['coordinator', 'crosslink'] as const).flatMap((link) =>
      HOSTILE.flatMap(([name, sent]) => [
        { link, name, sent, first: null, when: 'at once' },
        { link, name, sent, first: link === 'coordinator' ? HELLO : JOIN, when: 'after the hello' },
      ]),
    ),
  )('closes the $link link on $name $when, with a reason', async ({ link, sent, first }) => {
    const [code, reason] = await closeOn(links[link], sent, first);
    expect(code).toBe(1008);
    expect(reason).toContain('malformed');
  });

  it('answers malformed HTTP with a problem or a closed connection, never with silence', async () => {
    const long = await fetch(`${started.url}/v1/frames/${'x'.repeat(5000)}`);
    expect([400, 404, 414]).toContain(long.status);
    const encoded = await fetch(`${started.url}/v1/frames/%E0%A4%A`);
    expect(encoded.status).toBe(400);
    const put = await fetch(`${started.url}/v1/frames`, { method: 'PUT', body: 'x' });
    expect([404, 405, 415]).toContain(put.status);
  });

  it('still has all processes and renders as before', async () => {
    expect(started.service.pids()).toEqual(pids);
    const response = await postModel(started.url, model, '?width=128&height=128');
    expect(response.status).toBe(200);
    // This service leaves all bins to the workers.
    const report = (await response.json()) as Report;
    expect(new Set(report.bins.map(({ chiplet }) => chiplet))).toEqual(new Set([1]));
  });
});
