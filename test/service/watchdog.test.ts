/** Processes whose event loop stalls end themselves and are restarted by the launcher. */
import { describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const STALLED = ['coordinator', 'visibility-chiplet', 'chiplet-worker 1'];

describe('a stalled event loop', () => {
  it('ends its process, which is restarted', async () => {
    const stalling = new URL('../support/stall-on-signal.ts', import.meta.url).href;
    const { service, url, lines } = await startTestService({
      workerCount: 1,
      isRestarting: true,
      environment: { TESSERA_WATCHDOG_MS: '3000', NODE_OPTIONS: `--import=${stalling}` },
    });
    const before = service.pids();
    for (const name of STALLED) process.kill(before.get(name)!, 'SIGUSR2');
    for (const name of STALLED) {
      await expect
        .poll(() => lines, { timeout: 60_000 })
        .toContain(`${name}: died (SIGALRM); restarting`);
    }
    const said = lines.filter((line) => line.includes('the event loop stalled for'));
    expect(said.map((line) => line.split(':', 1)[0]).sort()).toEqual([...STALLED].sort());
    await expect
      .poll(
        () =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    const model = await makeKnotModel();
    expect((await postModel(url, model, '?width=64&height=64')).status).toBe(200);
    for (const name of STALLED) expect(service.pids().get(name)).not.toBe(before.get(name));
  });
});
