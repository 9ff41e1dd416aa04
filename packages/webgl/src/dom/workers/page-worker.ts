/**
 * `Worker` (HTML, section 10.2.6.3) on threads of Node. The thread has the global names of a
 * dedicated worker (worker-thread/). Its files are those of the page that created it.
 */
import { resolveObjectURL } from 'node:buffer';
import { getEventListeners } from 'node:events';
import module from 'node:module';
import { Worker as Thread } from 'node:worker_threads';
import type { FrameTarget, OffscreenCanvasClass } from '../canvas/offscreen-canvas.ts';
import { decodeMessage, encodeMessage, readTransfer } from '../messages/message-codec.ts';
import { transferMessage } from '../messages/transfer-message.ts';
import { fireEvent } from '../scope/fire-event.ts';
import type { ScopeServices } from '../scope/scope-services.ts';
import type { PageWorkers, RunningWorker } from './page-workers.ts';
import type {
  Counted,
  FromWorker,
  ToWorker,
  WaitingAnswer,
  WorkerError,
  WorkerFrame,
  WorkerStart,
  WorkerState,
} from './worker-protocol.ts';

const THREAD = new URL('../worker-thread/worker-thread.ts', import.meta.url);

const IDLE: WorkerState = {
  ...{ handled: 0, loads: 0, pending: [] },
  ...{ hasImage: false, isAnimated: false },
};

/** Surroundings of a worker: the page or worker that creates it. */
export interface WorkerParent {
  readonly services: ScopeServices;
  readonly workers: PageWorkers;
  readonly OffscreenCanvas: OffscreenCanvasClass;
  /** Receives errors of workers that no listener handles. */
  readonly reportError: (error: unknown) => void;
}

/** Options of the constructor. */
export interface WorkerOptions {
  readonly type?: 'classic' | 'module';
  readonly name?: string;
}

/** Worker of a page. */
export class PageWorker extends EventTarget implements RunningWorker {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onmessageerror: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #parent: WorkerParent;
  readonly #address: string;
  readonly #thread: Thread;
  /** Receivers of frames whose canvases have moved to the worker, by number. */
  readonly #targets: FrameTarget[] = [];
  readonly #pongs = new Map<number, () => void>();
  #frame: { resolve(frame: WorkerFrame): void; reject(error: unknown): void } | null = null;
  #state: WorkerState = IDLE;
  #sent = 0;
  #lastPing = 0;
  #endWork: (() => void) | null = null;
  #isTerminated = false;

  /** @throws {DOMException} SyntaxError if the address cannot be resolved. */
  constructor(parent: WorkerParent, address: string | URL, options: WorkerOptions = {}) {
    super();
    this.#parent = parent;
    this.#address = resolveAddress(address, parent.services.address);
    const start: WorkerStart = {
      address: this.#address,
      isModule: options.type === 'module',
      name: String(options.name ?? ''),
      contexts: parent.workers.contexts,
      isDriven: parent.workers.isDriven,
      compileCache: module.getCompileCacheDir?.() ?? null, // Node 20 has no such cache.
    };
    this.#thread = new Thread(THREAD, { workerData: start });
    this.#thread.on('message', (message: FromWorker) => this.#receive(message));
    this.#thread.on('error', (error) => this.#failThread(error));
    this.#thread.on('exit', () => this.#close());
    parent.workers.add(this);
    this.#beginWork();
    // The program may revoke a blob address at once.
    const blob = this.#address.startsWith('blob:') ? resolveObjectURL(this.#address) : undefined;
    void this.#sendScript(start.isModule, blob as Blob | undefined); // Node's type of the class.
  }

  get state(): WorkerState {
    return this.#state;
  }

  postMessage(message: unknown, transfer?: unknown): void {
    const numbers = { numberOf: (target: FrameTarget) => this.#targets.push(target) - 1 };
    const { encoded, moved } = encodeMessage(message, readTransfer(transfer), numbers);
    this.#parent.workers.messageCount++;
    this.#count({ kind: 'message', message: encoded }, moved);
  }

  terminate(): void {
    this.#close();
    void this.#thread.terminate();
  }

  animate(timeMs: number): void {
    this.#count({ kind: 'animate', timeMs });
  }

  endFrames(): void {
    this.#count({ kind: 'end-frames' });
  }

  takeFrame(): Promise<WorkerFrame> {
    return new Promise((resolve, reject) => {
      this.#frame = { resolve, reject };
      this.#count({ kind: 'take-frame' });
    });
  }

  ping(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isTerminated) return resolve();
      const id = ++this.#lastPing;
      this.#pongs.set(id, resolve);
      this.#post({ kind: 'ping', id });
    });
  }

  async #sendScript(isModule: boolean, blob: Blob | undefined): Promise<void> {
    try {
      // Modules are imported by their address, so that they can import others relative to it.
      if (isModule && this.#address.startsWith('file:')) {
        this.#count({ kind: 'script', source: null });
        return;
      }
      const source =
        blob === undefined
          ? new TextDecoder().decode(await this.#parent.services.fetchBytes(this.#address))
          : await blob.text();
      this.#count({ kind: 'script', source });
    } catch (cause) {
      if (this.#isTerminated) return;
      this.terminate();
      const message = `the script ${this.#address} cannot be loaded: ${cause}`;
      this.#fireError(new Error(message, { cause }), { message, file: this.#address });
    }
  }

  #count(message: Counted, moved: readonly unknown[] = []): void {
    if (this.#isTerminated) return;
    this.#post(message, moved);
    this.#sent++;
    this.#noteWork();
  }

  #post(message: ToWorker, moved: readonly unknown[] = []): void {
    transferMessage(this.#thread, message, moved);
  }

  #receive(received: FromWorker): void {
    if (this.#isTerminated) return;
    switch (received.kind) {
      case 'message': {
        const data = decodeMessage(received.message, {
          OffscreenCanvas: this.#parent.OffscreenCanvas,
          // A canvas comes back with the number that it left with.
          targetOf: (number) => this.#targets[number]!,
        });
        this.#parent.workers.messageCount++;
        fireEvent(this, new MessageEvent('message', { data }));
        break;
      }
      case 'state':
        this.#state = received.state;
        this.#noteWork();
        break;
      case 'pong':
        this.#pongs.get(received.id)?.();
        this.#pongs.delete(received.id);
        break;
      case 'error':
        this.#fail(received.error, received.isRejection);
        break;
      case 'fetch':
        void this.#fetch(received.id, received.address);
        break;
      case 'fetch-waiting':
        void this.#fetchWaiting(received);
        break;
      case 'show':
        this.#targets[received.target]!.show(received.pixels);
        break;
      case 'frame':
        this.#frame?.resolve(received.frame);
        break;
      case 'frame-failed':
        this.#frame?.reject(received.error);
        break;
      case 'closed':
        this.#close();
        break;
    }
  }

  async #fetch(id: number, address: string): Promise<void> {
    try {
      const bytes = await this.#parent.services.fetchBytes(address);
      this.#post({ kind: 'fetched', id, bytes });
    } catch (error) {
      this.#post({ kind: 'fetch-failed', id, message: String(error) });
    }
  }

  async #fetchWaiting(wanted: FromWorker & { readonly kind: 'fetch-waiting' }): Promise<void> {
    const { address, blob, port, flag } = wanted;
    let answer: WaitingAnswer;
    try {
      const bytes =
        blob === null
          ? await this.#parent.services.fetchBytes(address)
          : new Uint8Array(await blob.arrayBuffer());
      answer = { bytes };
    } catch (error) {
      answer = { message: String(error) };
    }
    port.postMessage(answer);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  }

  /** The worker is pending work of the page while it has unhandled messages or pending work. */
  #noteWork(): void {
    const { handled, pending } = this.#state;
    if (handled < this.#sent || pending.length > 0) this.#beginWork();
    else this.#finishWork();
    this.#parent.workers.pending.noteChange();
  }

  #beginWork(): void {
    this.#endWork ??= this.#parent.workers.pending.begin(() => {
      const name = `worker ${this.#address}`;
      const { pending } = this.#state;
      return pending.length === 0 ? [name] : pending.map((each) => `${name}: ${each}`);
    });
  }

  #finishWork(): void {
    this.#endWork?.();
    this.#endWork = null;
  }

  #close(): void {
    if (this.#isTerminated) return;
    this.#isTerminated = true;
    this.#parent.workers.delete(this);
    this.#state = IDLE;
    this.#finishWork();
    for (const resolve of this.#pongs.values()) resolve();
    this.#frame?.reject(new Error(`the worker ${this.#address} ended before its frame`));
  }

  /** Reports an error of the thread itself, such as running out of memory. */
  #failThread(error: unknown): void {
    this.#close();
    this.#fireError(error, { message: String(error), file: this.#address });
  }

  #fail(error: WorkerError, isRejection: boolean): void {
    const { name, message, stack, file, line, column } = error;
    const made = Object.assign(new Error(message), { name, stack });
    // A browser reports unhandled rejections of a worker in its console only.
    if (isRejection) this.#parent.reportError(made);
    else this.#fireError(made, { message: `Uncaught ${name}: ${message}`, file, line, column });
  }

  #fireError(
    error: unknown,
    place: { message: string; file: string; line?: number; column?: number },
  ): void {
    const { message, file, line = 0, column = 0 } = place;
    const isHandled = this.onerror !== null || getEventListeners(this, 'error').length > 0;
    const init = { message, filename: file, lineno: line, colno: column, cancelable: true };
    fireEvent(this, new ErrorEvent('error', init));
    if (!isHandled) this.#parent.reportError(error);
  }
}

/** Returns the class of a page or worker, whose constructor has no argument for its parent. */
export function workerClassOf(
  parent: WorkerParent,
): new (
  address: string | URL,
  options?: WorkerOptions,
) => PageWorker {
  const Bound = class extends PageWorker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(parent, address, options);
    }
  };
  Object.defineProperty(Bound, 'name', { value: 'Worker' });
  return Bound;
}

function resolveAddress(address: string | URL, base: URL): string {
  const text = String(address);
  if (!URL.canParse(text, base)) {
    throw new DOMException(`Worker: the address ${text} is not valid`, 'SyntaxError');
  }
  return new URL(text, base).href;
}
