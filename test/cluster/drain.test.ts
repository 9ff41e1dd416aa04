/** A cell that is asked to stop finishes its units in progress and returns the others at once. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Cluster, waitUntil } from '../../scripts/cluster/cluster-processes.ts';

const MODEL = readFileSync('test/golden/models/BoxVertexColors.glb');
/** Sizes of one study. Each is a unit of its own. */
const SIZES = Array.from({ length: 32 }, (_, i) => `${700 + i}x500`);

interface Stats {
  readonly waitingUnits: number;
  readonly runningUnits: number;
  readonly cells: readonly { readonly unitsInHand: number }[];
}

describe('a cell that is asked to stop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-drain-'));
  const lines: string[] = [];
  const cluster = new Cluster({
    folder,
    engineUrl: `sqlite:${join(folder, 'engine.sqlite')}`,
    workerCount: 1,
    environment: { TESSERA_SHUTDOWN_MS: '60000' },
    onLine: (name, line) => lines.push(`${name}: ${line}`),
  });

  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function read<Answer>(path: string): Promise<Answer> {
    return (await (await fetch(`${cluster.url}${path}`)).json()) as Answer;
  }

  async function post(path: string, type: string, body: BodyInit): Promise<Response> {
    const headers = { 'Content-Type': type, Prefer: 'wait=120' };
    return fetch(`${cluster.url}${path}`, { method: 'POST', headers, body });
  }

  it('stores what it has begun and gives the rest back', async () => {
    await cluster.startGateway();
    cluster.startCell('first');
    await cluster.waitForCells(1);
    const frame = await post('/v1/frames?width=64&height=48', 'model/gltf-binary', MODEL);
    expect(frame.status, await frame.text()).toBe(200);
    const id = frame.headers.get('Location')!.split('/').at(-1)!;
    const request = { frames: [id], sizes: SIZES, chiplets: [1], coupling: 'none' };
    const posted = await post('/v1/studies', 'application/json', JSON.stringify(request));
    const study = ((await posted.json()) as { id: string }).id;
    const doneUnits = async () => {
      const { progress } = await read<{ progress: { done: number } }>(`/v1/studies/${study}`);
      return progress.done;
    };
    await waitUntil('a unit to be done', async () => (await doneUnits()) > 0);
    const doneBefore = await doneUnits();
    await cluster.end('first', 'SIGTERM');
    const doneAfter = await doneUnits();
    expect(doneAfter).toBeGreaterThan(doneBefore);

    const { waitingUnits, runningUnits } = await read<Stats>('/v1/cells');
    expect(runningUnits, lines.join('\n')).toBe(0);
    expect(waitingUnits).toBe(SIZES.length - doneAfter);
    expect(waitingUnits).toBeGreaterThan(0);

    cluster.startCell('second');
    await waitUntil('all units', async () => (await doneUnits()) === SIZES.length);
  });
});
