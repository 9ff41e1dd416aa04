/** Queue limits, shutdown under load, and errors at startup. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  isAlive,
  postModel,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

describe('limits', () => {
  it('rejects what exceeds the limits and continues; a stop leaves no process', async () => {
    const model = await makeKnotModel();
    const { service, url } = await startTestService({
      workerCount: 1,
      environment: {
        TESSERA_QUEUE_FRAMES: '2',
        TESSERA_FRAMES_IN_FLIGHT: '1',
        TESSERA_STORED_FRAMES: '2',
        TESSERA_MAX_BODY_BYTES: '200000',
        TESSERA_MIN_WORKERS: '1',
        TESSERA_SHUTDOWN_MS: '100',
      },
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);

    const tooLarge = await postModel(url, new Uint8Array(200_001));
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.json()).toMatchObject({ code: 'LIMIT_EXCEEDED' });

    // One frame is in progress and held up, two frames wait, and the fourth is rejected.
    const pids = service.pids();
    const visibilityPid = pids.get('visibility-chiplet')!;
    process.kill(visibilityPid, 'SIGSTOP');
    const small = '?width=256&height=256';
    const answers: Response[] = [];
    for (let i = 0; i < 4; i++) answers.push(await postModel(url, model, small, { Prefer: '' }));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
    expect(Number(answers[3]!.headers.get('retry-after'))).toBeGreaterThan(0);

    process.kill(visibilityPid, 'SIGCONT');

    // Finished frames beyond two are deleted, the oldest first.
    const locations = answers.slice(0, 3).map((answer) => url + answer.headers.get('location'));
    await expect
      .poll(async () => (await fetch(`${locations[2]}/report`)).status, { timeout: 60_000 })
      .toBe(200);
    expect((await fetch(locations[0]!)).status).toBe(404);
    expect((await fetch(locations[1]!)).status).toBe(200);

    process.kill(pids.get('chiplet-worker 1')!, 'SIGKILL');
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ code: 'NO_CHIPLETS' });

    // The service is stopped under load while a chiplet does not answer.
    process.kill(visibilityPid, 'SIGSTOP');
    for (let i = 0; i < 2; i++) await postModel(url, model, small, { Prefer: '' });
    const stopped = service.stop();
    process.kill(visibilityPid, 'SIGCONT');
    await stopped;
    expect(service.pids().size).toBe(0);
    for (const pid of pids.values()) expect(isAlive(pid)).toBe(false);
  });

  it('keeps the chiplets while the coordinator finishes a frame', async () => {
    const { service, url, lines } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_SHUTDOWN_MS: '60000', TESSERA_SILENT_MS: '60000' },
    });
    const visibilityPid = service.pids().get('visibility-chiplet')!;
    process.kill(visibilityPid, 'SIGSTOP');
    const query = '?width=256&height=256';
    await postModel(url, await makeKnotModel(), query, { Prefer: '' });
    const stopped = service.stop();
    // Longer than a process may take that nothing waits for.
    await sleep(11_000);
    process.kill(visibilityPid, 'SIGCONT');
    await stopped;
    expect(lines.filter((line) => line.includes('"frame done"')).length).toBe(1);
  });

  it('refuses to start with a wrong environment variable, and names it', async () => {
    const environment = { TESSERA_PORT: '80800', TESSERA_QUEUE_FRAMES: 'many' };
    await expect(startTestService({ workerCount: 0, environment })).rejects.toThrow(
      /TESSERA_PORT: '80800'.*\n.*TESSERA_QUEUE_FRAMES: 'many'/,
    );
  });

  it('reports that the port is in use', async () => {
    const { url, service } = await startTestService({ workerCount: 0 });
    const environment = { TESSERA_PORT: new URL(url).port };
    await expect(startTestService({ workerCount: 0, environment })).rejects.toThrow('is in use');
    await service.stop();
  });

  it('answers health requests while a large model is prepared', async () => {
    const { url } = await startTestService({ workerCount: 0 });
    const pad = Array.from({ length: 3 * 300_000 }, (_, i) => (i * 37) % 101);
    const { makeModelGlb } = await import('@tessera/scenes/model-writer');
    const model = await makeModelGlb({ positions: pad });
    expect(model.length).toBeGreaterThan(3_000_000);
    // The answer to the post comes when the model is prepared. Requests are sent one after another.
    // Without a separate thread, at most two would be answered in the meantime.
    let isPrepared = false;
    const posting = postModel(url, model, '?width=64&height=64', { Prefer: '' }).finally(() => {
      isPrepared = true;
    });
    let answersWhilePreparing = 0;
    while (!isPrepared) {
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      answersWhilePreparing++;
    }
    expect((await posting).status).toBe(202);
    expect(answersWhilePreparing).toBeGreaterThan(3);
  });
});
