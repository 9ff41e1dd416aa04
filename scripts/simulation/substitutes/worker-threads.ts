/**
 * `node:worker_threads` within one real thread: a thread is a context of its own with its own
 * module, and messages are cloned and arrive in later events.
 */
import { EventEmitter } from 'node:events';
import { loadInto, type SimProcess, type ThreadContext } from '../world/sim-process.ts';
import { type Context, currentContext, theWorld } from '../world/world.ts';

interface WorkerOptions {
  readonly workerData?: unknown;
}

/** Time that starting a thread and loading its modules takes. */
const START_MS = 30;
const MESSAGE_MS = 0.05;
/** A message arrives later if the thread or the process is busy. */
const BUSY_MESSAGE_MS = 5;
const BUSY_PROBABILITY = 0.1;

/** Data of the thread that loads its modules. */
export let workerData: unknown = null;

function messageDelayMs(): number {
  const { random } = theWorld();
  return random.next() * (random.next() < BUSY_PROBABILITY ? BUSY_MESSAGE_MS : MESSAGE_MS);
}

class ThreadPort extends EventEmitter {
  readonly #early: unknown[] = [];

  receive(message: unknown): void {
    if (this.listenerCount('message') === 0) this.#early.push(message);
    else this.emit('message', message);
  }

  override on(event: string, listener: (...values: never[]) => void): this {
    super.on(event, listener as (...values: unknown[]) => void);
    if (event === 'message')
      for (const message of this.#early.splice(0)) this.emit('message', message);
    return this;
  }
}

/** Thread of a simulated process. */
class Thread implements ThreadContext {
  readonly name: string;
  readonly process: SimProcess;
  readonly worker: Worker;
  readonly port = new ThreadPort();
  isRunning = true;
  lastToThreadMs = 0;
  lastToParentMs = 0;

  constructor(worker: Worker, parent: Context, name: string) {
    this.worker = worker;
    this.process = parent.process as SimProcess;
    this.name = `${parent.name} ${name}`;
  }

  get isAlive(): boolean {
    return this.isRunning && this.process.isAlive;
  }

  fail(error: unknown): void {
    this.worker.end(1, error);
  }

  stop(): void {
    this.isRunning = false;
  }
}

/** Substitute of `Worker`. */
export class Worker extends EventEmitter {
  readonly threadId = 1;
  readonly #thread: Thread;
  readonly #parent: Context;
  #exited: Promise<number> | null = null;

  constructor(url: URL, { workerData: data = null }: WorkerOptions = {}) {
    super();
    this.#parent = currentContext();
    this.#thread = new Thread(this, this.#parent, url.pathname.split('/').at(-1) ?? '');
    this.#thread.process.threads.add(this.#thread);
    // Shared memory stays shared.
    const given = data === null ? null : structuredClone(data);
    const { world } = this.#thread.process;
    this.#thread.lastToThreadMs = world.nowMs + START_MS;
    world.schedule(this.#thread, world.random.next() * START_MS, () => {
      workerData = given;
      loadInto(this.#thread, url);
    });
  }

  get thread(): Thread {
    return this.#thread;
  }

  postMessage(message: unknown, transfer: ArrayBuffer[] = []): void {
    if (!this.#thread.isAlive) return;
    const cloned = structuredClone(message, { transfer });
    const { world } = this.#thread.process;
    const atMs = Math.max(this.#thread.lastToThreadMs, world.nowMs + messageDelayMs());
    this.#thread.lastToThreadMs = atMs;
    world.schedule(this.#thread, atMs - world.nowMs, () => this.#thread.port.receive(cloned));
  }

  /** Delivers a message of the thread. */
  receive(message: unknown, transfer: ArrayBuffer[]): void {
    const cloned = structuredClone(message, { transfer });
    const { world } = this.#thread.process;
    const atMs = Math.max(this.#thread.lastToParentMs, world.nowMs + messageDelayMs());
    this.#thread.lastToParentMs = atMs;
    world.schedule(this.#parent, atMs - world.nowMs, () => this.emit('message', cloned));
  }

  /** Ends the thread, with an error unless it is undefined. */
  end(status: number, error?: unknown): Promise<number> {
    if (this.#exited !== null) return this.#exited;
    this.#thread.stop();
    this.#thread.process.threads.delete(this.#thread);
    const { world } = this.#thread.process;
    this.#exited = new Promise((resolve) => {
      const delayMs = Math.max(0, this.#thread.lastToParentMs - world.nowMs) + messageDelayMs();
      world.schedule(this.#parent, delayMs, () => {
        if (error !== undefined && this.listenerCount('error') > 0) this.emit('error', error);
        else if (error !== undefined) this.#parent.fail(error);
        this.emit('exit', status);
        resolve(status);
      });
    });
    return this.#exited;
  }

  terminate(): Promise<number> {
    return this.end(1);
  }

  ref(): void {}
  unref(): void {}
}

function threadOf(context: Context): Thread {
  if (context instanceof Thread) return context;
  throw new Error(`${context.name} is not a thread`);
}

/** Port of the running thread to its parent. */
export const parentPort = {
  on(event: string, listener: (...values: never[]) => void) {
    threadOf(currentContext()).port.on(event, listener);
    return this;
  },
  once(event: string, listener: (...values: never[]) => void) {
    threadOf(currentContext()).port.once(event, listener as (...values: unknown[]) => void);
    return this;
  },
  postMessage(message: unknown, transfer: ArrayBuffer[] = []) {
    threadOf(currentContext()).worker.receive(message, transfer);
  },
};

/** Substitute of `isMainThread`. */
export const isMainThread = false;
