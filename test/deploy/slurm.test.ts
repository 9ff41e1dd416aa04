/**
 * docs/deploy/slurm/cells.sbatch starts cells on a Slurm cluster, and they drain before the time
 * limit. Needs Slurm on this machine.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../../scripts/cluster/cluster-processes.ts';
import { freePort } from '../../scripts/cluster/postgres-server.ts';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { makeDataFolder, stopServicesAfterAll } from '../support/service-harness.ts';
import { canRunSlurm, SlurmCluster } from '../support/slurm-cluster.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'docs/deploy/slurm/cells.sbatch');
/** Cores of the node, of which each of two cells asks for four. They need not exist. */
const CORES = 8;
const START_WITHIN_MS = 90_000;

stopServicesAfterAll();

describe.skipIf(!canRunSlurm())('cells.sbatch', () => {
  const folder = makeDataFolder();
  const temporary = join(folder, 'temporary');
  const engineUrl = `sqlite:${join(folder, 'engine.sqlite')}`;
  const processes = new Cluster({ folder, engineUrl, workerCount: 1 });
  let slurm: SlurmCluster | undefined;

  beforeAll(async () => {
    mkdirSync(temporary);
    const variables = `TESSERA_ENGINE_URL='${engineUrl}'\nTESSERA_BLOBS_URL='file:${folder}/blobs'\n`;
    writeFileSync(join(folder, 'cell.env'), variables, { mode: 0o600 });
    slurm = await SlurmCluster.start(join(folder, 'slurm'), CORES, await freePort());
    await processes.startGateway();
  });

  afterAll(async () => {
    await slurm?.stop();
    await processes.stop();
  });

  async function cellNames(): Promise<string[]> {
    const { cells } = (await (await fetch(`${processes.url}/v1/cells`)).json()) as {
      cells: { name: string }[];
    };
    return cells.map(({ name }) => name).toSorted();
  }

  it('starts two cells on one node, which render and drain before the time limit', async () => {
    const output = slurm!.run(
      'sbatch',
      [
        '--parsable',
        '--array=1-2',
        '--time=2',
        '--mem=2G',
        '--signal=B:TERM@60',
        `--output=${join(folder, 'cell-%a.log')}`,
        SCRIPT,
      ],
      {
        TESSERA_CELL_ENV: join(folder, 'cell.env'),
        TESSERA_HOME: ROOT,
        TESSERA_WORKERS: '1',
        TMPDIR: temporary,
      },
    );
    const job = output.trim();
    const names = [1, 2].map((task) => `slurm-${job}-${task}`);
    await expect.poll(cellNames, { timeout: START_WITHIN_MS }).toEqual(names);

    const answer = await fetch(`${processes.url}/v1/frames?width=64&height=64`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=60', Accept: 'image/png' },
      body: new Uint8Array(await makeKnotModel()),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);

    const stateOf = () => slurm!.run('squeue', ['--noheader', '--array', '--format=%T']).trim();
    await expect.poll(stateOf, { timeout: 180_000, interval: 1000 }).toBe('');
    for (const [i, name] of names.entries()) {
      const log = readFileSync(join(folder, `cell-${i + 1}.log`), 'utf8');
      expect(log).toContain(`draining ${name}`);
      expect(log).toContain(`${name} ended with status 0`);
    }
    const states = slurm!.run('scontrol', ['show', 'job', job]).match(/JobState=\w+/g);
    expect(states).toEqual(['JobState=COMPLETED', 'JobState=COMPLETED']);
    expect(readdirSync(temporary)).toEqual([]);
  }, 400_000);
});
