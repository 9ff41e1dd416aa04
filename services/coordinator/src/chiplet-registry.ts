/**
 * The chiplets that are connected. A connection registers by `hello`; chiplet 0 is the visibility
 * chiplet, workers get the lowest free number from 1. A worker takes part in frames that begin after it
 * is ready; one that is lost fails its requests with CHIPLET_LOST.
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
  type SpecSummary,
  type VisibilitySummary,
} from '@tessera/frame';
import {
  type ChipletRole,
  type Connection,
  type MessageOf,
  PROTOCOL_VERSION,
  RemoteChiplet,
} from '@tessera/wire';
import type { Logger } from 'pino';

const HELLO_WITHIN_MS = 10_000;
const HEARTBEAT_SILENT_LIMIT = 12;

export interface ChipletRegistryOptions {
  readonly log: Logger;
  readonly answerWithinMs: number;
  readonly heartbeatMs: number;
  readonly isVisibilityChipletRendering: boolean;
}

/** What `/v1/chiplets` shows. */
export interface ChipletStatus {
  readonly id: ChipletId;
  readonly role: ChipletRole;
  readonly instance: string;
  readonly spec: SpecSummary;
  readonly isReady: boolean;
  readonly mode: ChipletMode;
  readonly pendingRequests: number;
  readonly binsDone: number;
}

/** The chiplets of one frame. */
export interface FrameChiplets {
  readonly spec: SpecSummary;
  /** Index 0 is the visibility chiplet; ids are the indices, so that no gap in numbers shows in a report. */
  readonly chiplets: readonly Chiplet[];
}

/** How to wait for the chiplets of a frame. */
export interface SelectionWait {
  readonly maxChiplets: number;
  /** Fewer are only taken when `wantedWithinMs` are over: a frame begun again wants as many as before. */
  readonly wantedChiplets: number;
  readonly wantedWithinMs: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

interface Registered {
  readonly id: ChipletId;
  readonly hello: MessageOf<'hello'>;
  readonly connection: Connection;
  readonly remote: RemoteChiplet;
  isReady: boolean;
}

export class ChipletRegistry {
  readonly #options: ChipletRegistryOptions;
  readonly #connections = new Set<Connection>();
  readonly #registeredById = new Map<ChipletId, Registered>();
  #waiters: (() => void)[] = [];
  #isClosing = false;

  constructor(options: ChipletRegistryOptions) {
    this.#options = options;
  }

  /** Takes a fresh connection. */
  accept(connection: Connection): void {
    const { log } = this.#options;
    let registered: Registered | null = null;
    this.#connections.add(connection);
    const helloTimer = setTimeout(() => connection.close('no hello in time'), HELLO_WITHIN_MS);
    helloTimer.unref();
    connection.startHeartbeat(this.#options.heartbeatMs, HEARTBEAT_SILENT_LIMIT);
    connection.listen({
      onMessage: (message) => {
        clearTimeout(helloTimer);
        if (registered === null) {
          if (message.type === 'hello') registered = this.#register(connection, message);
          else connection.close(`malformed message: ${message.type} before hello`);
        } else if (message.type === 'ready') {
          registered.isReady = message.isReady;
          this.#wakeWaiters();
        } else {
          registered.remote.receive(message);
        }
      },
      onClose: (reason) => {
        clearTimeout(helloTimer);
        this.#connections.delete(connection);
        if (registered === null) log.warn({ peer: connection.peer, reason }, 'connection refused');
        else this.#unregister(registered, reason);
      },
    });
  }

  /** All registered chiplets by number. */
  list(): ChipletStatus[] {
    return [...this.#registeredById.values()]
      .sort((a, b) => a.id - b.id)
      .map(({ id, hello, isReady, remote }) => ({
        id,
        role: hello.role,
        instance: hello.instance,
        spec: hello.spec,
        isReady,
        mode: remote.mode,
        pendingRequests: remote.pendingCount,
        binsDone: remote.binsDone,
      }));
  }

  /** The chiplets that a frame which begins now can use, or `null` if it cannot be rendered now. */
  select(maxChiplets: number): FrameChiplets | null {
    const ready = [...this.#registeredById.values()]
      .filter(({ isReady }) => isReady)
      .sort((a, b) => a.id - b.id);
    const visibility = ready.find(({ hello }) => hello.role === 'visibility');
    if (visibility === undefined) return null;
    const { spec } = visibility.hello;
    const workers = ready.filter(
      ({ hello }) =>
        hello.role === 'worker' &&
        hello.spec.name === spec.name &&
        hello.spec.fineBinPx === spec.fineBinPx,
    );
    const chosen = [visibility, ...workers].slice(0, Math.max(1, maxChiplets));
    if (chosen.length === 1 && !this.#options.isVisibilityChipletRendering) return null;
    return { spec, chiplets: chosen.map(({ remote }, index) => new FrameChiplet(index, remote)) };
  }

  /**
   * As `select`, but waits for chiplets to connect.
   *
   * @throws {RenderError} NO_CHIPLETS when the time is up; FRAME_CANCELLED when `signal` is aborted.
   */
  async waitForSelection({
    maxChiplets,
    wantedChiplets,
    wantedWithinMs,
    withinMs,
    signal,
  }: SelectionWait): Promise<FrameChiplets> {
    const timeUp = AbortSignal.timeout(withinMs);
    const wantedTimeUp = AbortSignal.timeout(Math.min(withinMs, wantedWithinMs));
    for (;;) {
      if (signal.aborted) throw new RenderError('FRAME_CANCELLED', 'the frame was cancelled');
      const selected = this.select(maxChiplets);
      const hasEnough = selected !== null && selected.chiplets.length >= wantedChiplets;
      if (selected !== null && (hasEnough || wantedTimeUp.aborted)) return selected;
      if (timeUp.aborted) {
        throw new RenderError(
          'NO_CHIPLETS',
          `no visibility chiplet, or none that renders bins, within ${withinMs} ms`,
        );
      }
      await this.#change([timeUp, wantedTimeUp, signal]);
    }
  }

  /** Ends the requests of a frame wherever it is rendered. */
  releaseFrame(frameId: FrameId): void {
    for (const { remote } of this.#registeredById.values()) remote.releaseFrame(frameId);
  }

  /** Closes every connection. */
  close(reason: string): void {
    this.#isClosing = true;
    for (const connection of [...this.#connections]) connection.close(reason);
  }

  #register(connection: Connection, hello: MessageOf<'hello'>): Registered | null {
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      connection.close(`protocol version ${hello.protocolVersion}, not ${PROTOCOL_VERSION}`);
      return null;
    }
    const isVisibility = hello.role === 'visibility';
    if (isVisibility && this.#registeredById.has(0)) {
      connection.close('there is a visibility chiplet already');
      return null;
    }
    if (isVisibility !== (hello.crosslinkUrl !== null)) {
      connection.close(
        'malformed message: a visibility chiplet has a crosslink, a worker has none',
      );
      return null;
    }
    const id = isVisibility ? 0 : this.#lowestFreeWorkerId();
    const { answerWithinMs, log } = this.#options;
    const remote = new RemoteChiplet({ id, connection, answerWithinMs });
    const registered: Registered = { id, hello, connection, remote, isReady: false };
    this.#registeredById.set(id, registered);
    log.info({ chipletId: id, role: hello.role, instance: hello.instance }, 'chiplet joined');
    connection.send({ type: 'welcome', chipletId: id, crosslinkUrl: this.#crosslinkUrl() });
    if (isVisibility) this.#announceCrosslink();
    return registered;
  }

  #unregister({ id, hello, remote }: Registered, reason: string): void {
    this.#registeredById.delete(id);
    const { log } = this.#options;
    const left = { chipletId: id, role: hello.role, reason };
    if (this.#isClosing) log.info(left, 'chiplet left');
    else log.warn(left, 'chiplet left');
    remote.connectionClosed(reason);
    if (hello.role === 'visibility') this.#announceCrosslink();
  }

  #crosslinkUrl(): string | null {
    return this.#registeredById.get(0)?.hello.crosslinkUrl ?? null;
  }

  #announceCrosslink(): void {
    const crosslinkUrl = this.#crosslinkUrl();
    for (const { hello, connection } of this.#registeredById.values()) {
      if (hello.role === 'worker') connection.send({ type: 'crosslinkAddress', crosslinkUrl });
    }
  }

  #lowestFreeWorkerId(): ChipletId {
    let id = 1;
    while (this.#registeredById.has(id)) id++;
    return id;
  }

  /** Resolves when a chiplet becomes ready or not, or one of the signals is aborted. */
  async #change(signals: readonly AbortSignal[]): Promise<void> {
    const pending = signals.filter(({ aborted }) => !aborted);
    const changed = Promise.withResolvers<void>();
    this.#waiters.push(changed.resolve);
    const wake = () => changed.resolve();
    for (const signal of pending) signal.addEventListener('abort', wake);
    await changed.promise;
    for (const signal of pending) signal.removeEventListener('abort', wake);
  }

  #wakeWaiters(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

/** A chiplet under the number that it has within one frame. */
class FrameChiplet implements Chiplet {
  readonly id: ChipletId;
  readonly #chiplet: Chiplet;

  constructor(id: ChipletId, chiplet: Chiplet) {
    this.id = id;
    this.#chiplet = chiplet;
  }

  computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    return this.#chiplet.computeVisibility(frameId, frame, passIndex);
  }

  renderBin(request: RenderBinRequest): Promise<BinResult> {
    return this.#chiplet.renderBin(request);
  }

  releaseFrame(frameId: FrameId): void {
    this.#chiplet.releaseFrame(frameId);
  }
}
