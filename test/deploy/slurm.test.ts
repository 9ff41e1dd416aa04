/**
 * docs/deploy/slurm/cells.sbatch starts cells on a Slurm cluster, and they drain before the time
 * limit. Needs Slurm on this machine.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { freePort } from '../support/postgres-server.ts';
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
  const environment = {
    TESSERA_ENGINE_URL: `sqlite:${join(folder, 'engine.sqlite')}`,
    TESSERA_BLOBS_URL: `file:${join(folder, 'blobs')}`,
  };
  const temporary = join(folder, 'temporary');
  let cluster: SlurmCluster | undefined;
  let gatewayProcess: ChildProcess | undefined;
  let gateway: string;

  beforeAll(async () => {
    for (const path of [join(folder, 'blobs'), temporary]) mkdirSync(path);
    const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(folder, 'cell.env'), lines.join(''), { mode: 0o600 });
    cluster = await SlurmCluster.start(join(folder, 'slurm'), CORES, await freePort());
    gateway = await startGateway({ ...environment, TESSERA_DATA_DIR: join(folder, 'gateway') });
  });

  afterAll(async () => {
    gatewayProcess?.kill();
    await cluster?.stop();
  });

  /** Starts a gateway and returns its address. */
  async function startGateway(variables: Readonly<Record<string, string>>): Promise<string> {
    const own = { TESSERA_ROLE: 'gateway', TESSERA_PORT: '0', TESSERA_LOG_LEVEL: 'warn' };
    const env = { ...process.env, ...variables, ...own };
    gatewayProcess = fork(join(ROOT, 'services/coordinator/src/main.ts'), { env, execArgv: [] });
    const [{ port }] = (await once(gatewayProcess, 'message')) as [{ port: number }];
    return `http://127.0.0.1:${port}`;
  }

  async function cellNames(): Promise<string[]> {
    const { cells } = (await (await fetch(`${gateway}/v1/cells`)).json()) as {
      cells: { name: string }[];
    };
    return cells.map(({ name }) => name).toSorted();
  }

  it('starts two cells on one node, which render and drain before the time limit', async () => {
    const output = cluster!.run(
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

    const answer = await fetch(`${gateway}/v1/frames?width=64&height=64`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=60', Accept: 'image/png' },
      body: new Uint8Array(await makeKnotModel()),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);

    const stateOf = () => cluster!.run('squeue', ['--noheader', '--array', '--format=%T']).trim();
    await expect.poll(stateOf, { timeout: 180_000, interval: 1000 }).toBe('');
    for (const [i, name] of names.entries()) {
      const log = readFileSync(join(folder, `cell-${i + 1}.log`), 'utf8');
      expect(log).toContain(`draining ${name}`);
      expect(log).toContain(`${name} ended with status 0`);
    }
    const states = cluster!.run('scontrol', ['show', 'job', job]).match(/JobState=\w+/g);
    expect(states).toEqual(['JobState=COMPLETED', 'JobState=COMPLETED']);
    expect(readdirSync(temporary)).toEqual([]);
  }, 400_000);
});
