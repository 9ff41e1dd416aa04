/**
 * The cluster of docker-compose.yml, which trials start, kill and start again: containers of a
 * gateway, cells and PostgreSQL. The images must have been built.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from './cluster-processes.ts';
import type { TrialCluster } from './trial-cluster.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROJECT = 'tessera-trial';

/** Cluster of containers. */
export class ComposeCluster implements TrialCluster {
  readonly url = 'http://127.0.0.1:8090';
  readonly canRestartDatabase = true;
  readonly cells: readonly string[];
  readonly #files: readonly string[];

  /**
   * @param folder Folder for a file with the variables, which is written.
   * @param environment Variables of gateway and cells.
   */
  constructor(folder: string, cellCount: number, environment: Readonly<Record<string, string>>) {
    this.cells = Array.from({ length: cellCount }, (_, i) => `${PROJECT}-cell-${i + 1}`);
    const own = join(folder, 'compose.json');
    const services = { gateway: { environment }, cell: { environment } };
    writeFileSync(own, JSON.stringify({ services }));
    this.#files = ['--file', join(ROOT, 'docker-compose.yml'), '--file', own];
  }

  async start(): Promise<void> {
    const scale = `cell=${this.cells.length}`;
    await this.#compose('up', '--detach', '--scale', scale, 'gateway', 'cell');
    await waitUntil(`${this.cells.length} cells`, async () => {
      const { cells } = (await (await fetch(`${this.url}/v1/cells`)).json()) as { cells: [] };
      return cells.length >= this.cells.length;
    });
  }

  async restartCell(name: string): Promise<void> {
    await docker('kill', name);
    await docker('start', name);
  }

  restartGateway(): Promise<void> {
    return this.restartCell(`${PROJECT}-gateway-1`);
  }

  restartDatabase(): Promise<void> {
    return this.restartCell(`${PROJECT}-postgres-1`);
  }

  async stop(): Promise<void> {
    await this.#compose('down', '--volumes', '--timeout', '20');
  }

  async #compose(...args: string[]): Promise<void> {
    await docker('compose', '-p', PROJECT, ...this.#files, '--profile', 'cluster', ...args);
  }
}

async function docker(...args: string[]): Promise<void> {
  await run('docker', args, { env: { ...process.env, TESSERA_CELL_WORKERS: '1' } });
}
