/**
 * Replaces the modules of Node by which the services reach the outside: time, timers, threads,
 * sockets, files, random numbers, the process itself. Import this before any file of a service. The
 * services' own code is the same as in production.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import type { SimProcess } from './world/sim-process.ts';
import {
  type Context,
  currentContext,
  START_MS,
  theWorld,
  type WorldEvent,
} from './world/world.ts';

const ROOT = new URL('../../', import.meta.url).href;
const PRODUCT = [`${ROOT}services/`, `${ROOT}packages/`];
const FROM_PRODUCT: Readonly<Record<string, string>> = {
  'node:crypto': 'crypto.ts',
  'node:fs': 'fs.ts',
  'node:fs/promises': 'fs-promises.ts',
  'node:http': 'http.ts',
  'node:inspector': 'small-modules.ts',
  'node:os': 'small-modules.ts',
  'node:sqlite': 'sqlite.ts',
  'node:timers/promises': 'timers-promises.ts',
  'node:v8': 'small-modules.ts',
  'node:worker_threads': 'worker-threads.ts',
  'node:zlib': 'zlib.ts',
  pino: 'pino.ts',
};
/** Files of this repository that are replaced as a whole. */
const OWN_FILES: Readonly<Record<string, string>> = {
  [`${ROOT}packages/wire/src/connection/websocket-connection.ts`]: 'websocket-connection.ts',
  [`${ROOT}packages/gpu/src/chiplet/simulated-chiplet.ts`]: 'simulated-chiplet.ts',
};
const SUBSTITUTES = new URL('./substitutes/', import.meta.url).href;
const FASTIFY = /\/node_modules\/fastify\//;

function substitute(name: string): string {
  return new URL(`./substitutes/${name}`, import.meta.url).href;
}

/** Sources of the files that processes and threads start with, which are loaded at each start. */
const startSources = new Map<string, string>();
const STARTED = 'tesseraSimulationStarted';

/** Returns the source of a file whose first statement says that it has been loaded. */
function startSource(file: string): string {
  let source = startSources.get(file);
  if (source === undefined) {
    source = `${STARTED}();${stripTypeScriptTypes(readFileSync(new URL(file), 'utf8'))}`;
    startSources.set(file, source);
  }
  return source;
}

Object.assign(globalThis, {
  [STARTED]: () => {
    theWorld().loading = null;
  },
});

registerHooks({
  load(url, context, next) {
    const [file, start] = url.split('?start=');
    if (file === undefined || start === undefined) return next(url, context);
    return { format: 'module', source: startSource(file), shortCircuit: true };
  },
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? '';
    const isFromProduct = PRODUCT.some((folder) => parent.startsWith(folder));
    const name = FROM_PRODUCT[specifier];
    if (isFromProduct && name !== undefined) return { url: substitute(name), shortCircuit: true };
    if (FASTIFY.test(parent) && /^(node:)?http$/.test(specifier)) {
      return { url: substitute('http.ts'), shortCircuit: true };
    }
    if (FASTIFY.test(parent) && specifier === '@fastify/ajv-compiler') {
      return { url: substitute('ajv-compiler.ts'), shortCircuit: true };
    }
    const resolved = next(specifier, context);
    const own = OWN_FILES[resolved.url];
    return own === undefined || parent.startsWith(SUBSTITUTES)
      ? resolved
      : { url: substitute(own), shortCircuit: true };
  },
});

/** Timer of a simulated process. */
class Timer {
  readonly #context: Context;
  readonly #run: () => void;
  readonly #everyMs: number | null;
  #isRef = true;
  #event: WorldEvent;

  constructor(run: () => void, ms: number, isRepeated: boolean) {
    this.#context = currentContext();
    this.#run = run;
    this.#everyMs = isRepeated ? Math.max(1, ms) : null;
    this.#event = this.#schedule(ms);
  }

  #schedule(ms: number): WorldEvent {
    const event = theWorld().schedule(this.#context, Math.max(1, ms), () => {
      if (this.#everyMs !== null) this.#event = this.#schedule(this.#everyMs);
      this.#run();
    });
    event.isRef = this.#isRef;
    return event;
  }

  cancel(): void {
    this.#event.isCancelled = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    this.#isRef = false;
    this.#event.isRef = false;
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  close(): this {
    this.cancel();
    return this;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

const real = { setTimeout, setInterval, clearTimeout, setImmediate, clearImmediate, process, Date };
type Callback = (...values: unknown[]) => void;

function isSimulated(): boolean {
  try {
    return theWorld().hasContext;
  } catch {
    return false;
  }
}

function clear(timer: unknown): void {
  if (timer instanceof Timer) timer.cancel();
  else real.clearTimeout(timer as NodeJS.Timeout);
}

class SimDate extends real.Date {
  constructor(...given: []) {
    if (given.length === 0) super(SimDate.now());
    else super(...given);
  }

  static override now(): number {
    if (!isSimulated()) return START_MS;
    return (theWorld().context.process as SimProcess).readClockMs();
  }
}

Object.assign(globalThis, {
  setTimeout: (run: Callback, ms = 1, ...values: unknown[]) =>
    isSimulated()
      ? new Timer(() => run(...values), ms, false)
      : real.setTimeout(run, ms, ...values),
  setInterval: (run: Callback, ms = 1, ...values: unknown[]) =>
    isSimulated()
      ? new Timer(() => run(...values), ms, true)
      : real.setInterval(run, ms, ...values),
  setImmediate: (run: Callback, ...values: unknown[]) =>
    isSimulated() ? new Timer(() => run(...values), 0, false) : real.setImmediate(run, ...values),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
  Date: SimDate,
});
performance.now = () => (isSimulated() ? theWorld().nowMs : 0);
AbortSignal.timeout = (ms) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(new DOMException('timed out', 'TimeoutError')), ms);
  return abort.signal;
};

/** Simulated seconds after which the memory of a process changes. */
const CROWDED_SECONDS = 5;

/** Parts of `process` that belong to the simulated process whose code runs. */
const PROCESS_PARTS: Readonly<Record<string, (own: SimProcess) => unknown>> = {
  env: ({ env }) => env,
  pid: ({ pid }) => pid,
  stderr: (own) => ({ write: (message: string) => own.print(message) }),
  uptime: (own) => () => own.uptimeSeconds(),
  connected: () => false,
  send: () => undefined,
  disconnect: () => undefined,
  exit: (own) => (status: number) => {
    own.finish({ kind: 'exited', cause: status });
    currentContext(); // Throws, because the process has ended.
  },
  on: (own) => own.signals.on.bind(own.signals),
  once: (own) => own.signals.once.bind(own.signals),
  off: (own) => own.signals.off.bind(own.signals),
  kill: (own) => (_pid: number, signal: string) => own.signal(signal),
  memoryUsage: (own) => () => ({
    // Much and little in turn; see memory-relief.ts of the coordinator.
    rss: Math.floor(own.uptimeSeconds() / CROWDED_SECONDS) % 2 === 0 ? 2 ** 27 : 2 ** 30,
    heapTotal: 2 ** 24,
    heapUsed: 2 ** 24,
    external: 0,
    arrayBuffers: 0,
  }),
};
globalThis.process = new Proxy(real.process, {
  get(target, name) {
    const part = typeof name === 'string' ? PROCESS_PARTS[name] : undefined;
    if (part !== undefined && isSimulated()) return part(currentContext().process as SimProcess);
    return Reflect.get(target, name, target);
  },
});

for (const event of ['uncaughtException', 'unhandledRejection']) {
  real.process.on(event, (error: unknown) => {
    if (!isSimulated()) throw error;
    theWorld().failCurrent(error);
  });
}
