/**
 * The service as `npm start` runs it, for measurements, on its own port and with its own data
 * folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listDescendants } from './process-usage.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const READY_WITHIN_MS = 120_000;
const POLL_MS = 10;
const ANSWER_SECONDS = 300;

/** Fields of a frame's report that the benchmark reads. */
export interface ServedReport {
  readonly wall: { readonly totalMs: number; readonly binsMs: number };
  readonly totals: Readonly<Record<string, number | null>>;
}

/** A running service and its processes. */
export class MeasuredService {
  /** Wall time from the start until all chiplets are ready, in milliseconds. */
  readonly readyMs: number;
  readonly coordinator: number;
  readonly workers: readonly number[];
  readonly #url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, folder: string, url: string, readyMs: number) {
    this.#process = process;
    this.#folder = folder;
    this.#url = url;
    this.readyMs = readyMs;
    const pids = [...listDescendants(process.pid!)];
    const running = (service: string) =>
      pids.filter(([, command]) => command.includes(`services/${service}/`)).map(([pid]) => pid);
    const [coordinator] = running('coordinator');
    if (coordinator === undefined) throw new Error('bench: npm start has started no coordinator');
    this.coordinator = coordinator;
    this.workers = running('chiplet-worker');
  }

  /** Runs `npm start` and waits for its chiplets. */
  static async start(workerCount: number, isVisibilityRendering = true): Promise<MeasuredService> {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
    const port = await findFreePort();
    const startedMs = performance.now();
    const child = spawn('npm', ['start'], {
      cwd: ROOT,
      env: {
        ...process.env,
        TESSERA_PORT: String(port),
        TESSERA_WORKERS: String(workerCount),
        TESSERA_DATA_DIR: folder,
        TESSERA_VISIBILITY_RENDERS: String(isVisibilityRendering),
      },
      stdio: 'ignore',
      detached: true,
    });
    const url = `http://127.0.0.1:${port}`;
    try {
      await waitForWorkers(child, url, workerCount, startedMs + READY_WITHIN_MS);
      return new MeasuredService(child, folder, url, performance.now() - startedMs);
    } catch (error) {
      await end(child, folder);
      throw error;
    }
  }

  /** Posts a frame, waits until it is rendered, and fetches its report and image. */
  async render(body: Uint8Array, mediaType: string, query: string): Promise<ServedReport> {
    const posted = await fetch(`${this.#url}/v1/frames?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': mediaType, Prefer: `wait=${ANSWER_SECONDS}` },
      body: new Uint8Array(body),
    });
    const location = posted.headers.get('Location');
    if (posted.status !== 200 || location === null) {
      throw new Error(`bench: the service answered ${posted.status}: ${await posted.text()}`);
    }
    await posted.arrayBuffer();
    const image = await fetch(`${this.#url}${location}/image`, {
      headers: { Accept: 'image/png' },
    });
    if (image.status !== 200)
      throw new Error(`bench: the service answered ${image.status} for the image`);
    await image.arrayBuffer();
    const report = await fetch(`${this.#url}${location}/report`);
    return (await report.json()) as ServedReport;
  }

  stop(): Promise<void> {
    return end(this.#process, this.#folder);
  }
}

async function waitForWorkers(
  child: ChildProcess,
  url: string,
  count: number,
  deadlineMs: number,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`bench: npm start exited with status ${child.exitCode}`);
    const chiplets = await fetch(`${url}/v1/chiplets`)
      .then(async (response) => (await response.json()) as { chiplets: { isReady: boolean }[] })
      .catch(() => ({ chiplets: [] })); // The service does not listen yet.
    if (chiplets.chiplets.filter(({ isReady }) => isReady).length === count + 1) return;
    if (performance.now() > deadlineMs) throw new Error('bench: the service was not ready in time');
    await sleep(POLL_MS);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new Error('bench: cannot find a free port');
  return address.port;
}

/** Stops only the process group that `npm start` leads. */
async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  if (ended !== null) {
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
  await sleep(500); // Lets the children finish their writes.
  rmSync(folder, { recursive: true, force: true });
}
