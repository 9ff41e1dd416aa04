/**
 * Event loop of a worker as its creator sees it: handles the messages of the creator in order, and
 * reports when it is idle.
 */
import nodeProcess from 'node:process';
import { setImmediate } from 'node:timers';
import type { MessagePort } from 'node:worker_threads';
import { decodeMessage } from '../messages/message-codec.ts';
import { AnimationFrames } from '../scope/animation-frames.ts';
import { fireEvent } from '../scope/fire-event.ts';
import { PendingWork } from '../scope/pending-work.ts';
import { RequestedFrames } from '../scope/requested-frames.ts';
import type { ScopeServices } from '../scope/scope-services.ts';
import { watchCalls } from '../scope/watched-calls.ts';
import { WatchedTimers } from '../scope/watched-timers.ts';
import { PageWorkers } from '../workers/page-workers.ts';
import type { Counted, ToWorker, WorkerStart, WorkerState } from '../workers/worker-protocol.ts';
import { LazyContexts } from './lazy-contexts.ts';
import { recordError } from './thread-error.ts';
import { ThreadPort } from './thread-port.ts';
import { openThreadScope, type ThreadScope } from './thread-scope.ts';
import { ThreadScript } from './thread-script.ts';

/** Worker in this thread. */
export class WorkerLoop {
  readonly #start: WorkerStart;
  readonly #port: ThreadPort;
  readonly #loading = new PendingWork();
  readonly #timers = new PendingWork();
  readonly #script: ThreadScript;
  readonly #contexts: LazyContexts;
  readonly #workers: PageWorkers;
  readonly #requested = new RequestedFrames();
  readonly #scope: ThreadScope;
  /** Messages that arrived before the script had run. */
  #early: Counted[] | null = [];
  #handled = 0;
  #isReporting = false;
  #reported = '';

  constructor(port: MessagePort, start: WorkerStart) {
    const address = new URL(start.address);
    this.#start = start;
    this.#port = new ThreadPort(port, address);
    this.#script = new ThreadScript(start, this.#port);
    this.#contexts = new LazyContexts(start);
    this.#workers = new PageWorkers({ contexts: start.contexts, isDriven: start.isDriven });
    const reportError = (error: unknown): void => this.#reportError(error);
    const services: ScopeServices = {
      address,
      pending: this.#loading,
      createContext: this.#contexts.create,
      fetchBytes: (from) => this.#port.fetchBytes(from),
      readBytes: (from) => this.#port.readBytes(from),
    };
    this.#scope = openThreadScope({
      start,
      port: this.#port,
      services,
      workers: this.#workers,
      contexts: this.#contexts,
      frames: start.isDriven
        ? this.#requested
        : new AnimationFrames(reportError, () => this.#contexts.endFrames()),
      importScripts: this.#script.importScripts,
      reportError,
    });
    new WatchedTimers(this.#timers);
    watchCalls(this.#loading);
    nodeProcess.on('uncaughtException', (error, origin) =>
      this.#reportError(error, origin === 'unhandledRejection'),
    );
    port.on('message', (message: ToWorker) => this.#receive(message));
    for (const work of this.#works) void this.#follow(work);
  }

  get #works(): readonly PendingWork[] {
    return [this.#loading, this.#timers, this.#workers.pending];
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'fetched':
      case 'fetch-failed':
        this.#port.answer(message);
        break;
      case 'ping':
        void this.#answerPing(message.id);
        break;
      case 'script':
        void this.#runScript(message.source);
        break;
      default:
        if (this.#early === null) this.#handle(message);
        else this.#early.push(message);
    }
  }

  async #runScript(source: string | null): Promise<void> {
    try {
      await this.#script.run(source);
    } catch (error) {
      this.#reportError(error);
    }
    this.#noteHandled();
    const early = this.#early!;
    this.#early = null;
    for (const message of early) this.#handle(message);
  }

  #handle(message: Counted): void {
    switch (message.kind) {
      case 'message': {
        const data = decodeMessage(message.message, {
          OffscreenCanvas: this.#scope.OffscreenCanvas,
          targetOf: (number) => this.#port.targetOf(number),
        });
        fireEvent(this.#scope.events, new MessageEvent('message', { data }), globalThis);
        break;
      }
      case 'animate':
        this.#requested.run(message.timeMs);
        this.#workers.animate(message.timeMs);
        break;
      case 'end-frames':
        this.#contexts.endFrames();
        this.#workers.endFrames();
        break;
      case 'take-frame':
        void this.#takeFrame();
        break;
    }
    this.#noteHandled();
  }

  async #takeFrame(): Promise<void> {
    const { created } = this.#contexts;
    try {
      const frame = await this.#loading.track(
        'frame',
        created?.hasImage === true ? created.takeFrame() : this.#workers.takeFrame(),
      );
      this.#port.post({ kind: 'frame', frame });
    } catch (error) {
      this.#port.post({ kind: 'frame-failed', error });
    }
  }

  #reportError(thrown: unknown, isRejection = false): void {
    const { address } = this.#start;
    const error = recordError(thrown, address, this.#script.importedAddress);
    if (!isRejection && this.#isHandled(thrown, error)) return;
    this.#port.post({ kind: 'error', error, isRejection });
  }

  /** Calls `onerror` and the listeners of the scope. Returns whether one canceled the error. */
  #isHandled(thrown: unknown, error: ReturnType<typeof recordError>): boolean {
    const message = `Uncaught ${error.name}: ${error.message}`;
    const { file, line, column } = error;
    const { onerror } = globalThis as { onerror?: OnErrorEventHandler };
    if (typeof onerror === 'function') {
      const isTrue = onerror.call(globalThis, message, file, line, column, thrown as Error);
      if (isTrue === true) return true;
    }
    const place = { message, filename: file, lineno: line, colno: column };
    const event = new ErrorEvent('error', { ...place, error: thrown, cancelable: true });
    this.#scope.events.dispatchEvent(event);
    return event.defaultPrevented;
  }

  #noteHandled(): void {
    this.#handled++;
    this.#reportSoon();
  }

  async #follow(work: PendingWork): Promise<void> {
    for (;;) {
      await work.changed();
      this.#reportSoon();
    }
  }

  /** Reports the state after the promises that the running code has resolved. */
  #reportSoon(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    setImmediate(() => {
      this.#isReporting = false;
      this.#report();
    });
  }

  #report(): void {
    const state: WorkerState = {
      handled: this.#handled,
      loads: this.#loading.started + this.#workers.loadCount,
      pending: this.#works.flatMap((work) => work.list()),
      hasImage: this.#contexts.created?.hasImage === true || this.#workers.hasImage,
      isAnimated: !this.#requested.isEmpty || this.#workers.isAnimated,
    };
    const text = JSON.stringify(state);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#port.post({ kind: 'state', state });
  }

  async #answerPing(id: number): Promise<void> {
    await this.#workers.ping();
    setImmediate(() =>
      setImmediate(() => {
        this.#report();
        this.#port.post({ kind: 'pong', id });
      }),
    );
  }
}
