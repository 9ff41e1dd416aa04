/**
 * A chiplet behind a connection, as the coordinator sees it. Requests that are outstanding when the
 * connection closes fail with CHIPLET_LOST, and with CHIPLET_TIMEOUT when the chiplet answers nothing
 * for too long; who asked runs them elsewhere.
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

/** Starts a timer and returns what cancels it. Injected, so that tests need not wait. */
export type StartTimer = (onElapsed: () => void, ms: number) => () => void;

const startRealTimer: StartTimer = (onElapsed, ms) => {
  const timer = setTimeout(onElapsed, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

export interface RemoteChipletOptions {
  readonly id: ChipletId;
  readonly connection: Connection;
  /** Longest time between two answers while requests are outstanding. */
  readonly answerWithinMs: number;
  readonly startTimer?: StartTimer;
  /** Of the frames that are given to it. */
  readonly traces?: FrameTraces;
  /** Told of each answer that was not taken. */
  readonly onRejected?: (why: RejectedAnswer, detail: string) => void;
}

/**
 * Why an answer is not taken: it is not what was asked for, the question was answered before, or nobody waits for it
 * any more, which is nobody's fault.
 */
export const REJECTED_ANSWERS = ['wrong', 'duplicate', 'late'] as const;
export type RejectedAnswer = (typeof REJECTED_ANSWERS)[number];

/** Released requests that are remembered, so that a late answer is told from a duplicate one. */
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

/** The {@link Chiplet} at the far end. Its owner listens to the connection and passes messages on. */
export class RemoteChiplet implements Chiplet {
  readonly id: ChipletId;
  readonly #connection: Connection;
  readonly #answerWithinMs: number;
  readonly #startTimer: StartTimer;
  readonly #sender: ResourceSender;
  readonly #onRejected: (why: RejectedAnswer, detail: string) => void;
  readonly #traces: FrameTraces;
  readonly #pendingById = new Map<number, PendingVisibility | PendingBin>();
  /** Requests of released frames whose answer may still be on its way. */
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

  /** What the chiplet works at, as far as requests tell. */
  get mode(): ChipletMode {
    for (const pending of this.#pendingById.values()) {
      return pending.kind === 'visibility' ? 'visibility' : 'coarse-bin-rendering';
    }
    return 'idle';
  }

  /** Requests without an answer. */
  get pendingCount(): number {
    return this.#pendingById.size;
  }

  /** Bins rendered since the chiplet connected. */
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
    // Sending may wait for the link; a failure meanwhile is `answer`'s, so both are awaited together.
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

  /** Releases a rendering and its passes, as far as something of them is outstanding. */
  releaseRendering(renderingId: string): void {
    const frameIds = new Set<FrameId>();
    for (const { frameId } of this.#pendingById.values()) {
      if (frameId === renderingId || frameId.startsWith(`${renderingId}/`)) frameIds.add(frameId);
    }
    for (const frameId of frameIds) this.releaseFrame(frameId);
  }

  /** Outstanding requests of the frame fail with FRAME_CANCELLED: nobody answers them any more. */
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

  /** Takes a message that the chiplet sent. An answer to no question closes the connection. */
  receive(message: Message): void {
    switch (message.type) {
      case 'visibilityDone':
        this.#settle(message.requestId, 'visibility', (pending) => {
          if (message.summary.passIndex !== pending.passIndex) return 'another pass';
          pending.resolve(message.summary);
          return null;
        });
        return;
      case 'binDone':
        this.#settle(message.requestId, 'bin', (pending) => {
          const { frameId, passIndex, binId } = message.result;
          const { request } = pending;
          const isAsked =
            frameId === request.frameId &&
            passIndex === request.passIndex &&
            binId === request.binId;
          if (!isAsked) return `bin ${binId} of ${frameId}, not ${request.binId}`;
          this.#binsDone++;
          pending.resolve(message.result);
          return null;
        });
        return;
      case 'visibilityFailed':
        this.#settle(message.requestId, 'visibility', (pending) => {
          pending.reject(fromWireError(message.error));
          return null;
        });
        return;
      case 'binFailed':
        this.#settle(message.requestId, 'bin', (pending) => {
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

  /** To be called when the connection closed: fails all that is outstanding and all that comes. */
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

  /** @param take Settles the request, or says what is wrong with the answer. */
  #settle<Kind extends 'visibility' | 'bin'>(
    requestId: number,
    kind: Kind,
    take: (pending: Extract<PendingVisibility | PendingBin, { kind: Kind }>) => string | null,
  ): void {
    const pending = this.#pendingById.get(requestId);
    if (pending === undefined && requestId < this.#nextRequestId) {
      const why = this.#releasedIds.delete(requestId) ? 'late' : 'duplicate';
      this.#onRejected(why, `${kind} request ${requestId}`);
      return;
    }
    if (pending?.kind !== kind) {
      this.#connection.close(`malformed message: answer to no ${kind} request (${requestId})`);
      return;
    }
    // The kind was compared above.
    const fault = take(pending as Extract<PendingVisibility | PendingBin, { kind: Kind }>);
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
