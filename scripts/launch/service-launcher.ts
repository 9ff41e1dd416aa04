/**
 * Runs the whole service on this machine: coordinator, visibility chiplet and workers, each as a
 * process. Processes that die are restarted; the coordinator recovers its frames from its journal.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CoordinatorAnnouncement } from '@tessera/wire';
import { readSecret } from '@tessera/wire/shared-secret';
import { chipletSecretVariables } from './chiplet-secret.ts';
import { COORDINATOR_ALLOCATOR } from './coordinator-allocator.ts';
import { readServiceAccess, type ServiceAccess } from './service-access.ts';

const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;
const RESTART_DELAY_MS = 250;
/** Number of times a process may die early before it is not restarted. */
const MAX_EARLY_DEATHS = 5;
const EARLY_MS = 5000;
/** Time after which a process that was asked to stop is killed. */
const STOP_WITHIN_MS = 10_000;
/** Default of the coordinator's `TESSERA_SHUTDOWN_MS`, and its time to exit after that. */
const SHUTDOWN_MS = 5000;
const EXIT_WITHIN_MS = STOP_WITHIN_MS - SHUTDOWN_MS;

/** Folder of compiled modules, with which a process starts in a quarter of the time. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../.cache/node-compile', import.meta.url));

/** Folder name of a service. */
export type ServiceName = 'coordinator' | 'visibility-chiplet' | 'chiplet-worker';

/** Options of a {@link LaunchedService}. */
export interface LaunchOptions {
  readonly workerCount: number;
  /** Environment variables of every process, in addition to those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Returns additional variables for one process at each of its starts. `coordinatorPort` is 0 at
   * the coordinator's first start.
   */
  readonly environmentOf?: (
    name: string,
    coordinatorPort: number,
  ) => Readonly<Record<string, string>>;
  /**
   * Whether processes that die are restarted. If not, everything stops when the coordinator dies.
   */
  readonly isRestarting: boolean;
  /** Number of early deaths of a process after which everything stops; five by default. */
  readonly maxEarlyDeaths?: number;
  /**
   * Called for each line that a process writes. `name` is the service and, for workers, a number.
   */
  readonly onLine: (name: string, line: string) => void;
  /** Called when the service cannot continue, after everything is stopped. */
  readonly onFatal: (message: string) => void;
  /** Stops everything, even during startup; `start` then throws. */
  readonly stopSignal?: AbortSignal;
}

interface Supervised {
  readonly name: string;
  readonly service: ServiceName;
  /** Starts the process again. */
  readonly fork: () => ChildProcess;
  process: ChildProcess;
  startedMs: number;
  earlyDeaths: number;
}

/** A running service. */
export class LaunchedService {
  readonly #options: LaunchOptions;
  readonly #access: ServiceAccess;
  /** Environment variables of every process, in addition to those of this process. */
  readonly #environment: Readonly<Record<string, string>>;
  readonly #chiplets: Supervised[] = [];
  #coordinator: Supervised | null = null;
  #port = 0;
  #isStopping = false;

  private constructor(options: LaunchOptions) {
    this.#options = options;
    const variables = { ...process.env, ...options.environment };
    this.#access = readServiceAccess(variables);
    this.#environment = { ...options.environment, ...chipletSecretVariables(variables) };
  }

  /**
   * Starts all processes and waits until every chiplet is ready.
   *
   * @throws {Error} If a process does not start, or `stopSignal` is aborted. Everything is stopped
   *   by then.
   */
  static async start(options: LaunchOptions): Promise<LaunchedService> {
    options.stopSignal?.throwIfAborted();
    const service = new LaunchedService(options);
    options.stopSignal?.addEventListener('abort', () => void service.stop(), { once: true });
    try {
      const listening = service.#startCoordinator();
      // A process with its own environment may need the port in it.
      if (options.environmentOf !== undefined) await listening;
      service.#startChiplet('visibility-chiplet', 'visibility-chiplet');
      for (let i = 1; i <= options.workerCount; i++) {
        service.#startChiplet(`chiplet-worker ${i}`, 'chiplet-worker');
      }
      await listening;
      await service.waitForWorkers(options.workerCount);
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** Address of the HTTP API, without a trailing slash. */
  get url(): string {
    return `${this.#access.scheme}://127.0.0.1:${this.#port}`;
  }

  /** Headers of every request: a token, if the service has tokens. */
  get headers(): Readonly<Record<string, string>> {
    return this.#access.headers;
  }

  /** Secret that a chiplet needs to connect; `null` if the environment requires none. */
  get chipletSecret(): string | null {
    const { TESSERA_CHIPLET_SECRET: value = '', TESSERA_CHIPLET_SECRET_FILE: file = '' } = {
      ...process.env,
      ...this.#environment,
    };
    return readSecret('TESSERA_CHIPLET_SECRET', value, file);
  }

  /** Returns the process ids of all running processes by name. */
  pids(): Map<string, number> {
    const pids = new Map<string, number>();
    const add = (name: string, { pid, exitCode, signalCode }: ChildProcess) => {
      if (pid !== undefined && exitCode === null && signalCode === null) pids.set(name, pid);
    };
    if (this.#coordinator !== null) add('coordinator', this.#coordinator.process);
    for (const chiplet of this.#chiplets) add(chiplet.name, chiplet.process);
    return pids;
  }

  /** Starts another worker, which renders from the next frame on. */
  addWorker(): void {
    const workers = this.#chiplets.filter(({ service }) => service === 'chiplet-worker');
    this.#startChiplet(`chiplet-worker ${workers.length + 1}`, 'chiplet-worker');
  }

  /**
   * Waits until the visibility chiplet and `count` workers are ready.
   *
   * @throws {Error} On timeout.
   */
  async waitForWorkers(count: number): Promise<void> {
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const response = await fetch(`${this.url}/v1/chiplets`, { headers: this.headers });
      const { chiplets } = (await response.json()) as {
        chiplets: { role: string; isReady: boolean }[];
      };
      const ready = chiplets.filter(({ isReady }) => isReady);
      const workers = ready.filter(({ role }) => role === 'worker').length;
      if (workers === count && ready.length === count + 1) return;
      if (this.#isStopping) throw new Error('the service stopped before it was ready');
      if (performance.now() > deadlineMs) {
        throw new Error(`${workers} of ${count} workers ready within ${READY_WITHIN_MS} ms`);
      }
      await sleep(POLL_MS);
    }
  }

  /**
   * Stops every process. Resolves when all have exited. The coordinator stops first, because the
   * frames that it finishes meanwhile (`TESSERA_SHUTDOWN_MS`) need the chiplets.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#coordinator !== null) {
      const { TESSERA_SHUTDOWN_MS: text = '' } = { ...process.env, ...this.#environment };
      const shutdownMs = text === '' ? SHUTDOWN_MS : Number(text);
      await stopProcess(this.#coordinator.process, shutdownMs + EXIT_WITHIN_MS);
    }
    await Promise.all(
      this.#chiplets.map((chiplet) => stopProcess(chiplet.process, STOP_WITHIN_MS)),
    );
  }

  async #startCoordinator(): Promise<void> {
    const name = 'coordinator';
    // Chiplets know the coordinator by its port, so a restarted coordinator reuses it.
    const fork = () =>
      this.#fork(name, name, this.#port === 0 ? {} : { TESSERA_PORT: String(this.#port) });
    const child = fork();
    this.#coordinator = supervise(name, name, fork, child);
    const listening = once(child, 'message') as Promise<[{ port: number }]>;
    // 'close' follows the last line that the process wrote; 'exit' may precede it.
    const died = once(child, 'close').then(([code, signal]) => {
      throw new Error(`the coordinator did not start (${signal ?? `exit status ${code}`})`);
    });
    const [{ port }] = await Promise.race([listening, died]);
    died.catch(() => {}); // The next handler processes its exit.
    this.#port = port;
    // Processes started before the coordinator listens wait for this; later ones have the port in
    // their environment.
    const announcement: CoordinatorAnnouncement = { kind: 'coordinator', port };
    for (const { process: chiplet } of this.#chiplets) {
      if (chiplet.connected) chiplet.send(announcement);
    }
    this.#watch(this.#coordinator);
  }

  #startChiplet(name: string, service: ServiceName): void {
    if (this.#isStopping) throw new Error('the service stopped before it was ready');
    const fork = () => this.#forkChiplet(name, service);
    const chiplet = supervise(name, service, fork, fork());
    this.#chiplets.push(chiplet);
    this.#watch(chiplet);
  }

  #watch(supervised: Supervised): void {
    supervised.process.once('exit', async (code, signal) => {
      const { name, service } = supervised;
      if (this.#isStopping) return;
      const death = `died (${signal ?? `exit status ${code}`})`;
      if (!this.#options.isRestarting) {
        if (service === 'coordinator') this.#fail(`the ${name} ${death}`);
        return;
      }
      const ageMs = performance.now() - supervised.startedMs;
      supervised.earlyDeaths = ageMs < EARLY_MS ? supervised.earlyDeaths + 1 : 0;
      const { maxEarlyDeaths = MAX_EARLY_DEATHS } = this.#options;
      if (supervised.earlyDeaths >= maxEarlyDeaths) {
        this.#fail(`${name} ${death} ${maxEarlyDeaths} times shortly after its start`);
        return;
      }
      this.#options.onLine(name, `${death}; restarting`);
      await sleep(RESTART_DELAY_MS);
      if (this.#isStopping) return;
      supervised.process = supervised.fork();
      supervised.startedMs = performance.now();
      this.#watch(supervised);
    });
  }

  #forkChiplet(name: string, service: ServiceName): ChildProcess {
    const scheme = this.#access.scheme === 'https' ? 'wss' : 'ws';
    return this.#fork(name, service, {
      // Port 0 stands for the announced port while the coordinator has none.
      TESSERA_COORDINATOR_URL: `${scheme}://127.0.0.1:${this.#port}/chiplets`,
      // Workers receive the port from the coordinator, so any free port works.
      TESSERA_CROSSLINK_PORT: process.env.TESSERA_CROSSLINK_PORT ?? '0',
    });
  }

  #fork(name: string, service: ServiceName, extra: Record<string, string>): ChildProcess {
    const main = new URL(`../../services/${service}/src/main.ts`, import.meta.url);
    const own = this.#options.environmentOf?.(name, this.#port) ?? {};
    const allocator = service === 'coordinator' ? COORDINATOR_ALLOCATOR : {};
    const defaults = { NODE_COMPILE_CACHE, ...allocator };
    const child = fork(fileURLToPath(main), {
      env: { ...defaults, ...process.env, ...this.#environment, ...extra, ...own },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => this.#options.onLine(name, line));
    }
    return child;
  }

  #fail(message: string): void {
    if (this.#isStopping) return;
    this.stop().then(() => this.#options.onFatal(message));
  }
}

function supervise(
  name: string,
  service: ServiceName,
  fork: () => ChildProcess,
  process: ChildProcess,
): Supervised {
  return { name, service, fork, process, startedMs: performance.now(), earlyDeaths: 0 };
}

async function stopProcess(child: ChildProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await gone;
  clearTimeout(killTimer);
}
