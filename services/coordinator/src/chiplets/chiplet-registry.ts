/**
 * The chiplets that are connected. A connection registers by `hello`; chiplet 0 is the visibility
 * chiplet, workers get the lowest free number from 1. A worker takes part in frames that begin after it
 * is ready; one that is lost fails its requests with CHIPLET_LOST. A worker that answers wrongly, or fails
 * at what others do, is set aside for a while; one that gives a wrong result is quarantined at once.
 */
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  RenderError,
  type SpecSummary,
} from '@tessera/frame';
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
/** A worker with this many faults is set aside. */
const MAX_FAULTS = 3;

export interface ChipletRegistryOptions {
  readonly log: Logger;
  readonly events: EventLog;
  readonly answerWithinMs: number;
  readonly heartbeatMs: number;
  /** Without a sign of life for this long a chiplet is lost. */
  readonly silentMs: number;
  /** How long a worker with too many faults gets no work. */
  readonly setAsideMs: number;
  /** How long a worker that gave a wrong result gets no work. */
  readonly quarantineMs: number;
  readonly isVisibilityChipletRendering: boolean;
  /** Told of each answer that was not taken. */
  readonly onRejected?: (why: RejectedAnswer) => void;
  /**
   * Told of each chiplet that is lost: what it worked at, as far as that may be why; null otherwise. A loss is no
   * evidence for or against a frame when the chiplet was not trusted: others rendered the same.
   */
  readonly onLost?: (work: CurrentWork | null, isEvidence: boolean) => void;
  /** Told when the process of a lost chiplet is still there: what it worked at was not its end. */
  readonly onSurvived?: (work: CurrentWork) => void;
}

/** The chiplets of one frame. */
export interface FrameChiplets {
  readonly spec: SpecSummary;
  /** Index 0 is the visibility chiplet; ids are the indices, so that no gap in numbers shows in a report. */
  readonly chiplets: readonly Chiplet[];
  /** Aborted when the visibility chiplet goes: what it broadcast, workers that lag behind will never have. */
  readonly visibilityLost: AbortSignal;
}

/** How to wait for the chiplets of a frame. */
export interface SelectionWait {
  /** Preset that the chiplets must have; `null`: the one they were started with. */
  readonly specName: string | null;
  readonly maxChiplets: number;
  /** Fewer are only taken when `wantedWithinMs` are over: a frame begun again wants as many as before. */
  readonly wantedChiplets: number;
  readonly wantedWithinMs: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** Lost chiplets whose return is waited for. */
const MAX_REMEMBERED_LOSSES = 1000;

export class ChipletRegistry {
  readonly #options: ChipletRegistryOptions;
  /** Of the frames that are given to chiplets. */
  readonly traces = new FrameTraces();
  readonly #connections = new Set<Connection>();
  readonly #registeredById = new Map<ChipletId, Registered>();
  /** Chiplets whose state is to be published. */
  readonly #changed = new Set<Registered>();
  /** By the chiplets that `select` gave. */
  readonly #registeredByChiplet = new WeakMap<Chiplet, Registered>();
  /** What lost chiplets worked at, by instance: the same process may come back. */
  readonly #lostWorkByInstance = new Map<string, CurrentWork>();
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

  /** All registered chiplets by number. */
  list(): ChipletStatus[] {
    return [...this.#registeredById.values()].sort((a, b) => a.id - b.id).map(describeChiplet);
  }

  /**
   * Refuses a preset that the service does not have; without a visibility chiplet nobody knows.
   *
   * @throws {RenderError} REQUEST_INVALID.
   */
  requireSpec(name: string | null): void {
    const hello = this.#registeredById.get(0)?.hello;
    if (hello === undefined || presetOf(hello, name) !== null) return;
    const presets = hello.presets.map((preset) => preset.name).join(', ');
    throw new RenderError('REQUEST_INVALID', `spec: '${name}' is none of ${presets}`);
  }

  /** Chiplets that a frame which begins now can use; `null` if it could not be rendered now. */
  countReady(specName: string | null): number | null {
    return this.select(Number.POSITIVE_INFINITY, specName)?.chiplets.length ?? null;
  }

  /**
   * The chiplets that a frame which begins now can use, or `null` if it cannot be rendered now.
   *
   * @param specName Preset that they must have; `null`: the one they were started with.
   * @throws {RenderError} REQUEST_INVALID if the visibility chiplet does not have it.
   */
  select(maxChiplets: number, specName: string | null = null): FrameChiplets | null {
    this.requireSpec(specName);
    const ready = [...this.#registeredById.values()]
      .filter(({ isReady, setAsideUntilMs }) => isReady && setAsideUntilMs === null)
      .sort((a, b) => a.id - b.id);
    const visibility = ready.find(({ hello }) => hello.role === 'visibility');
    const spec = visibility === undefined ? null : presetOf(visibility.hello, specName);
    if (visibility === undefined || spec === null) return null;
    // Chiplets of another version may have other parameters under the same name.
    const wanted = JSON.stringify(spec);
    const workers = ready.filter(
      ({ hello }) =>
        hello.role === 'worker' && JSON.stringify(presetOf(hello, spec.name)) === wanted,
    );
    const chosen = [visibility, ...workers].slice(0, Math.max(1, maxChiplets));
    if (chosen.length === 1 && !this.#options.isVisibilityChipletRendering) return null;
    const chiplets = chosen.map((registered, index) => {
      const chiplet = registered.activity.chipletOf(index);
      this.#registeredByChiplet.set(chiplet, registered);
      return chiplet;
    });
    return { spec, chiplets, visibilityLost: visibility.lost.signal };
  }

  /** Says that a chiplet which {@link select} gave is at fault. */
  reportFault(chiplet: Chiplet, reason: string): void {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined) return;
    this.#options.onRejected?.('wrong');
    this.#addFault(registered, reason);
  }

  /** The trust in a chiplet that {@link select} gave, the same object for all frames. */
  trustOf(chiplet: Chiplet): HostTrust {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined) throw new Error(`chiplet ${chiplet.id} is of another registry`);
    return registered.trust;
  }

  /**
   * Quarantines a chiplet that {@link select} gave and that gave a wrong result. A visibility chiplet, which has no
   * substitute, has to connect anew.
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
    else this.#setAside(registered, quarantineMs);
  }

  /** Publishes a bin that is done, by a chiplet that {@link select} gave. */
  publishBin(chiplet: Chiplet, { frameId, passIndex, binId, cycles }: BinResult): void {
    const registered = this.#registeredByChiplet.get(chiplet);
    if (registered === undefined) return;
    const bin: FinishedBin = { frameId, passIndex, binId, chiplet: registered.id, cycles };
    this.#options.events.publish('bin', recordIdOf(frameId), bin);
  }

  /**
   * As `select`, but waits for chiplets to connect.
   *
   * @throws {RenderError} NO_CHIPLETS when the time is up; FRAME_CANCELLED when `signal` is aborted.
   */
  async waitForSelection({
    specName,
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
      const selected = this.select(maxChiplets, specName);
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

  /** Ends the requests of a rendering and its passes wherever they are. */
  releaseRendering(renderingId: string): void {
    for (const { remote } of this.#registeredById.values()) remote.releaseRendering(renderingId);
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
    const remote = new RemoteChiplet({
      id,
      connection,
      answerWithinMs,
      traces: this.traces,
      onRejected: (why, detail) => {
        this.#options.onRejected?.(why);
        // A late answer is one that nobody waits for any more: nobody's fault.
        if (why !== 'late') this.#addFault(registered, `${why} answer: ${detail}`);
      },
    });
    const activity = new ChipletActivity(remote, {
      onChange: () => this.#announce(registered),
      // One that was set aside gets no more. One that leaves finishes what it has; one that lost the crosslink would wait for what it needs.
      // The visibility chiplet finishes the frames that were begun, which may have nobody else.
      isTakingBins: () =>
        registered.setAsideUntilMs === null && (registered.isReady || isVisibility),
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
      // Its phase decides what all others render, and nobody can check it.
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
    // Requests fail in this turn; what the chiplet was at is known after it.
    setImmediate(() => this.#tellOfLoss(registered, reason));
    this.#options.events.publish('chiplet', String(id), {
      id,
      role: hello.role,
      isConnected: false,
    });
    if (hello.role === 'visibility') this.#announceCrosslink();
  }

  #tellOfLoss({ hello, lostAt, trust }: Registered, reason: string): void {
    if (this.#isClosing) return;
    if (!trust.isTrusted && this.#hasTrustedRenderer()) {
      this.#options.onLost?.(null, false);
      return;
    }
    // Who is silent was halted or cut off: a process that is busy answers all the same.
    const work = isSilence(reason) ? null : lostAt;
    this.#options.onLost?.(work, true);
    if (work === null) return;
    this.#lostWorkByInstance.set(hello.instance, work);
    if (this.#lostWorkByInstance.size > MAX_REMEMBERED_LOSSES) {
      this.#lostWorkByInstance.delete(this.#lostWorkByInstance.keys().next().value!);
    }
  }

  /** The third fault sets a worker aside; the visibility chiplet, which is alone, has to connect anew. */
  #addFault(registered: Registered, reason: string): void {
    const { log, setAsideMs } = this.#options;
    const { id, hello, connection } = registered;
    registered.faults++;
    log.warn({ chipletId: id, instance: hello.instance, reason }, 'chiplet at fault');
    this.#announce(registered);
    if (registered.faults < MAX_FAULTS || registered.setAsideUntilMs !== null) return;
    if (hello.role === 'visibility') {
      connection.close(`${registered.faults} faults, the last: ${reason}`);
      return;
    }
    log.error({ chipletId: id, instance: hello.instance, setAsideMs }, 'chiplet set aside');
    this.#setAside(registered, setAsideMs);
  }

  /** Gives a worker no work for a while; longer if it is set aside already and this ends later. */
  #setAside(registered: Registered, durationMs: number): void {
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
      this.#options.log.info({ chipletId: id }, 'chiplet is given work again');
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

  /** Publishes what a chiplet does now, not more often than {@link ANNOUNCE_EVERY_MS}. */
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

/** A specification that a chiplet has. */
function presetOf({ spec, presets }: MessageOf<'hello'>, name: string | null): SpecSummary | null {
  if (name === null || name === spec.name) return spec;
  return presets.find((preset) => preset.name === name) ?? null;
}
