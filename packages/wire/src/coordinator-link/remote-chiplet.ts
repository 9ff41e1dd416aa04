/**
 * A chiplet behind a connection, as the coordinator sees it. Pending requests fail with
 * CHIPLET_LOST when the connection closes, and with CHIPLET_TIMEOUT when the chiplet does not
 * respond for too long. The caller then runs them on another chiplet.
 */
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  type ChipletMode,
  type FrameId,
  type PreparedFrame,
  type RenderBinRequest,
  RenderError,
  type VisibilitySummary,
} from '@tessera/frame';
import type { Connection } from '../connection/connection.ts';
import { FrameTraces } from '../messages/frame-traces.ts';
import type { Message } from '../messages/messages.ts';
import { fromWireError } from '../messages/wire-error.ts';
import { FrameResources, ResourceSender } from '../resources/resource-sender.ts';

/** Starts a timer and returns a function that cancels it. Injected, so that tests need not wait. */
export type StartTimer = (onElapsed: () => void, ms: number) => () => void;

const startRealTimer: StartTimer = (onElapsed, ms) => {
  const timer = setTimeout(onElapsed, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Options of a {@link RemoteChiplet}. */
export interface RemoteChipletOptions {
  readonly id: ChipletId;
  readonly connection: Connection;
  /** Maximum time between two answers while requests are pending. */
  readonly answerWithinMs: number;
  readonly startTimer?: StartTimer;
  /** Trace ids of the frames that the chiplet renders. */
  readonly traces?: FrameTraces;
  /** Called for each rejected answer. */
  readonly onRejected?: (why: RejectedAnswer, detail: string) => void;
}

/**
 * Reasons to reject an answer: it does not match the request, the request was answered before, or
 * the request was released in the meantime, which is not a fault.
 */
export const REJECTED_ANSWERS = ['wrong', 'duplicate', 'late'] as const;
/** Reason to reject an answer, one of {@link REJECTED_ANSWERS}. */
export type RejectedAnswer = (typeof REJECTED_ANSWERS)[number];

/**
 * Maximum number of released requests to remember. They distinguish a late answer from a duplicate
 * one.
 */
const MAX_REMEMBERED_RELEASES = 4096;

interface PendingVisibility {
  readonly kind: 'visibility';
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly resources: FrameResources;
  readonly resolve: (summary: VisibilitySummary) => void;
  readonly reject: (error: RenderError) => void;
}

interface PendingBin {
  readonly kind: 'bin';
  readonly frameId: FrameId;
  readonly request: RenderBinRequest;
  readonly resolve: (result: BinResult) => void;
  readonly reject: (error: RenderError) => void;
}

/**
 * The {@link Chiplet} at the other end of a connection. Its owner listens to the connection and
 * forwards messages to it.
 */
export class RemoteChiplet implements Chiplet {
  readonly id: ChipletId;
  readonly #connection: Connection;
  readonly #answerWithinMs: number;
  readonly #startTimer: StartTimer;
  readonly #sender: ResourceSender;
  readonly #onRejected: (why: RejectedAnswer, detail: string) => void;
  readonly #traces: FrameTraces;
  readonly #pendingById = new Map<number, PendingVisibility | PendingBin>();
  /** Requests of released frames that may still be answered. */
  readonly #releasedIds = new Set<number>();
  #nextRequestId = 0;
  #cancelTimer: (() => void) | null = null;
  #lostFor: string | null = null;
  #binsDone = 0;

  constructor(options: RemoteChipletOptions) {
    this.id = options.id;
    this.#connection = options.connection;
    this.#answerWithinMs = options.answerWithinMs;
    this.#startTimer = options.startTimer ?? startRealTimer;
    this.#onRejected = options.onRejected ?? (() => {});
    this.#sender = new ResourceSender(options.connection);
    this.#traces = options.traces ?? new FrameTraces();
  }

  /** Mode of the chiplet, derived from the pending requests. */
  get mode(): ChipletMode {
    for (const pending of this.#pendingById.values()) {
      return pending.kind === 'visibility' ? 'visibility' : 'coarse-bin-rendering';
    }
    return 'idle';
  }

  /** Number of requests without an answer. */
  get pendingCount(): number {
    return this.#pendingById.size;
  }

  /** Number of bins rendered since the chiplet connected. */
  get binsDone(): number {
    return this.#binsDone;
  }

  async computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    const resources = new FrameResources(frame);
    const requestId = this.#nextRequestId++;
    const answer = new Promise<VisibilitySummary>((resolve, reject) => {
      this.#await(requestId, {
        kind: 'visibility',
        frameId,
        passIndex,
        resources,
        resolve,
        reject,
      });
    });
    // Sending may wait for the link. A failure in the meantime rejects `answer`, so both are
    // awaited together.
    const sent = this.#sender.sendMissing(frame.commands, resources).then(() => {
      resources.dropEncoded();
      if (!this.#pendingById.has(requestId)) return;
      const { commands } = frame;
      const trace = this.#traces.of(frameId);
      this.#connection.send({
        type: 'computeVisibility',
        ...trace,
        requestId,
        frameId,
        passIndex,
        commands,
      });
    });
    const [summary] = await Promise.all([answer, sent]);
    return summary;
  }

  renderBin(request: RenderBinRequest): Promise<BinResult> {
    const requestId = this.#nextRequestId++;
    return new Promise((resolve, reject) => {
      this.#await(requestId, { kind: 'bin', frameId: request.frameId, request, resolve, reject });
      const trace = this.#traces.of(request.frameId);
      this.#connection.send({ type: 'renderBin', ...trace, requestId, request });
    });
  }

  /** Releases a rendering and its passes that have pending requests. */
  releaseRendering(renderingId: string): void {
    const frameIds = new Set<FrameId>();
    for (const { frameId } of this.#pendingById.values()) {
      if (frameId === renderingId || frameId.startsWith(`${renderingId}/`)) frameIds.add(frameId);
    }
    for (const frameId of frameIds) this.releaseFrame(frameId);
  }

  /**
   * Releases the frame. Its pending requests fail with FRAME_CANCELLED because the chiplet does not
   * answer them anymore.
   */
  releaseFrame(frameId: FrameId): void {
    this.#connection.send({ type: 'releaseFrame', ...this.#traces.of(frameId), frameId });
    for (const [requestId, pending] of this.#pendingById) {
      if (pending.frameId !== frameId) continue;
      this.#pendingById.delete(requestId);
      this.#rememberReleased(requestId);
      pending.reject(new RenderError('FRAME_CANCELLED', `frame ${frameId} was released`));
    }
    this.#restartTimer();
  }

  /** Processes a message from the chiplet. An answer without a request closes the connection. */
  receive(message: Message): void {
    switch (message.type) {
      case 'visibilityDone':
        this.#complete(message.requestId, 'visibility', (pending) => {
          if (message.summary.passIndex !== pending.passIndex)
            return `pass ${message.summary.passIndex} instead of ${pending.passIndex}`;
          pending.resolve(message.summary);
          return null;
        });
        return;
      case 'binDone':
        this.#complete(message.requestId, 'bin', (pending) => {
          const { frameId, passIndex, binId } = message.result;
          const { request } = pending;
          const isAsked =
            frameId === request.frameId &&
            passIndex === request.passIndex &&
            binId === request.binId;
          if (!isAsked)
            return `bin ${binId} of ${frameId} instead of bin ${request.binId} of ${request.frameId}`;
          this.#binsDone++;
          pending.resolve(message.result);
          return null;
        });
        return;
      case 'visibilityFailed':
        this.#complete(message.requestId, 'visibility', (pending) => {
          pending.reject(fromWireError(message.error));
          return null;
        });
        return;
      case 'binFailed':
        this.#complete(message.requestId, 'bin', (pending) => {
          pending.reject(fromWireError(message.error));
          return null;
        });
        return;
      case 'resourcesMissing':
        for (const pending of this.#pendingById.values()) {
          if (pending.kind !== 'visibility') continue;
          this.#sender.resend(message.resources, pending.resources).then(
            () => pending.resources.dropEncoded(),
            (error) => this.#connection.close(`sending resources failed: ${error}`),
          );
        }
        return;
      default:
        this.#connection.close(`malformed message: ${message.type} from a registered chiplet`);
    }
  }

  /** Fails all pending and future requests. The owner must call this when the connection closes. */
  connectionClosed(reason: string): void {
    this.#lostFor = reason;
    this.#failAll(new RenderError('CHIPLET_LOST', `chiplet ${this.id}: ${reason}`));
  }

  #await(requestId: number, pending: PendingVisibility | PendingBin): void {
    if (this.#lostFor !== null) {
      pending.reject(new RenderError('CHIPLET_LOST', `chiplet ${this.id}: ${this.#lostFor}`));
      return;
    }
    this.#pendingById.set(requestId, pending);
    if (this.#cancelTimer === null) this.#restartTimer();
  }

  /** @param complete Resolves or rejects the request, or returns what is wrong with the answer. */
  #complete<Kind extends 'visibility' | 'bin'>(
    requestId: number,
    kind: Kind,
    complete: (pending: Extract<PendingVisibility | PendingBin, { kind: Kind }>) => string | null,
  ): void {
    const pending = this.#pendingById.get(requestId);
    if (pending === undefined && requestId < this.#nextRequestId) {
      const why = this.#releasedIds.delete(requestId) ? 'late' : 'duplicate';
      this.#onRejected(why, `${kind} request ${requestId}`);
      return;
    }
    if (pending?.kind !== kind) {
      this.#connection.close(`malformed message: no ${kind} request ${requestId} is pending`);
      return;
    }
    // The kind was compared above.
    const fault = complete(pending as Extract<PendingVisibility | PendingBin, { kind: Kind }>);
    this.#pendingById.delete(requestId);
    this.#restartTimer();
    if (fault === null) return;
    this.#onRejected('wrong', fault);
    const what = `chiplet ${this.id}: answer to another question: ${fault}`;
    pending.reject(new RenderError('CHIPLET_LOST', what));
  }

  #rememberReleased(requestId: number): void {
    this.#releasedIds.add(requestId);
    if (this.#releasedIds.size > MAX_REMEMBERED_RELEASES) {
      this.#releasedIds.delete(this.#releasedIds.values().next().value!);
    }
  }

  #restartTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#pendingById.size === 0) return;
    this.#cancelTimer = this.#startTimer(() => {
      const problem = `no answer for ${this.#answerWithinMs} ms`;
      this.#failAll(new RenderError('CHIPLET_TIMEOUT', `chiplet ${this.id}: ${problem}`));
      this.#connection.close(problem);
    }, this.#answerWithinMs);
  }

  #failAll(error: RenderError): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const failed = [...this.#pendingById.values()];
    this.#pendingById.clear();
    for (const pending of failed) pending.reject(error);
  }
}
