/**
 * Simulated process: its environment, signals, threads and open resources. It can end at any event;
 * then none of its code runs anymore, as after SIGKILL.
 */
import { EventEmitter } from 'node:events';
import { type Context, type ProcessContext, START_MS, type World } from './world.ts';

/** Ending of a process. */
export interface ProcessEnd {
  readonly kind: 'killed' | 'exited' | 'failed';
  /** Exit status, or the error that no code caught. */
  readonly cause: unknown;
}

/** Thread of a process. */
export interface ThreadContext extends Context {
  /** Ends the thread without events. */
  stop(): void;
}

/** Interval at which a process that was asked to stop is looked at. */
const IDLE_LOOK_MS = 20;
let startCount = 0;
let pidCount = 100;

/** Process of a {@link World}. */
export class SimProcess implements ProcessContext {
  readonly name: string;
  readonly world: World;
  readonly env: Readonly<Record<string, string>>;
  readonly pid = pidCount++;
  readonly signals = new EventEmitter();
  readonly threads = new Set<ThreadContext>();
  /** Called at the end of the process, whatever its reason: sockets, files, databases. */
  readonly cleanups = new Set<() => void>();
  haltedUntilMs = 0;
  clockOffsetMs = 0;
  end: ProcessEnd | null = null;
  readonly #startMs: number;
  readonly #onEnd: (end: ProcessEnd) => void;

  constructor(
    world: World,
    name: string,
    env: Readonly<Record<string, string>>,
    onEnd: (end: ProcessEnd) => void,
  ) {
    this.world = world;
    world.processes.add(this);
    this.name = name;
    this.env = env;
    this.#startMs = world.nowMs;
    this.#onEnd = onEnd;
    this.signals.setMaxListeners(0);
  }

  get process(): this {
    return this;
  }

  get isAlive(): boolean {
    return this.end === null;
  }

  /** Runs the file of the process as a module of its own. */
  start(url: URL): void {
    this.world.schedule(this, 0, () => loadInto(this, url));
  }

  /** Sends a signal. Without a listener it ends the process. */
  signal(name: string): void {
    if (!this.isAlive) return;
    if (this.signals.listenerCount(name) === 0) this.finish({ kind: 'killed', cause: name });
    else {
      this.world.schedule(this, 0, () => this.signals.emit(name, name));
      this.#exitWhenIdle();
    }
  }

  /** Ends the process once it has no work, thread, socket or open file anymore. */
  #exitWhenIdle(): void {
    const look = this.world.schedule(this, IDLE_LOOK_MS, () => {
      const isIdle = this.cleanups.size === 0 && this.threads.size === 0;
      if (isIdle && !this.world.hasWork(this)) this.finish({ kind: 'exited', cause: 0 });
      else this.#exitWhenIdle();
    });
    look.isRef = false;
  }

  /** Ends the process at once. */
  finish(end: ProcessEnd): void {
    if (!this.isAlive) return;
    this.end = end;
    for (const thread of this.threads) thread.stop();
    for (const cleanup of this.cleanups) cleanup();
    this.cleanups.clear();
    this.#onEnd(end);
  }

  fail(error: unknown): void {
    this.finish({ kind: 'failed', cause: error });
  }

  /** Last line that it printed instead of logging, such as why it cannot start. */
  lastPrinted = '';

  print(message: string): void {
    this.lastPrinted = message;
  }

  uptimeSeconds(): number {
    return (this.world.nowMs - this.#startMs) / 1000;
  }

  /** Time of its system clock, in milliseconds since 1970. */
  readClockMs(): number {
    return Math.floor(START_MS + this.world.nowMs + this.clockOffsetMs);
  }
}

/**
 * Loads a file as a new module in a context. Call it within an event of the context. All modules
 * that it imports must have been loaded before.
 */
export function loadInto(context: Context, url: URL): void {
  const start = new URL(url);
  start.searchParams.set('start', String(++startCount));
  const { world } = context.process as SimProcess;
  world.loading = context;
  import(start.href).then(
    () => {},
    (error) => {
      world.loading = null;
      context.fail(error);
    },
  );
}
