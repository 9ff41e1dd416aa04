/**
 * The compiled packet network as seen by its host. Numbers go in and out as views of its memory.
 * `packages/chip/src/network` has the model.
 */
import { DELIVERY_WORDS } from '../network/delivery-list.ts';
import { INJECTION_WORDS, MAX_INJECTIONS } from '../network/injections.ts';
import { networkModelCode } from './network-model-code.ts';

/** Figures of a network. */
export interface NetworkEngineOptions {
  readonly chipletCount: number;
  readonly priorities: number;
  readonly virtualChannelCount: number;
  readonly routerCycles: number;
  readonly headerBytes: number;
  readonly packetBytes: number;
  readonly portBytesPerCycle: number;
}

/** Exports of the compiled network, which assembly/network-exports.ts defines. */
interface NetworkExports {
  readonly memory: WebAssembly.Memory;
  create(
    chipletCount: number,
    priorities: number,
    virtualChannelCount: number,
    routerCycles: number,
    headerBytes: number,
    packetBytes: number,
    portBytesPerCycle: number,
  ): void;
  partsPtr(): number;
  addLink(bytesPerCycle: number, latencyCycles: number): number;
  addBuffer(link: number, virtualChannel: number, capacityBytes: number): number;
  addLane(link: number, count: number): number;
  addBranch(lane: number, count: number): number;
  addEnd(receiver: number, leastCycles: number, count: number): number;
  injectionsPtr(): number;
  inject(count: number): void;
  release(buffer: number, cycle: number, bytes: number): void;
  waitingBytes(from: number, channel: number): number;
  nextCycle(): number;
  nextRecordedCycle(): number;
  advance(untilCycle: number): number;
  deliveriesPtr(): number;
  writeIntervals(message: number): number;
  intervalsPtr(): number;
  packetCountOf(link: number): number;
  sentBytesOf(link: number): number;
  receivedBytesOf(link: number): number;
  maxBytesOf(buffer: number): number;
  waitCyclesOf(virtualChannel: number): number;
  sourceWaitCycles(): number;
}

const NO_DELIVERIES = new Float64Array(0);

let compiled: WebAssembly.Module | null = null;

/** Returns the compiled model. It is compiled once per thread. */
function networkModel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(networkModelCode());
  return compiled;
}

/**
 * Network of one simulation. Its parts have numbers, and each part is made of earlier ones:
 * buffers are at the ends of links, a lane has buffers of a link, a branch has a lane and an end
 * for each of its buffers, and an end has branches.
 */
export class NetworkEngine {
  readonly #exports: NetworkExports;
  #injections: Float64Array;
  #injectionCount = 0;

  /** @param module Build of the model; tests pass another one. */
  constructor(options: NetworkEngineOptions, module = networkModel()) {
    const { exports } = new WebAssembly.Instance(module, {
      env: {
        abort: () => {
          throw new Error('network: the compiled model has failed');
        },
      },
    });
    // The assertion is safe because the module is compiled from network-exports.ts.
    this.#exports = exports as unknown as NetworkExports;
    const { chipletCount, priorities, virtualChannelCount } = options;
    const { routerCycles, headerBytes, packetBytes, portBytesPerCycle } = options;
    this.#exports.create(
      chipletCount,
      priorities,
      virtualChannelCount,
      routerCycles,
      headerBytes,
      packetBytes,
      portBytesPerCycle,
    );
    this.#injections = this.#viewInjections();
  }

  addLink(bytesPerCycle: number, latencyCycles: number): number {
    return this.#exports.addLink(bytesPerCycle, latencyCycles);
  }

  /** @param virtualChannel Index; −1 for a receiver. */
  addBuffer(link: number, virtualChannel: number, capacityBytes: number): number {
    return this.#exports.addBuffer(link, virtualChannel, capacityBytes);
  }

  addLane(link: number, buffers: readonly number[]): number {
    this.#writeParts(buffers);
    return this.#exports.addLane(link, buffers.length);
  }

  addBranch(lane: number, ends: readonly number[]): number {
    this.#writeParts(ends);
    return this.#exports.addBranch(lane, ends.length);
  }

  /**
   * @param receiver Receiver that the buffer before it belongs to; −1 in a router.
   * @param leastCycles Least number of cycles from the one in which a packet can leave the buffer
   *   to a delivery.
   */
  addEnd(receiver: number, leastCycles: number, branches: readonly number[]): number {
    this.#writeParts(branches);
    return this.#exports.addEnd(receiver, leastCycles, branches.length);
  }

  /**
   * Returns the place of the next message to inject, in the words that `injections` returns. The
   * caller writes all of INJECTION_WORDS before the next call of the engine.
   */
  addInjection(): number {
    if (this.#injectionCount === MAX_INJECTIONS) this.#inject();
    return this.#injectionCount++ * INJECTION_WORDS;
  }

  /** Words of the messages to inject. The view is valid until the next call of the engine. */
  get injections(): Float64Array {
    if (this.#injections.length === 0) this.#injections = this.#viewInjections();
    return this.#injections;
  }

  /** Returns room to a receiver, at a cycle from now on. */
  release(buffer: number, cycle: number, bytes: number): void {
    this.#exports.release(buffer, cycle, bytes);
  }

  /** Returns the number of bytes that wait at a chiplet to enter the network. */
  waitingBytes(from: number, channel: number): number {
    this.#inject();
    return this.#exports.waitingBytes(from, channel);
  }

  /** Next cycle in which something happens; infinite if the network is empty. */
  get nextCycle(): number {
    this.#inject();
    return this.#exports.nextCycle();
  }

  /** Cycle before which no recorded message is delivered, unless it is injected later. */
  get nextRecordedCycle(): number {
    this.#inject();
    return this.#exports.nextRecordedCycle();
  }

  /**
   * Simulates all cycles before `untilCycle`.
   *
   * @returns Deliveries of these cycles, each of DELIVERY_WORDS, in the order of cycle, receiver,
   *   sender and injection. The view is valid until the next call.
   */
  advance(untilCycle: number): Float64Array {
    this.#inject();
    const count = this.#exports.advance(untilCycle);
    if (count === 0) return NO_DELIVERIES;
    const { memory } = this.#exports;
    return new Float64Array(memory.buffer, this.#exports.deliveriesPtr(), count * DELIVERY_WORDS);
  }

  /**
   * Returns the intervals of the links that a recorded message was on: link, first cycle, and cycle
   * after the last, one after another. The message was delivered by the last call of `advance`.
   */
  intervalsOf(message: number): Float64Array {
    const count = this.#exports.writeIntervals(message);
    const { memory } = this.#exports;
    return new Float64Array(memory.buffer, this.#exports.intervalsPtr(), 3 * count);
  }

  packetCountOf(link: number): number {
    return this.#exports.packetCountOf(link);
  }

  /** Returns the number of bytes that entered a link, headers included. */
  sentBytesOf(link: number): number {
    return this.#exports.sentBytesOf(link);
  }

  /** Returns the bytes that left the buffers at its end; of complete packets at a chiplet. */
  receivedBytesOf(link: number): number {
    return this.#exports.receivedBytesOf(link);
  }

  /** Returns the largest number of bytes in a buffer, with those on their way to it. */
  maxBytesOf(buffer: number): number {
    return this.#exports.maxBytesOf(buffer);
  }

  /** Returns the cycles that packets waited in the buffers of a virtual channel. */
  waitCyclesOf(virtualChannel: number): number {
    return this.#exports.waitCyclesOf(virtualChannel);
  }

  /** Cycles that packets waited at their senders to enter the network. */
  get sourceWaitCycles(): number {
    return this.#exports.sourceWaitCycles();
  }

  #inject(): void {
    if (this.#injectionCount === 0) return;
    this.#exports.inject(this.#injectionCount);
    this.#injectionCount = 0;
  }

  #writeParts(parts: readonly number[]): void {
    const { memory } = this.#exports;
    new Int32Array(memory.buffer, this.#exports.partsPtr(), parts.length).set(parts);
  }

  #viewInjections(): Float64Array {
    const length = MAX_INJECTIONS * INJECTION_WORDS;
    const { memory } = this.#exports;
    return new Float64Array(memory.buffer, this.#exports.injectionsPtr(), length);
  }
}
