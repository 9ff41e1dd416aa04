/** Connections that send nothing or little do not block other clients. */
import { connect, type Socket } from 'node:net';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Opens connections that send the given text and never close. */
async function open(url: string, count: number, sent: string): Promise<void> {
  const port = Number(new URL(url).port);
  const opening = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => {}).resume();
    return new Promise<void>((resolve) => {
      socket.once('connect', () => socket.write(sent, () => resolve()));
      socket.once('close', () => resolve());
    });
  });
  await Promise.all(opening);
}

describe('a service', () => {
  it('answers, accepts chiplets and renders despite more silent connections than it has slots', async () => {
    const { url, service } = await startTestService({ workerCount: 0 });
    const model = await makeModelGlb();
    await open(url, 1100, '');
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    service.addWorker();
    await service.waitForWorkers(1);
    await open(url, 1100, 'GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await postModel(url, model, '?width=64&height=64')).status).toBe(200);
    await service.stop();
  });

  it('accepts a frame despite more incomplete bodies than its queue has slots', async () => {
    const { url, service } = await startTestService({
      workerCount: 0,
      environment: { TESSERA_QUEUE_FRAMES: '8' },
    });
    await open(
      url,
      40,
      'POST /v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/gltf-binary\r\nContent-Length: 1000\r\n\r\ng',
    );
    // A connection that was opened later gets an answer, so the heads of the others have arrived.
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    const model = await makeModelGlb();
    expect((await postModel(url, model, '?width=64&height=64')).status).toBe(200);
    await service.stop();
  });
});
