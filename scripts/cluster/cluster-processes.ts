/**
 * A cluster on this machine: gateways and cells as real processes, which tests and trials start,
 * kill and start again. Each process leads a group, so that a kill reaches its children as well.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './postgres-server.ts';

const READY_WITHIN_MS = 120_000;
const POLL_MS = 50;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GATEWAY = 'services/coordinator/src/main.ts';
const CELL = 'scripts/launch/start.ts';

/** Settings of a {@link Cluster}. */
export interface ClusterOptions {
  /** Folder of all files of the cluster. */
  readonly folder: string;
  readonly engineUrl: string;
  /** Workers of each cell. */
  readonly workerCount: number;
  /** Variables of every process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLine?: (name: string, line: string) => void;
  /** Headers of requests to the gateway, if it has tokens. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gateways and cells of one cluster. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #processes = new Map<string, ChildProcess>();
  #gatewayPort = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  /** Address of the gateway. */
  get url(): string {
    return `http://127.0.0.1:${this.#gatewayPort}`;
  }

  /** Starts the gateway, at the same port each time, and waits until it answers. */
  async startGateway(): Promise<void> {
    if (this.#gatewayPort === 0) this.#gatewayPort = await freePort();
    this.#spawn('gateway', GATEWAY, {
      TESSERA_ROLE: 'gateway',
      TESSERA_PORT: String(this.#gatewayPort),
    });
    const child = this.#processes.get('gateway')!;
    await waitUntil('the gateway', async () => {
      if (child.exitCode !== null) throw new ProcessEnded(`the gateway ended: ${child.exitCode}`);
      return (await fetch(`${this.url}/livez`)).ok;
    });
  }

  /** Starts a cell. It takes work when its chiplets are connected. */
  startCell(name: string): void {
    this.#spawn(name, CELL, {
      TESSERA_ROLE: 'cell',
      TESSERA_CELL_NAME: name,
      TESSERA_PORT: '0',
      TESSERA_WORKERS: String(this.#options.workerCount),
    });
  }

  /** Waits until the engine has heard of `count` cells. */
  async waitForCells(count: number): Promise<void> {
    await waitUntil(`${count} cells`, async () => {
      const { headers = {} } = this.#options;
      const response = await fetch(`${this.url}/v1/cells`, { headers });
      if (!response.ok) return false;
      return ((await response.json()) as { cells: unknown[] }).cells.length >= count;
    });
  }

  /** Sends a signal to a process and its children. Resolves when the process has exited. */
  async end(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = this.#processes.get(name);
    if (child === undefined) return;
    this.#processes.delete(name);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    // Only a kill goes to the children; they stop in order with the process itself.
    process.kill(signal === 'SIGKILL' ? -child.pid! : child.pid!, signal);
    await gone;
  }

  /** Returns the ids of the running processes by name. */
  pids(): ReadonlyMap<string, number> {
    return new Map([...this.#processes].map(([name, { pid }]) => [name, pid!]));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((name) => this.end(name, 'SIGTERM')));
  }

  #spawn(name: string, script: string, variables: Readonly<Record<string, string>>): void {
    const { folder, engineUrl, environment, onLine } = this.#options;
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const child = spawn(process.execPath, [join(ROOT, script)], {
      cwd: ROOT,
      detached: true,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(ROOT, '.cache/node-compile'),
        TESSERA_LOG_LEVEL: 'warn',
        TESSERA_ENGINE_URL: engineUrl,
        TESSERA_BLOBS_URL: `file:${join(folder, 'blobs')}`,
        TESSERA_DATA_DIR: own,
        ...environment,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => onLine?.(name, text.trimEnd()));
    }
    this.#processes.set(name, child);
  }
}

/** Error of a process that ended while it was waited for. */
class ProcessEnded extends Error {}

/** Waits until `check` returns true. Errors count as false, but that of an ended process. */
export async function waitUntil(what: string, check: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS;
  const isReady = async () =>
    check().catch((error) => {
      if (error instanceof ProcessEnded) throw error;
      return false;
    });
  while (!(await isReady())) {
    if (performance.now() > endMs) throw new Error(`${what} not ready in ${READY_WITHIN_MS} ms`);
    await sleep(POLL_MS);
  }
}
