import type { Report } from '@tessera/frame';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFirstModel } from '../../scripts/first-model.ts';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

/** Large enough that a frame takes a while. */
const LARGE = '?width=2048&height=2048&bins=256';

interface Status {
  readonly status: string;
  readonly progress: { readonly phase: string; readonly binsDone: number };
  readonly links: { readonly report: string };
}

describe('a service that loses chiplets', () => {
  let model: Uint8Array;
  let started: TestService;

  beforeAll(async () => {
    model = await makeFirstModel();
    started = await startTestService({ workerCount: 3, isRestarting: true });
  });

  async function statusOf(location: string): Promise<Status> {
    return (await (await fetch(started.url + location)).json()) as Status;
  }

  /** Posts the large frame and resolves once some of its bins are done, but not all. */
  async function postAndWaitForBins(): Promise<string> {
    const response = await postModel(started.url, model, LARGE, { Prefer: '' });
    const location = response.headers.get('location')!;
    for (;;) {
      const { status, progress } = await statusOf(location);
      if (progress.phase === 'bins' && progress.binsDone > 0) return location;
      expect(['queued', 'running']).toContain(status);
    }
  }

  async function finishedReport(location: string): Promise<Report> {
    await expect
      .poll(async () => (await statusOf(location)).status, { timeout: 30_000, interval: 20 })
      .toBe('done');
    return (await (await fetch(`${started.url}${location}/report`)).json()) as Report;
  }

  async function countAttempts(): Promise<number> {
    const metrics = await (await fetch(`${started.url}/metrics`)).text();
    return Number(/^tessera_frame_attempts_total (\d+)$/m.exec(metrics)?.[1]);
  }

  it('gives the same picture and report when a worker is killed in mid-frame', async () => {
    const undisturbed = await postModel(started.url, model, LARGE);
    const expected = (await undisturbed.json()) as Report;
    const location = await postAndWaitForBins();
    process.kill(started.service.pids().get('chiplet-worker 2')!, 'SIGKILL');
    const report = await finishedReport(location);
    expect(report.image.sha256).toBe(expected.image.sha256);
    expect(report.wall.retriedBins).toBeGreaterThan(0);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
  });

  it('takes the worker in again once it was started anew', async () => {
    await started.service.waitForWorkers(3);
    const response = await postModel(started.url, model, '?width=640&height=640');
    const report = (await response.json()) as Report;
    expect(report.chiplets).toHaveLength(4);
  });

  it('begins a frame again when the visibility chiplet is killed in its visibility phase', async () => {
    const expected = (await (await postModel(started.url, model, LARGE)).json()) as Report;
    const pid = started.service.pids().get('visibility-chiplet')!;
    process.kill(pid, 'SIGSTOP'); // so that the phase lasts
    const response = await postModel(started.url, model, LARGE, { Prefer: '' });
    const location = response.headers.get('location')!;
    await expect
      .poll(async () => (await statusOf(location)).progress.phase, { timeout: 10_000 })
      .toBe('visibility');
    const attemptsBefore = await countAttempts();
    process.kill(pid, 'SIGKILL');
    const report = await finishedReport(location);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    expect(await countAttempts()).toBe(attemptsBefore + 1);
    await started.service.waitForWorkers(3);
  });

  it('finishes a frame whose visibility chiplet is killed while bins are rendered', async () => {
    const expected = (await (await postModel(started.url, model, LARGE)).json()) as Report;
    const location = await postAndWaitForBins();
    process.kill(started.service.pids().get('visibility-chiplet')!, 'SIGKILL');
    const report = await finishedReport(location);
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    await started.service.waitForWorkers(3);
  });

  it('ends a frame that is cancelled and goes on with the next', async () => {
    const location = await postAndWaitForBins();
    expect((await fetch(started.url + location, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(async () => (await statusOf(location)).status).toBe('cancelled');
    const image = await fetch(`${started.url}${location}/image`);
    expect(image.status).toBe(410);
    expect((await postModel(started.url, model, '?width=64&height=64')).status).toBe(200);
  });
});
