/**
 * A chiplet in its own thread. The process's main thread then always has time for its links: it
 * answers pings, receives releases and broadcasts, and sends results. Silence on a link therefore
 * means that the process is halted or disconnected, never that it is busy.
 */
import { Worker } from 'node:worker_threads';
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  type Crosslink,
  type FrameBroadcast,
  type FrameId,
  type PreparedFrame,
  type RenderBinRequest,
  RenderError,
  StopWords,
  type VisibilitySummary,
} from '@tessera/frame';
import type { ThreadAnswer, ThreadData, ThreadError, ThreadRequest } from './thread-messages.ts';

/** Options of a {@link ThreadedChiplet}. */
export interface ThreadedChipletOptions {
  readonly id: ChipletId;
  /** URL of a file that calls `serveChipletThread`. */
  readonly threadUrl: URL;
  /** Setup that the file receives in its {@link ThreadData}. */
  readonly threadSetup: unknown;
  /** Crosslink from chiplet 0 to the others; `null` for a worker. */
  readonly crosslink: Crosslink | null;
  /**
   * Called when the thread ends by itself or does not stop after a release. The chiplet cannot be
   * used afterwards.
   */
  readonly onDied: (reason: Error) => void;
  /** Maximum time for which the thread may continue with work on a released frame. */
  readonly releasedWithinMs?: number;
}

const RELEASED_WITHIN_MS = 60_000;

interface Call {
  readonly frameId: FrameId;
  readonly resolve: (value: BinResult | VisibilitySummary) => void;
  readonly reject: (error: Error) => void;
}

/** A chiplet in its own thread. */
export class ThreadedChiplet implements Chiplet {
  readonly id: ChipletId;
  readonly #options: ThreadedChipletOptions;
  readonly #thread: Worker;
  readonly #calls = new Map<number, Call>();
  /** Frames whose visibility phase is running, for the broadcast at its end. */
  readonly #frames = new Map<FrameId, PreparedFrame>();
  /** Tickets of the frames for which work was requested. */
  readonly #tickets = new Map<FrameId, number>();
  readonly #stopWords = new StopWords();
  #nextTicket = 1;
  #nextCall = 0;
  #isClosed = false;

  constructor(options: ThreadedChipletOptions) {
    this.id = options.id;
    this.#options = options;
    const workerData: ThreadData<unknown> = {
      setup: options.threadSetup,
      stopMemory: this.#stopWords.memory,
    };
    this.#thread = new Worker(options.threadUrl, { workerData });
    this.#thread.on('message', (answer: ThreadAnswer) => this.#receive(answer));
    this.#thread.on('error', (error: unknown) => {
      this.#died(error instanceof Error ? error : new Error(String(error)));
    });
    this.#thread.on('exit', (code) =>
      this.#died(new Error(`the thread exited with status ${code}`)),
    );
  }

  async computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    this.#frames.set(frameId, frame);
    try {
      const value = await this.#call(frameId, (call, ticket) => ({
        kind: 'visibility',
        call,
        ticket,
        frameId,
        frame,
        passIndex,
      }));
      return value as VisibilitySummary; // the thread's answer to such a call
    } finally {
      this.#frames.delete(frameId);
    }
  }

  async renderBin(request: RenderBinRequest): Promise<BinResult> {
    const value = await this.#call(request.frameId, (call, ticket) => ({
      kind: 'bin',
      call,
      ticket,
      request,
    }));
    return value as BinResult; // the thread's answer to such a call
  }

  receiveBroadcast(broadcast: FrameBroadcast): void {
    this.#send({ kind: 'receive', broadcast });
  }

  releaseFrame(frameId: FrameId): void {
    const ticket = this.#tickets.get(frameId);
    if (ticket !== undefined) this.#stopWords.stop(ticket);
    this.#tickets.delete(frameId);
    this.#send({ kind: 'release', frameId });
    const pending = [...this.#calls].filter(([, call]) => call.frameId === frameId);
    if (pending.length === 0) return;
    const { releasedWithinMs = RELEASED_WITHIN_MS } = this.#options;
    setTimeout(() => {
      // Calls are executed in order. If the oldest pending call belongs to the frame, the thread
      // has not stopped.
      const [oldest] = this.#calls;
      if (oldest === undefined || !pending.some(([call]) => call === oldest[0])) return;
      this.#died(
        new Error(
          `the thread is still working on frame ${frameId}, which was released ${releasedWithinMs} ms ago`,
        ),
      );
    }, releasedWithinMs).unref();
  }

  /** Terminates the thread, even during work. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.terminate();
    this.#failAll(new RenderError('CHIPLET_LOST', `chiplet ${this.id} was closed`));
  }

  #call(
    frameId: FrameId,
    makeRequest: (call: number, ticket: number) => ThreadRequest,
  ): Promise<BinResult | VisibilitySummary> {
    const call = this.#nextCall++;
    const ticket = this.#tickets.get(frameId) ?? this.#nextTicket++;
    this.#tickets.set(frameId, ticket);
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { frameId, resolve, reject });
      this.#send(makeRequest(call, ticket));
    });
  }

  #send(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #receive(answer: ThreadAnswer): void {
    if (answer.kind === 'broadcast') {
      this.#broadcast(answer).catch((error) => this.#died(error as Error));
      return;
    }
    const call = this.#calls.get(answer.call);
    this.#calls.delete(answer.call);
    if (answer.kind === 'done') call?.resolve(answer.value);
    else call?.reject(makeError(answer.error));
  }

  async #broadcast({
    frameId,
    visibility,
  }: Extract<ThreadAnswer, { kind: 'broadcast' }>): Promise<void> {
    const frame = this.#frames.get(frameId);
    if (frame !== undefined)
      await this.#options.crosslink?.broadcast({ frameId, frame, visibility });
    this.#send({ kind: 'sent', frameId });
  }

  #died(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#failAll(new RenderError('CHIPLET_LOST', `chiplet ${this.id}: ${reason.message}`));
    this.#options.onDied(reason);
  }

  #failAll(error: RenderError): void {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(error);
  }
}

function makeError({ code, message, stack }: ThreadError): Error {
  if (code !== null) return new RenderError(code, message);
  const bug = new Error(message);
  bug.stack = stack;
  return bug;
}
