/**
 * Files of the data folder are damaged or deleted while the service runs: answers to clients, and
 * recovery.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const QUERY = '?width=128&height=96&bins=4&chiplets=2&timing=cycle';

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('a service with damaged files', () => {
  const folder = makeDataFolder();
  let service: TestService['service'];
  let url: string;
  let frame: string;
  let model: Uint8Array;
  let image: Buffer;
  let timeline: Buffer;

  beforeAll(async () => {
    const environment = { TESSERA_DATA_DIR: folder };
    ({ service, url } = await startTestService({ workerCount: 1, environment }));
    model = await makeKnotModel();
    const posted = await postModel(url, model, QUERY);
    expect(posted.status).toBe(200);
    frame = url + posted.headers.get('location');
    image = (await get('image')).bytes;
    timeline = (await get('timeline')).bytes;
  });

  function pathOf(bytes: Uint8Array): string {
    const sha256 = sha256Of(bytes);
    return join(folder, 'files', sha256.slice(0, 2), sha256);
  }

  async function get(result: string): Promise<{ status: number; bytes: Buffer }> {
    const answer = await fetch(`${frame}/${result}`);
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  const damages: Readonly<Record<string, (path: string) => void>> = {
    'has a wrong bit': (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    },
    'is empty': (path) => truncateSync(path, 0),
    'is gone': (path) => rmSync(path),
  };

  for (const [name, damage] of Object.entries(damages)) {
    it(`gives the right image when its file ${name}, by rendering it again`, async () => {
      damage(pathOf(image));
      const answer = await get('image');
      expect(answer.status).toBe(200);
      expect(sha256Of(answer.bytes)).toBe(sha256Of(image));
      expect(readFileSync(pathOf(image)).equals(image)).toBe(true);
    });

    it(`gives the right timeline when its file ${name}`, async () => {
      damage(pathOf(timeline));
      const answer = await get('timeline');
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(timeline)).toBe(true);
    });

    it(`replaces a file that ${name} when a frame with the same content is rendered`, async () => {
      damage(pathOf(image));
      const again = await postModel(url, model, QUERY, { Accept: 'image/png' });
      expect(again.status).toBe(200);
      expect(Buffer.from(await again.arrayBuffer()).equals(image)).toBe(true);
      expect(readFileSync(pathOf(image)).equals(image)).toBe(true);
    });
  }

  it('reports that the source is damaged too, and recovers when the same request is sent again', async () => {
    damages['has a wrong bit']!(pathOf(image));
    rmSync(pathOf(model));
    const answer = await get('image');
    expect(answer.status).toBe(500);
    expect(JSON.parse(String(answer.bytes))).toMatchObject({
      code: 'SOURCE_DAMAGED',
      detail: expect.stringContaining(sha256Of(model)),
    });
    expect((await postModel(url, model, QUERY)).status).toBe(200);
    expect(existsSync(pathOf(model))).toBe(true);
    expect((await get('image')).bytes.equals(image)).toBe(true);
  });

  it('adds no frame to the list by healing', async () => {
    const { frames } = (await (await fetch(`${url}/v1/frames`)).json()) as { frames: object[] };
    // The first frame, one for each damage, and the one after the source was lost.
    expect(frames).toHaveLength(5);
  });

  it('are found by `tessera verify`, while the service runs and when it is stopped', async () => {
    damages['has a wrong bit']!(pathOf(image));
    rmSync(pathOf(timeline));
    const wrong = expect.objectContaining({
      path: expect.stringContaining(sha256Of(image)),
      damage: 'wrong content',
    });
    expect(await verify()).toMatchObject({ status: 1, journal: 'in use', damaged: [wrong] });
    await service.stop();
    const users = expect.arrayContaining([`frame:${frame.split('/').at(-1)}`]);
    const missing = {
      path: expect.stringContaining(sha256Of(timeline)),
      damage: 'missing',
      users,
    };
    expect(await verify()).toMatchObject({
      status: 1,
      journal: 'whole',
      damaged: [expect.objectContaining({ damage: 'wrong content', users }), missing],
    });
  });

  async function verify(): Promise<object> {
    const cli = join(import.meta.dirname, '../../packages/experiments/src/cli.ts');
    const run = promisify(execFile);
    const args = [cli, 'verify', '--data', folder, '--json'];
    const ended = await run(process.execPath, args).then(
      ({ stdout }) => ({ status: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ status: code, stdout }),
    );
    return { status: ended.status, ...(JSON.parse(ended.stdout) as object) };
  }
});
