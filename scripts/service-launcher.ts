/**
 * Runs the whole service on this machine: coordinator, visibility chiplet and workers, a process each.
 * Processes that die are started again: the coordinator's journal brings its frames back.
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
/** A process that dies this often before it is this old is not started again. */
const MAX_EARLY_DEATHS = 5;
const EARLY_MS = 5000;
/** After this long a process that was asked to stop is killed. */
const STOP_WITHIN_MS = 10_000;

/** Compiled modules are kept here: a process then starts in a quarter of the time. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../.cache/node-compile', import.meta.url));

export type ServiceName = 'coordinator' | 'visibility-chiplet' | 'chiplet-worker';

export interface LaunchOptions {
  readonly workerCount: number;
  /** Passed on to every process, on top of this one's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** More for one process, at each of its starts; `coordinatorPort` is 0 for the coordinator's first. */
  readonly environmentOf?: (
    name: string,
    coordinatorPort: number,
  ) => Readonly<Record<string, string>>;
  /** Whether processes that die are started again. Otherwise everything stops when the coordinator dies. */
  readonly isRestarting: boolean;
  /** How often a process may die soon after its start until everything stops; five times by default. */
  readonly maxEarlyDeaths?: number;
  /** Told of each line that a process writes. `name` is the service and, for workers, a number. */
  readonly onLine: (name: string, line: string) => void;
  /** Told when the service cannot go on; everything is stopped by then. */
  readonly onFatal: (message: string) => void;
  /** Stops everything, also while it starts: `start` throws then. */
  readonly stopSignal?: AbortSignal;
}

interface Supervised {
  readonly name: string;
  readonly service: ServiceName;
  /** Starts it anew. */
  readonly fork: () => ChildProcess;
  process: ChildProcess;
  startedMs: number;
  earlyDeaths: number;
}

/** A running service. */
export class LaunchedService {
  readonly #options: LaunchOptions;
  readonly #access: ServiceAccess;
  /** What every process gets on top of this one's environment. */
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
   * @throws {Error} If a process does not come up, or `stopSignal` is aborted; everything is stopped by then.
   */
  static async start(options: LaunchOptions): Promise<LaunchedService> {
    const service = new LaunchedService(options);
    options.stopSignal?.addEventListener('abort', () => void service.stop(), { once: true });
    try {
      const listening = service.#startCoordinator();
      // A process with an environment of its own may need the port in it.
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

  /** Address of the HTTP interface, without a slash at the end. */
  get url(): string {
    return `${this.#access.scheme}://127.0.0.1:${this.#port}`;
  }

  /** Headers that its requests need: a token, if it has tokens. */
  get headers(): Readonly<Record<string, string>> {
    return this.#access.headers;
  }

  /** What a chiplet shows to be let in; `null` where the environment lets in everybody. */
  get chipletSecret(): string | null {
    const { TESSERA_CHIPLET_SECRET: value = '', TESSERA_CHIPLET_SECRET_FILE: file = '' } = {
      ...process.env,
      ...this.#environment,
    };
    return readSecret('TESSERA_CHIPLET_SECRET', value, file);
  }

  /** Process ids of all processes that run, by name. */
  pids(): Map<string, number> {
    const pids = new Map<string, number>();
    const add = (name: string, { pid, exitCode, signalCode }: ChildProcess) => {
      if (pid !== undefined && exitCode === null && signalCode === null) pids.set(name, pid);
    };
    if (this.#coordinator !== null) add('coordinator', this.#coordinator.process);
    for (const chiplet of this.#chiplets) add(chiplet.name, chiplet.process);
    return pids;
  }

  /** Starts one more worker, which takes part from the next frame on. */
  addWorker(): void {
    const workers = this.#chiplets.filter(({ service }) => service === 'chiplet-worker');
    this.#startChiplet(`chiplet-worker ${workers.length + 1}`, 'chiplet-worker');
  }

  /** Waits until the visibility chiplet and `count` workers are ready. @throws {Error} In time-out. */
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

  /** Stops every process; resolves when all are gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const all =
      this.#coordinator === null ? this.#chiplets : [this.#coordinator, ...this.#chiplets];
    await Promise.all(all.map((supervised) => stopProcess(supervised.process)));
  }

  async #startCoordinator(): Promise<void> {
    const name = 'coordinator';
    // Chiplets know it by its port, which a coordinator that is started again takes over.
    const fork = () =>
      this.#fork(name, name, this.#port === 0 ? {} : { TESSERA_PORT: String(this.#port) });
    const child = fork();
    this.#coordinator = supervise(name, name, fork, child);
    const listening = once(child, 'message') as Promise<[{ port: number }]>;
    // 'close' comes after the last line that the process wrote, 'exit' may come before.
    const died = once(child, 'close').then(([code, signal]) => {
      throw new Error(`the coordinator did not start (${signal ?? `exit status ${code}`})`);
    });
    const [{ port }] = await Promise.race([listening, died]);
    died.catch(() => {}); // from now on its end is what the next handler deals with
    this.#port = port;
    // Those that were started before wait for it; later ones have it in their environment.
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
      const reason = `${name} died (${signal ?? `exit status ${code}`})`;
      if (!this.#options.isRestarting) {
        if (service === 'coordinator') this.#fail(`the ${reason}`);
        return;
      }
      const ageMs = performance.now() - supervised.startedMs;
      supervised.earlyDeaths = ageMs < EARLY_MS ? supervised.earlyDeaths + 1 : 0;
      const { maxEarlyDeaths = MAX_EARLY_DEATHS } = this.#options;
      if (supervised.earlyDeaths >= maxEarlyDeaths) {
        this.#fail(`${reason} ${maxEarlyDeaths} times soon after its start`);
        return;
      }
      this.#options.onLine(name, `${reason}; it is started again`);
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
      // Port 0, as long as the coordinator has none: the announced one.
      TESSERA_COORDINATOR_URL: `${scheme}://127.0.0.1:${this.#port}/chiplets`,
      // Workers learn the port from the coordinator, so any free one will do.
      TESSERA_CROSSLINK_PORT: process.env.TESSERA_CROSSLINK_PORT ?? '0',
    });
  }

  #fork(name: string, service: ServiceName, extra: Record<string, string>): ChildProcess {
    const main = new URL(`../services/${service}/src/main.ts`, import.meta.url);
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

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(killTimer);
}
