/** Starts the real service, a process each, for tests; everything is stopped when the test file ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { LaunchedService } from '../../scripts/service-launcher.ts';

export interface TestServiceOptions {
  readonly workerCount: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether chiplets that die are restarted. Missing: they are not. */
  readonly isRestarting?: boolean;
}

/** A running service and what its processes wrote. */
export interface TestService {
  readonly service: LaunchedService;
  readonly url: string;
  /** Lines of all processes, each after the name of its process. */
  readonly lines: readonly string[];
}

const running = new Set<LaunchedService>();
const dataFolders: string[] = [];

/** A folder for what a service keeps; removed when the test file ends. */
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

/** To be called once at the top of a test file that starts services. */
export function stopServicesAfterAll(): void {
  afterAll(async () => {
    await Promise.all(Array.from(running, (service) => service.stop()));
    running.clear();
    for (const folder of dataFolders) rmSync(folder, { recursive: true, force: true });
  });
}

/** Posts a model and waits for what comes of it. */
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

/** Trust needs bins that are rendered in time, which takes several frames on a busy machine. */
const TRUSTED_WITHIN_MS = 60_000;

/**
 * Posts a model again and again until all chiplets are trusted: from then on workers get bins of their own.
 *
 * @param query Of the frames; with enough bins that workers have time to render some of them too.
 * @throws {Error} If that takes longer than a minute.
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

/** Whether a process of this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
