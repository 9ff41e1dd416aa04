/**
 * Starts the real service with its processes for tests. Everything is stopped when the test file
 * ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { LaunchedService } from '../../scripts/launch/service-launcher.ts';

/** Options of {@link startTestService}. */
export interface TestServiceOptions {
  readonly workerCount: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether chiplets that die are restarted; false by default. */
  readonly isRestarting?: boolean;
}

/** A running service with the output of its processes. */
export interface TestService {
  readonly service: LaunchedService;
  readonly url: string;
  /** Lines of all processes, each prefixed with the name of its process. */
  readonly lines: readonly string[];
}

const running = new Set<LaunchedService>();
const dataFolders: string[] = [];

/** Creates a data folder, which is removed when the test file ends. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  dataFolders.push(folder);
  return folder;
}

/** Starts a service on free ports and waits until it is ready. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const lines: string[] = [];
  const service = await LaunchedService.start({
    workerCount: options.workerCount,
    environment: {
      TESSERA_LOG_LEVEL: 'info',
      TESSERA_PORT: '0',
      TESSERA_DATA_DIR: makeDataFolder(),
      ...options.environment,
    },
    isRestarting: options.isRestarting ?? false,
    onLine: (name, line) => lines.push(`${name}: ${line}`),
    onFatal: (message) => lines.push(`fatal: ${message}`),
  }).catch((error) => {
    throw new Error(`${(error as Error).message}\n${lines.join('\n')}`, { cause: error });
  });
  running.add(service);
  return { service, url: service.url, lines };
}

/** Stops services after the tests. A test file that starts services calls this once at the top. */
export function stopServicesAfterAll(): void {
  afterAll(async () => {
    await Promise.all(Array.from(running, (service) => service.stop()));
    running.clear();
    for (const folder of dataFolders) rmSync(folder, { recursive: true, force: true });
  });
}

/** Posts a model and waits for the result. */
export function postModel(
  url: string,
  model: Uint8Array,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/v1/frames${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=60', ...headers },
    body: new Uint8Array(model),
  });
}

/**
 * A worker becomes trusted when it renders bins in time, which takes several frames on a busy
 * machine.
 */
const TRUSTED_WITHIN_MS = 60_000;

/**
 * Posts a model repeatedly until all chiplets are trusted. From then on workers receive their own
 * bins.
 *
 * @param query Options of the frames, with enough bins that workers have time to render some of
 *   them too.
 * @throws {Error} If it takes longer than a minute.
 */
export async function renderUntilTrusted(
  url: string,
  model: Uint8Array,
  query: string,
): Promise<void> {
  const deadlineMs = performance.now() + TRUSTED_WITHIN_MS;
  for (;;) {
    const answer = await postModel(url, model, query);
    if (!answer.ok) throw new Error(`a frame failed: ${await answer.text()}`);
    await answer.arrayBuffer();
    const listed = await (await fetch(`${url}/v1/chiplets`)).json();
    const { chiplets } = listed as { chiplets: { isTrusted: boolean }[] };
    if (chiplets.every(({ isTrusted }) => isTrusted)) return;
    if (performance.now() > deadlineMs) throw new Error('not all chiplets are trusted');
  }
}

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
