/** The journal restores accepted frames after the coordinator is killed or stopped. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=384&height=256&bins=32&chiplets=3';

/** Kills the coordinator without warning. Resolves when the whole service has exited. */
async function killCoordinator({ service }: TestService): Promise<void> {
  process.kill(service.pids().get('coordinator')!, 'SIGKILL');
  await expect.poll(() => service.pids().size, { timeout: 60_000 }).toBe(0);
}

async function statusOf(url: string): Promise<string> {
  return ((await (await fetch(url)).json()) as { status: string }).status;
}

describe('a coordinator that is killed', () => {
  it('renders every accepted frame after a restart, with the same result', async () => {
    const model = await makeKnotModel();
    const environment = {
      TESSERA_DATA_DIR: makeDataFolder(),
      TESSERA_FRAMES_IN_FLIGHT: '1',
      TESSERA_SILENT_MS: '60000',
    };
    const first = await startTestService({ workerCount: 2, environment });
    const before = await postModel(first.url, model, SIZE, { 'Idempotency-Key': 'the first' });
    const expected = (await before.json()) as Report;
    const finished = before.headers.get('location')!;

    // One frame is in progress and held up, two wait; one of these is cancelled.
    process.kill(first.service.pids().get('chiplet-worker 1')!, 'SIGSTOP');
    const locations: string[] = [];
    for (const policy of ['dynamic', 'static', 'dynamic']) {
      const query = `${SIZE}&policy=${policy}`;
      const admitted = await postModel(first.url, model, query, { Prefer: '' });
      expect(admitted.status).toBe(202);
      locations.push(admitted.headers.get('location')!);
    }
    await fetch(first.url + locations[2]!, { method: 'DELETE' });
    await expect.poll(() => statusOf(first.url + locations[0]!)).toBe('running');
    process.kill(first.service.pids().get('chiplet-worker 1')!, 'SIGCONT');
    await killCoordinator(first);

    const second = await startTestService({ workerCount: 2, environment });
    for (const location of locations.slice(0, 2)) {
      await expect.poll(() => statusOf(second.url + location), { timeout: 60_000 }).toBe('done');
    }
    const report = (await (await fetch(`${second.url}${locations[0]}/report`)).json()) as Report;
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    const other = (await (await fetch(`${second.url}${locations[1]}/report`)).json()) as Report;
    expect(other.policy).toContain('static');
    expect(other.image).toEqual(expected.image);
    expect(await statusOf(second.url + locations[2]!)).toBe('cancelled');

    // What was finished before is still there: report, image, and the request's key.
    const kept = (await (await fetch(`${second.url}${finished}/report`)).json()) as Report;
    expect(kept).toEqual(expected);
    const image = await fetch(`${second.url}${finished}/image`);
    expect(image.headers.get('content-type')).toBe('image/png');
    const again = await postModel(second.url, model, SIZE, { 'Idempotency-Key': 'the first' });
    expect(again.headers.get('location')).toBe(finished);
  });

  it('keeps accepted frames for its next start when it is stopped', async () => {
    const model = await makeKnotModel();
    const environment = { TESSERA_DATA_DIR: makeDataFolder(), TESSERA_SHUTDOWN_MS: '100' };
    const first = await startTestService({ workerCount: 0, environment });
    process.kill(first.service.pids().get('visibility-chiplet')!, 'SIGSTOP');
    const admitted = await postModel(first.url, model, SIZE, { Prefer: '' });
    const location = admitted.headers.get('location')!;
    const stopped = first.service.stop();
    process.kill(first.service.pids().get('visibility-chiplet')!, 'SIGCONT');
    await stopped;
    const second = await startTestService({ workerCount: 0, environment });
    await expect.poll(() => statusOf(second.url + location), { timeout: 60_000 }).toBe('done');
  });

  it('rejects a folder that another coordinator uses', async () => {
    const environment = { TESSERA_DATA_DIR: makeDataFolder() };
    const { service } = await startTestService({ workerCount: 0, environment });
    await expect(startTestService({ workerCount: 0, environment })).rejects.toThrow(
      /another coordinator uses this folder; set TESSERA_DATA_DIR/,
    );
    await service.stop();
  });

  it('explains how to recover from a damaged journal', async () => {
    const environment = { TESSERA_DATA_DIR: makeDataFolder() };
    const { service } = await startTestService({ workerCount: 0, environment });
    await service.stop();
    const path = join(environment.TESSERA_DATA_DIR, 'journal.sqlite');
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096);
    writeFileSync(path, bytes);
    await expect(startTestService({ workerCount: 0, environment })).rejects.toThrow(
      /exit status 2.*journal\.sqlite: the journal is damaged .*Restore the data folder from a backup/s,
    );
  });
});
