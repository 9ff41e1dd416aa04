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

/** Place of a process. */
export interface ProcessPlace {
  /** Address that a gateway listens on. */
  readonly host: string;
  /** Command that starts the program given after it, such as `ip netns exec NAME`. */
  readonly prefix: readonly string[];
}

const LOOPBACK: ProcessPlace = { host: '127.0.0.1', prefix: [] };

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
  /** Returns where a process runs; on the loopback by default. */
  readonly placeOf?: (name: string) => ProcessPlace;
}

/** Gateways and cells of one cluster. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #processes = new Map<string, ChildProcess>();
  readonly #portByGateway = new Map<string, number>();

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  /** Address of the gateway. */
  get url(): string {
    return this.urlOf('gateway');
  }

  /** Returns the address of a gateway, if there are several. */
  urlOf(gateway: string): string {
    return `http://${this.#placeOf(gateway).host}:${this.#portByGateway.get(gateway) ?? 0}`;
  }

  /** Starts a gateway, at the same port each time, and waits until it answers. */
  async startGateway(name = 'gateway'): Promise<void> {
    const port = this.#portByGateway.get(name) ?? (await freePort());
    this.#portByGateway.set(name, port);
    const { host } = this.#placeOf(name);
    this.#spawn(name, GATEWAY, {
      TESSERA_ROLE: 'gateway',
      TESSERA_HOST: host,
      TESSERA_PORT: String(port),
    });
    const child = this.#processes.get(name)!;
    await waitUntil('the gateway', async () => {
      if (child.exitCode !== null) throw new ProcessEnded(`the gateway ended: ${child.exitCode}`);
      return (await fetch(`${this.urlOf(name)}/livez`)).ok;
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
    const [gateway = 'gateway'] = this.#portByGateway.keys();
    await waitUntil(`${count} cells`, async () => {
      const { headers = {} } = this.#options;
      const response = await fetch(`${this.urlOf(gateway)}/v1/cells`, { headers });
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
    const [program = '', ...words] = [
      ...this.#placeOf(name).prefix,
      process.execPath,
      join(ROOT, script),
    ];
    const child = spawn(program, words, {
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
    child.once('exit', (code, signal) =>
      onLine?.(name, `died (${signal ?? `exit status ${code}`})`),
    );
    this.#processes.set(name, child);
  }

  #placeOf(name: string): ProcessPlace {
    return this.#options.placeOf?.(name) ?? LOOPBACK;
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
