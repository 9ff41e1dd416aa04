/** A data folder on a small file system that becomes full. Requires the right to mount one. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@tessera/frame';
import { afterAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=128&height=128&quality=simple&bins=4&chiplets=2&timing=functional';
const folder = makeDataFolder();

function mountSmallFolder(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isMounted = mountSmallFolder();

describe.skipIf(!isMounted)('a service whose disk runs full', () => {
  const padding = join(folder, 'padding');

  afterAll(() => {
    execFileSync('umount', ['-l', folder]);
  });

  /** Fills the remaining space. */
  function fill(): void {
    for (const chunkBytes of [65_536, 4096, 512]) {
      for (;;) {
        try {
          writeFileSync(padding, Buffer.alloc(chunkBytes), { flag: 'a' });
        } catch {
          break;
        }
      }
    }
  }

  it('rejects what it cannot store, loses nothing that it accepted, and continues when there is room', async () => {
    const model = await makeKnotModel();
    const { service, url, lines } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_DATA_DIR: folder },
    });
    const expected = (await (await postModel(url, model, SIZE)).json()) as Report;

    // Accepted while the disk has room, finished when it has none.
    const visibilityPid = service.pids().get('visibility-chiplet')!;
    process.kill(visibilityPid, 'SIGSTOP');
    const admitted = await postModel(url, model, SIZE, { Prefer: '' });
    expect(admitted.status).toBe(202);
    fill();
    process.kill(visibilityPid, 'SIGCONT');
    await expect
      .poll(() => lines.some((line) => line.includes('a result waits')), { timeout: 60_000 })
      .toBe(true);

    const refused = await postModel(url, new Uint8Array(100_000), SIZE);
    expect(refused.status).toBe(507);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'STORAGE_FULL' });
    const status = url + admitted.headers.get('location');
    expect(((await (await fetch(status)).json()) as { status: string }).status).toBe('running');

    rmSync(padding);
    await expect
      .poll(async () => ((await (await fetch(status)).json()) as { status: string }).status, {
        timeout: 60_000,
      })
      .toBe('done');
    const report = (await (await fetch(`${status}/report`)).json()) as Report;
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    expect((await postModel(url, model, SIZE)).status).toBe(200);
    await service.stop();
  });

  it('deletes frames on a full disk, which makes room for the next one', async () => {
    const model = await makeKnotModel();
    const { service, url } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_DATA_DIR: folder },
    });
    const done: string[] = [];
    for (let i = 0; i < 3; i++) {
      // Different models, so that each has its own files.
      const own = Buffer.concat([model]);
      own[own.length - 1]! ^= i;
      const posted = await postModel(url, own, SIZE);
      expect(posted.status).toBe(200);
      done.push(url + posted.headers.get('location'));
    }
    fill();
    expect((await postModel(url, new Uint8Array(100_000), SIZE)).status).toBe(507);
    for (const frame of done) {
      expect((await fetch(frame, { method: 'DELETE' })).status).toBe(204);
    }
    for (const frame of done) expect((await fetch(frame)).status).toBe(404);
    rmSync(padding);
    // Once there is room again, the reserve is restored.
    const posted = await postModel(url, model, SIZE);
    expect(posted.status).toBe(200);
    await fetch(url + posted.headers.get('location'), { method: 'DELETE' });
    await expect.poll(() => existsSync(join(folder, 'reserve'))).toBe(true);
    await service.stop();
  });
});
