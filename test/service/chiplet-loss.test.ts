/** Frames finish with the same image and report when chiplets are killed. */
import type { Report } from '@tessera/frame';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  postModel,
  renderUntilTrusted,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=512&height=512&bins=64';

interface Status {
  readonly status: string;
  readonly progress: { readonly phase: string; readonly binsDone: number };
  readonly links: { readonly report: string };
}

describe('a service that loses chiplets', () => {
  let model: Uint8Array;
  let started: TestService;

  beforeAll(async () => {
    model = await makeKnotModel();
    started = await startTestService({ workerCount: 3, isRestarting: true });
  });

  async function statusOf(location: string): Promise<Status> {
    return (await (await fetch(started.url + location)).json()) as Status;
  }

  function pidOf(name: string): number {
    return started.service.pids().get(name)!;
  }

  /**
   * Posts a frame while a worker is halted. Resolves when bins of the other workers are done. The
   * frame then stays in the middle of its bins.
   */
  async function postWithHalted(worker: string): Promise<string> {
    // Nothing waits for the bins of a worker that is not trusted yet.
    await renderUntilTrusted(started.url, model, SIZE);
    process.kill(pidOf(worker), 'SIGSTOP');
    const response = await postModel(started.url, model, SIZE, { Prefer: '' });
    const location = response.headers.get('location')!;
    await expect
      .poll(async () => (await statusOf(location)).progress.binsDone, { timeout: 60_000 })
      .toBeGreaterThan(0);
    expect((await statusOf(location)).progress.phase).toBe('bins');
    return location;
  }

  async function finishedReport(location: string): Promise<Report> {
    await expect
      .poll(async () => (await statusOf(location)).status, { timeout: 60_000, interval: 20 })
      .toBe('done');
    return (await (await fetch(`${started.url}${location}/report`)).json()) as Report;
  }

  async function countAttempts(): Promise<number> {
    const metrics = await (await fetch(`${started.url}/metrics`)).text();
    return Number(/^tessera_frame_attempts_total (\d+)$/m.exec(metrics)?.[1]);
  }

  it('gives the same image and report when a worker is killed in mid-frame', async () => {
    const undisturbed = await postModel(started.url, model, SIZE);
    const expected = (await undisturbed.json()) as Report;
    const location = await postWithHalted('chiplet-worker 2');
    process.kill(pidOf('chiplet-worker 2'), 'SIGKILL');
    const report = await finishedReport(location);
    expect(report.image.sha256).toBe(expected.image.sha256);
    expect(report.wall.retriedBins).toBeGreaterThan(0);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
  });

  it('accepts the worker again after it was restarted', async () => {
    await started.service.waitForWorkers(3);
    const response = await postModel(started.url, model, '?width=640&height=640');
    const report = (await response.json()) as Report;
    expect(report.chiplets).toHaveLength(4);
  });

  it('restarts a frame when the visibility chiplet is killed in its visibility phase', async () => {
    const expected = (await (await postModel(started.url, model, SIZE)).json()) as Report;
    const pid = pidOf('visibility-chiplet');
    process.kill(pid, 'SIGSTOP'); // so that the phase lasts
    const response = await postModel(started.url, model, SIZE, { Prefer: '' });
    const location = response.headers.get('location')!;
    await expect
      .poll(async () => (await statusOf(location)).progress.phase, { timeout: 60_000 })
      .toBe('visibility');
    const attemptsBefore = await countAttempts();
    process.kill(pid, 'SIGKILL');
    const report = await finishedReport(location);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    expect(await countAttempts()).toBe(attemptsBefore + 1);
    await started.service.waitForWorkers(3);
  });

  it('finishes a frame whose visibility chiplet is killed while bins are rendered', async () => {
    const expected = (await (await postModel(started.url, model, SIZE)).json()) as Report;
    const location = await postWithHalted('chiplet-worker 3');
    process.kill(pidOf('visibility-chiplet'), 'SIGKILL');
    process.kill(pidOf('chiplet-worker 3'), 'SIGCONT');
    const report = await finishedReport(location);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    await started.service.waitForWorkers(3);
  });

  it('finishes a frame in progress when the visibility chiplet is asked to stop', async () => {
    const expected = (await (await postModel(started.url, model, SIZE)).json()) as Report;
    const location = await postWithHalted('chiplet-worker 1');
    const attemptsBefore = await countAttempts();
    process.kill(pidOf('visibility-chiplet'), 'SIGTERM');
    process.kill(pidOf('chiplet-worker 1'), 'SIGCONT');
    const report = await finishedReport(location);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    expect(await countAttempts()).toBe(attemptsBefore);
    await started.service.waitForWorkers(3);
  });

  it('stops a cancelled frame and continues with the next', async () => {
    const location = await postWithHalted('chiplet-worker 1');
    expect((await fetch(started.url + location, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(async () => (await statusOf(location)).status).toBe('cancelled');
    process.kill(pidOf('chiplet-worker 1'), 'SIGCONT');
    const image = await fetch(`${started.url}${location}/image`);
    expect(image.status).toBe(410);
    expect((await postModel(started.url, model, '?width=64&height=64')).status).toBe(200);
  });
});
