/**
 * Serves a local chiplet to the coordinator. It executes requests one at a time, in the order in
 * which they arrived, with a turn of the event loop between two. Heartbeats are therefore answered,
 * and a release drops requests that have not started.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chiplet, type CoarseBinId, type FrameId, RenderError } from '@tessera/frame';
import type { Connection } from '../connection/connection.ts';
import { FrameTraces } from '../messages/frame-traces.ts';
import type { Message, MessageOf } from '../messages/messages.ts';
import { toWireError } from '../messages/wire-error.ts';
import type { ResourceStore } from '../resources/resource-store.ts';

/**
 * Maximum number of queued requests. The coordinator sends a chiplet at most two bins and a
 * visibility phase at a time.
 */
const MAX_WAITING = 1024;

type Work = MessageOf<'computeVisibility'> | MessageOf<'renderBin'>;

/** Options of a {@link ChipletServer}. */
export interface ChipletServerOptions {
  readonly connection: Connection;
  readonly chiplet: Chiplet;
  readonly resources: ResourceStore;
  /**
   * Called for an error that is not a {@link RenderError}. The coordinator only receives its
   * message.
   */
  readonly onBug: (error: unknown, work?: FinishedWork) => void;
  /** Trace ids of the frames in progress. */
  readonly traces?: FrameTraces | undefined;
  /** Called after each completed request. */
  readonly onWork?: ((work: FinishedWork) => void) | undefined;
}

/** Completed request, for the log. */
export interface FinishedWork {
  readonly work: Work['type'];
  readonly frameId: FrameId;
  readonly passIndex: number;
  /** Bin that was rendered; missing for a visibility phase. */
  readonly binId?: CoarseBinId;
  readonly traceId?: string | undefined;
}

/** Executes the coordinator's requests on a local chiplet. */
export class ChipletServer {
  readonly #connection: Connection;
  readonly #chiplet: Chiplet;
  readonly #resources: ResourceStore;
  readonly #onBug: ChipletServerOptions['onBug'];
  readonly #onWork: (work: FinishedWork) => void;
  readonly #traces: FrameTraces;
  readonly #frames = new Map<FrameId, AbortController>();
  #queue: Work[] = [];
  #isWorking = false;
  #idleWaiters: (() => void)[] = [];
  #releaseWaiters: (() => void)[] = [];

  constructor(options: ChipletServerOptions) {
    this.#connection = options.connection;
    this.#chiplet = options.chiplet;
    this.#resources = options.resources;
    this.#onBug = options.onBug;
    this.#onWork = options.onWork ?? (() => {});
    this.#traces = options.traces ?? new FrameTraces();
  }

  /**
   * Processes a message from the coordinator. Returns `false` if the message is not about frames or
   * the queue is full.
   */
  receive(message: Message): boolean {
    switch (message.type) {
      case 'resource':
        this.#resources.put(message);
        return true;
      case 'computeVisibility':
      case 'renderBin':
        if (this.#queue.length >= MAX_WAITING) return false;
        this.#traces.note(frameIdOf(message), message.traceId);
        this.#queue.push(message);
        this.#work();
        return true;
      case 'releaseFrame':
        this.#release(message.frameId);
        return true;
      default:
        return false;
    }
  }

  /**
   * Releases all frames and drops the queue. The owner must call this when the connection closes.
   */
  connectionClosed(): void {
    for (const frameId of [...this.#frames.keys()]) this.#release(frameId);
    this.#queue = [];
  }

  /** Resolves when all requests have been answered. */
  async whenIdle(): Promise<void> {
    if (this.#isWorking) await new Promise<void>((wake) => this.#idleWaiters.push(wake));
  }

  /**
   * Resolves when no frame is in progress.
   *
   * @param lingerMs Time for which no frame must be in progress, because there is a pause between
   *   the passes of a frame.
   */
  async whenReleased(lingerMs: number): Promise<void> {
    do {
      while (this.#frames.size > 0) {
        await new Promise<void>((wake) => this.#releaseWaiters.push(wake));
      }
      await sleep(lingerMs);
    } while (this.#frames.size > 0);
  }

  #release(frameId: FrameId): void {
    this.#queue = this.#queue.filter((work) => frameIdOf(work) !== frameId);
    this.#frames.get(frameId)?.abort(new RenderError('FRAME_CANCELLED', 'the frame was released'));
    this.#frames.delete(frameId);
    this.#chiplet.releaseFrame(frameId);
    if (this.#frames.size === 0) for (const wake of this.#releaseWaiters.splice(0)) wake();
  }

  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    setImmediate(() => {
      this.#workOnce().catch((error) => this.#connection.close(`answering failed: ${error}`));
    });
  }

  async #workOnce(): Promise<void> {
    const work = this.#queue.shift();
    if (work !== undefined) await this.#answer(work);
    this.#isWorking = false;
    if (this.#queue.length > 0) this.#work();
    else for (const wake of this.#idleWaiters.splice(0)) wake();
  }

  async #answer(work: Work): Promise<void> {
    const { requestId } = work;
    const { signal } = this.#abortOf(frameIdOf(work));
    try {
      const done = await raceRelease(
        work.type === 'renderBin' ? this.#renderBin(work) : this.#computeVisibility(work, signal),
        signal,
      );
      this.#onWork(this.#describe(work));
      this.#connection.send(done);
      await this.#connection.drained();
    } catch (error) {
      // The caller that released the frame does not expect an answer.
      if (signal.aborted) return;
      if (!(error instanceof RenderError)) this.#onBug(error, this.#describe(work));
      const type = work.type === 'renderBin' ? 'binFailed' : 'visibilityFailed';
      const trace = this.#traces.of(frameIdOf(work));
      this.#connection.send({ type, ...trace, requestId, error: toWireError(error) });
    }
  }

  async #renderBin({ requestId, request }: MessageOf<'renderBin'>): Promise<Message> {
    const result = await this.#chiplet.renderBin(request);
    return { type: 'binDone', ...this.#traces.of(request.frameId), requestId, result };
  }

  #describe(work: Work): FinishedWork {
    const { frameId, passIndex } = work.type === 'renderBin' ? work.request : work;
    const bin = work.type === 'renderBin' ? { binId: work.request.binId } : {};
    return { work: work.type, frameId, passIndex, ...bin, ...this.#traces.of(frameId) };
  }

  async #computeVisibility(
    { requestId, frameId, passIndex, commands }: MessageOf<'computeVisibility'>,
    signal: AbortSignal,
  ): Promise<Message> {
    const frame = await this.#resources.completeFrame(
      commands,
      (resources) => this.#connection.send({ type: 'resourcesMissing', resources }),
      signal,
    );
    const summary = await this.#chiplet.computeVisibility(frameId, frame, passIndex);
    return { type: 'visibilityDone', ...this.#traces.of(frameId), requestId, summary };
  }

  #abortOf(frameId: FrameId): AbortController {
    const known = this.#frames.get(frameId);
    if (known !== undefined) return known;
    const controller = new AbortController();
    this.#frames.set(frameId, controller);
    return controller;
  }
}

function frameIdOf(work: Work): FrameId {
  return work.type === 'renderBin' ? work.request.frameId : work.frameId;
}

/**
 * Returns a promise like `promise` that rejects immediately when the frame is released, because a
 * bin may be waiting for its broadcast.
 */
function raceRelease<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const released = () => reject(signal.reason);
    signal.addEventListener('abort', released, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', released));
  });
}
