/**
 * Registry of the connected chiplets. A connection registers with `hello`. Chiplet 0 is the
 * visibility chiplet; workers get the lowest free number from 1. A worker takes part in frames that
 * start after it is ready. When a chiplet is lost, its requests fail with CHIPLET_LOST. A worker
 * that answers wrongly, or fails bins that others complete, is suspended for a while. A worker
 * that returns a wrong result is quarantined at once.
 */
import { type BinResult, type Chiplet, type ChipletId, RenderError } from '@tessera/frame';
import { HostTrust } from '@tessera/multi-chiplet/rendering';
import {
  type Connection,
  FrameTraces,
  isSilence,
  type MessageOf,
  PROTOCOL_VERSION,
  type RejectedAnswer,
  RemoteChiplet,
} from '@tessera/wire';
import type { Logger } from 'pino';
import type { EventLog } from '../observe/event-log.ts';
import { ChipletActivity, type CurrentWork, type FinishedBin } from './chiplet-activity.ts';
import { recordIdOf } from './frame-blame.ts';
import { type ChipletStatus, describeChiplet, type Registered } from './registered-chiplet.ts';

const ANNOUNCE_EVERY_MS = 100;
const HELLO_WITHIN_MS = 10_000;
/** Number of faults that suspends a worker. */
const MAX_FAULTS = 3;

/** Services and limits of a {@link ChipletRegistry}. */
export interface ChipletRegistryOptions {
  readonly log: Logger;
  readonly events: EventLog;
  readonly answerWithinMs: number;
  readonly heartbeatMs: number;
  /** Time without incoming bytes after which a chiplet is lost. */
  readonly silentMs: number;
  /** Time for which a worker with too many faults gets no work. */
  readonly setAsideMs: number;
  /** Time for which a worker that returned a wrong result gets no work. */
  readonly quarantineMs: number;
  readonly isVisibilityChipletRendering: boolean;
  /** Called for each rejected answer. */
  readonly onRejected?: (why: RejectedAnswer) => void;
  /**
   * Called for each lost chiplet with the work that may have crashed it, or null. The loss of an
   * untrusted chiplet is no evidence against a frame, because trusted chiplets render the same
   * work.
   */
  readonly onLost?: (work: CurrentWork | null, isEvidence: boolean) => void;
  /** Called when the process of a lost chiplet reconnects, so its work did not crash it. */
  readonly onSurvived?: (work: CurrentWork) => void;
  /** Receives the time that a chiplet spent on a frame; see {@link ActivityListener.onWorked}. */
  readonly onWorked?: (frameId: string, seconds: number) => void;
}

/** Chiplets of one frame. */
export interface FrameChiplets {
  /**
   * Chiplets whose ids are their indices here, so that gaps in the service's ids do not appear in a
   * report. Index 0 is the visibility chiplet.
   */
  readonly chiplets: readonly Chiplet[];
  /**
   * Aborted when the visibility chiplet is lost, because workers that lag behind never receive its
   * broadcasts.
   */
  readonly visibilityLost: AbortSignal;
}

/** Conditions of a wait for the chiplets of a frame. */
export interface SelectionWait {
  readonly maxChiplets: number;
  /**
   * Number of chiplets to wait for until `wantedWithinMs` is over. A restarted frame wants as many
   * as before.
   */
  readonly wantedChiplets: number;
  readonly wantedWithinMs: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** Upper bound on lost chiplets whose return is awaited. */
const MAX_REMEMBERED_LOSSES = 1000;

/** Connected chiplets, and the choice of chiplets for frames. */
export class ChipletRegistry {
  readonly #options: ChipletRegistryOptions;
  /** Trace ids of the frames in progress. */
  readonly traces = new FrameTraces();
  readonly #connections = new Set<Connection>();
  readonly #registeredById = new Map<ChipletId, Registered>();
  /** Chiplets whose status is about to be published. */
  readonly #changed = new Set<Registered>();
  /** Registration of each chiplet that `select` returned. */
  readonly #registeredByChiplet = new WeakMap<Chiplet, Registered>();
  /** Work of lost chiplets by instance, because the same process may reconnect. */
  readonly #lostWorkByInstance = new Map<string, CurrentWork>();
  #waiters: (() => void)[] = [];
  #isClosing = false;

  constructor(options: ChipletRegistryOptions) {
    this.#options = options;
  }

  /** Accepts a new connection. */
  accept(connection: Connection): void {
    const { log } = this.#options;
    let registered: Registered | null = null;
    this.#connections.add(connection);
    const helloTimer = setTimeout(
      () => connection.close(`no hello within ${HELLO_WITHIN_MS} ms`),
      HELLO_WITHIN_MS,
    );
    helloTimer.unref();
    const { heartbeatMs, silentMs } = this.#options;
    connection.startHeartbeat(heartbeatMs, Math.ceil(silentMs / heartbeatMs));
    connection.listen({
      onMessage: (message) => {
        clearTimeout(helloTimer);
        if (registered === null) {
          if (message.type === 'hello') registered = this.#register(connection, message);
          else connection.close(`malformed message: ${message.type} before hello`);
        } else if (message.type === 'ready') {
          registered.isReady = message.isReady;
          this.#announce(registered);
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

  /** Reports the time of all requests in progress so far to `onWorked`. */
  charge(): void {
    for (const { activity } of this.#registeredById.values()) activity.charge();
  }

  /** Returns all registered chiplets by number. */
  list(): ChipletStatus[] {
    return [...this.#registeredById.values()].sort((a, b) => a.id - b.id).map(describeChiplet);
  }

  /**
   * Returns the number of chiplets for a frame that starts at this moment, or null if it cannot
   * start.
   */
  countReady(): number | null {
    return this.select(Number.POSITIVE_INFINITY)?.chiplets.length ?? null;
  }

  /** Returns the chiplets for a frame that starts at this moment, or null if it cannot start. */
  select(maxChiplets: number): FrameChiplets | null {
    const ready = [...this.#registeredById.values()]
      .filter(({ isReady, setAsideUntilMs }) => isReady && setAsideUntilMs === null)
      .sort((a, b) => a.id - b.id);
    const visibility = ready.find(({ hello }) => hello.role === 'visibility');
    if (visibility === undefined) return null;
    const workers = ready.filter(({ hello }) => hello.role === 'worker');
    const chosen = [visibility, ...workers].slice(0, Math.max(1, maxChiplets));
    if (chosen.length === 1 && !this.#options.isVisibilityChipletRendering) return null;
    const chiplets = chosen.map((registered, index) => {
      const chiplet = registered.activity.chipletOf(index);
      this.#registeredByChiplet.set(chiplet, registered);
      return chiplet;
    });
    return { chiplets, visibilityLost: visibility.lost.signal };
  }

  /** Counts a fault of a chiplet that {@link select} returned. */
  reportFault(chiplet: Chiplet, reason: string): void {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined) return;
    this.#options.onRejected?.('wrong');
    this.#addFault(registered, reason);
  }

  /**
   * Returns the trust in a chiplet that {@link select} returned: the same object for all frames.
   */
  trustOf(chiplet: Chiplet): HostTrust {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined)
      throw new Error(`chiplet ${chiplet.id} belongs to another registry`);
    return registered.trust;
  }

  /**
   * Quarantines a chiplet that {@link select} returned, because its result was wrong. A visibility
   * chiplet has no substitute, so it must reconnect.
   */
  quarantine(chiplet: Chiplet, reason: string): void {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined) return;
    const { log, quarantineMs } = this.#options;
    const { id, hello, remote, connection } = registered;
    const { binsDone } = remote;
    const { instance } = hello;
    log.error({ chipletId: id, instance, reason, binsDone, quarantineMs }, 'chiplet quarantined');
    registered.faults++;
    if (hello.role === 'visibility') connection.close(`quarantined: ${reason}`);
    else this.#suspend(registered, quarantineMs);
  }

  /** Publishes a bin that a chiplet of {@link select} finished. */
  publishBin(chiplet: Chiplet, { frameId, passIndex, binId, cycles }: BinResult): void {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined) return;
    const bin: FinishedBin = { frameId, passIndex, binId, chiplet: registered.id, cycles };
    this.#options.events.publish('bin', recordIdOf(frameId), bin);
  }

  /**
   * Waits for the chiplets of a frame; see {@link select}.
   *
   * @throws {RenderError} NO_CHIPLETS when the time has expired; FRAME_CANCELLED when `signal` is
   *   aborted.
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
          `no visibility chiplet, or no chiplet that renders bins, connected within ${withinMs} ms`,
        );
      }
      await this.#change([timeUp, wantedTimeUp, signal]);
    }
  }

  /** Ends all requests of a rendering and its passes. */
  releaseRendering(renderingId: string): void {
    for (const { remote } of this.#registeredById.values()) remote.releaseRendering(renderingId);
  }

  /** Closes all connections. */
  close(reason: string): void {
    this.#isClosing = true;
    for (const connection of [...this.#connections]) connection.close(reason);
  }

  #register(connection: Connection, hello: MessageOf<'hello'>): Registered | null {
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      connection.close(`protocol version ${hello.protocolVersion}; expected ${PROTOCOL_VERSION}`);
      return null;
    }
    const isVisibility = hello.role === 'visibility';
    if (isVisibility && this.#registeredById.has(0)) {
      connection.close('a visibility chiplet is already connected');
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
    const remote = new RemoteChiplet({
      id,
      connection,
      answerWithinMs,
      traces: this.traces,
      onRejected: (why, detail) => {
        this.#options.onRejected?.(why);
        // A late answer, which no request waits for, is not a fault.
        if (why !== 'late') this.#addFault(registered, `${why} answer: ${detail}`);
      },
    });
    const activity = new ChipletActivity(remote, {
      onChange: () => this.#announce(registered),
      // Suspended workers get no more bins. A worker that leaves finishes its bins; one without the
      // crosslink could not render more. The visibility chiplet finishes the frames that have
      // started, because no other may be able to.
      isTakingBins: () =>
        registered.setAsideUntilMs === null && (registered.isReady || isVisibility),
      onWorked: (frameId, seconds) => this.#options.onWorked?.(frameId, seconds),
      onLost: (work) => {
        registered.lostAt = work;
      },
    });
    const registered: Registered = {
      id,
      hello,
      connection,
      remote,
      activity,
      // The visibility phase determines the work of all other chiplets and cannot be checked by
      // them.
      trust: new HostTrust(isVisibility),
      lost: new AbortController(),
      isReady: false,
      faults: 0,
      setAsideUntilMs: null,
      lostAt: null,
    };
    const survivedWork = this.#lostWorkByInstance.get(hello.instance);
    this.#lostWorkByInstance.delete(hello.instance);
    if (survivedWork !== undefined) this.#options.onSurvived?.(survivedWork);
    this.#registeredById.set(id, registered);
    log.info({ chipletId: id, role: hello.role, instance: hello.instance }, 'chiplet joined');
    connection.send({ type: 'welcome', chipletId: id, crosslinkUrl: this.#crosslinkUrl() });
    if (isVisibility) this.#announceCrosslink();
    this.#announce(registered);
    return registered;
  }

  #unregister(registered: Registered, reason: string): void {
    const { id, hello, remote, lost } = registered;
    this.#registeredById.delete(id);
    const { log } = this.#options;
    const left = { chipletId: id, role: hello.role, reason };
    if (this.#isClosing) log.info(left, 'chiplet left');
    else log.warn(left, 'chiplet left');
    remote.connectionClosed(reason);
    lost.abort();
    // The requests fail in this turn of the event loop. The work of the chiplet is known after it.
    setImmediate(() => this.#reportLoss(registered, reason));
    this.#options.events.publish('chiplet', String(id), {
      id,
      role: hello.role,
      isConnected: false,
    });
    if (hello.role === 'visibility') this.#announceCrosslink();
  }

  #reportLoss({ hello, lostAt, trust }: Registered, reason: string): void {
    if (this.#isClosing) return;
    if (!trust.isTrusted && this.#hasTrustedRenderer()) {
      this.#options.onLost?.(null, false);
      return;
    }
    // A silent chiplet was halted or disconnected. A busy process still answers pings.
    const work = isSilence(reason) ? null : lostAt;
    this.#options.onLost?.(work, true);
    if (work === null) return;
    this.#lostWorkByInstance.set(hello.instance, work);
    if (this.#lostWorkByInstance.size > MAX_REMEMBERED_LOSSES) {
      this.#lostWorkByInstance.delete(this.#lostWorkByInstance.keys().next().value!);
    }
  }

  /**
   * Counts a fault. The third one suspends a worker; the visibility chiplet must reconnect instead.
   */
  #addFault(registered: Registered, reason: string): void {
    const { log, setAsideMs } = this.#options;
    const { id, hello, connection } = registered;
    registered.faults++;
    log.warn({ chipletId: id, instance: hello.instance, reason }, 'chiplet at fault');
    this.#announce(registered);
    if (registered.faults < MAX_FAULTS || registered.setAsideUntilMs !== null) return;
    if (hello.role === 'visibility') {
      connection.close(`${registered.faults} faults, the last one: ${reason}`);
      return;
    }
    log.error({ chipletId: id, instance: hello.instance, setAsideMs }, 'chiplet suspended');
    this.#suspend(registered, setAsideMs);
  }

  /** Stops giving work to a worker for a while. Extends a suspension that would end earlier. */
  #suspend(registered: Registered, durationMs: number): void {
    const untilMs = Date.now() + durationMs;
    if (untilMs <= (registered.setAsideUntilMs ?? 0)) return;
    registered.setAsideUntilMs = untilMs;
    this.#announce(registered);
    setTimeout(() => {
      if (registered.setAsideUntilMs !== untilMs) return;
      const { id } = registered;
      registered.setAsideUntilMs = null;
      registered.faults = 0;
      if (this.#registeredById.get(id) !== registered) return;
      this.#options.log.info({ chipletId: id }, 'chiplet gets work again');
      this.#announce(registered);
      this.#wakeWaiters();
    }, durationMs).unref();
  }

  #hasTrustedRenderer(): boolean {
    return [...this.#registeredById.values()].some(
      ({ hello, trust }) =>
        trust.isTrusted && (hello.role === 'worker' || this.#options.isVisibilityChipletRendering),
    );
  }

  /** Publishes the status of a chiplet, at most every {@link ANNOUNCE_EVERY_MS}. */
  #announce(registered: Registered): void {
    if (this.#changed.size === 0) {
      setTimeout(() => {
        const changed = [...this.#changed];
        this.#changed.clear();
        for (const one of changed) {
          if (this.#registeredById.get(one.id) !== one) continue;
          this.#options.events.publish('chiplet', String(one.id), describeChiplet(one));
        }
      }, ANNOUNCE_EVERY_MS).unref();
    }
    this.#changed.add(registered);
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

  /** Resolves when the set of ready chiplets changes, or when one of the signals is aborted. */
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
