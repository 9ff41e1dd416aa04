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
import type { Connection } from './connection.ts';
import type { Message } from './messages.ts';
import { FrameResources, ResourceSender } from './resource-sender.ts';
import { fromWireError } from './wire-error.ts';

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
}

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
  readonly #pendingById = new Map<number, PendingVisibility | PendingBin>();
  #nextRequestId = 0;
  #cancelTimer: (() => void) | null = null;
  #lostFor: string | null = null;
  #binsDone = 0;

  constructor(options: RemoteChipletOptions) {
    this.id = options.id;
    this.#connection = options.connection;
    this.#answerWithinMs = options.answerWithinMs;
    this.#startTimer = options.startTimer ?? startRealTimer;
    this.#sender = new ResourceSender(options.connection);
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
      this.#connection.send({ type: 'computeVisibility', requestId, frameId, passIndex, commands });
    });
    const [summary] = await Promise.all([answer, sent]);
    return summary;
  }

  renderBin(request: RenderBinRequest): Promise<BinResult> {
    const requestId = this.#nextRequestId++;
    return new Promise((resolve, reject) => {
      this.#await(requestId, { kind: 'bin', frameId: request.frameId, request, resolve, reject });
      this.#connection.send({ type: 'renderBin', requestId, request });
    });
  }

  /** Outstanding requests of the frame fail with FRAME_CANCELLED: nobody answers them any more. */
  releaseFrame(frameId: FrameId): void {
    this.#connection.send({ type: 'releaseFrame', frameId });
    for (const [requestId, pending] of this.#pendingById) {
      if (pending.frameId !== frameId) continue;
      this.#pendingById.delete(requestId);
      pending.reject(new RenderError('FRAME_CANCELLED', `frame ${frameId} was released`));
    }
    this.#restartTimer();
  }

  /** Takes a message that the chiplet sent. An answer to no question closes the connection. */
  receive(message: Message): void {
    switch (message.type) {
      case 'visibilityDone':
        this.#settle(message.requestId, 'visibility', (pending) => {
          if (message.summary.passIndex !== pending.passIndex) return false;
          pending.resolve(message.summary);
          return true;
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
          if (!isAsked) return false;
          this.#binsDone++;
          pending.resolve(message.result);
          return true;
        });
        return;
      case 'visibilityFailed':
        this.#settle(message.requestId, 'visibility', (pending) => {
          pending.reject(fromWireError(message.error));
          return true;
        });
        return;
      case 'binFailed':
        this.#settle(message.requestId, 'bin', (pending) => {
          pending.reject(fromWireError(message.error));
          return true;
        });
        return;
      case 'resourcesMissing':
        for (const pending of this.#pendingById.values()) {
          if (pending.kind !== 'visibility') continue;
          this.#sender.resend(message.resources, pending.resources).then(() => {
            pending.resources.dropEncoded();
          });
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

  /** @param take Settles the request; gives `false` if the answer does not fit the question. */
  #settle<Kind extends 'visibility' | 'bin'>(
    requestId: number,
    kind: Kind,
    take: (pending: Extract<PendingVisibility | PendingBin, { kind: Kind }>) => boolean,
  ): void {
    const pending = this.#pendingById.get(requestId);
    // The answer to a request of a frame that was released meanwhile.
    if (pending === undefined && requestId < this.#nextRequestId) return;
    if (pending?.kind !== kind) {
      this.#connection.close(`malformed message: answer to no ${kind} request (${requestId})`);
      return;
    }
    // The kind was compared above.
    if (!take(pending as Extract<PendingVisibility | PendingBin, { kind: Kind }>)) {
      this.#connection.close(`malformed message: answer to another question (${requestId})`);
      return;
    }
    this.#pendingById.delete(requestId);
    this.#restartTimer();
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
