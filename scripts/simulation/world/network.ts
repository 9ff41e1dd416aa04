/**
 * Simulated network: ports, byte streams and links with latencies from the seed. Bytes arrive in
 * order. A stream can be reset, or be made to swallow everything, like a cable that was pulled.
 */
import { Duplex } from 'node:stream';
import type { MessageEnd } from './message-link.ts';
import type { SimProcess } from './sim-process.ts';
import type { Context, World } from './world.ts';

/** Listener of a port. */
export interface Listener {
  readonly context: Context;
  /** Server that listens. */
  readonly server: object;
  /** Called with the server's end of a new stream. */
  readonly onStream: (stream: SimSocket) => void;
}

const USUAL_LATENCY_MS = 0.5;
const LONG_LATENCY_MS = 40;
const LONG_LATENCY_PROBABILITY = 0.03;
const HIGH_WATER_BYTES = 65_536;

/** Ports and streams of a world. */
export class Network {
  readonly world: World;
  readonly streams = new Set<SimSocket>();
  readonly links = new Set<MessageEnd>();
  readonly #listeners = new Map<number, Listener>();
  #nextPort = 40_000;

  constructor(world: World) {
    this.world = world;
  }

  latencyMs(): number {
    const { random } = this.world;
    const longest = random.next() < LONG_LATENCY_PROBABILITY ? LONG_LATENCY_MS : USUAL_LATENCY_MS;
    return random.next() * longest;
  }

  /** Listens on a port. Returns false if it is in use. */
  listen(port: number, listener: Listener): boolean {
    if (this.#listeners.get(port)?.context.isAlive) return false;
    this.#listeners.set(port, listener);
    return true;
  }

  closePort(port: number): void {
    this.#listeners.delete(port);
  }

  /** Returns a free port for a server that asks for port 0. */
  freePort(): number {
    return this.#nextPort++;
  }

  listenerOf(port: number): Listener | null {
    const listener = this.#listeners.get(port);
    return listener?.context.isAlive ? listener : null;
  }

  /**
   * Connects a context to a port.
   *
   * @param remoteAddress Address of the client that the server sees.
   */
  connect(context: Context, port: number, remoteAddress: string): SimSocket {
    const client = new SimSocket(this, context, '127.0.0.1', port);
    this.world.schedule(context, this.latencyMs(), () => {
      const listener = this.listenerOf(port);
      if (client.destroyed) return;
      if (listener === null) {
        client.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
        return;
      }
      const server = new SimSocket(this, listener.context, remoteAddress, this.freePort());
      pair(client, server);
      client.emit('connect');
      // A stream that breaks before the server has accepted it has no effect.
      const ignore = () => {};
      server.on('error', ignore);
      this.world.schedule(listener.context, this.latencyMs(), () => {
        if (server.destroyed) return;
        listener.onStream(server);
        server.off('error', ignore);
      });
    });
    return client;
  }
}

/** One end of a byte stream, with the parts of `net.Socket` that HTTP servers use. */
export class SimSocket extends Duplex {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress = '127.0.0.1';
  readonly localPort = 8080;
  readonly encrypted = false;
  readonly connecting = false;
  bytesRead = 0;
  /** Whether nothing that is sent arrives, in either direction. */
  isSwallowing = false;
  readonly #network: Network;
  readonly #context: Context;
  #peer: SimSocket | null = null;
  #lastArrivalMs = 0;
  #early: (() => void)[] = [];
  #hasReset = false;
  #sentBytes = 0;
  readonly #cleanup = () => this.#vanish();

  constructor(network: Network, context: Context, remoteAddress: string, remotePort: number) {
    super({ highWaterMark: HIGH_WATER_BYTES, allowHalfOpen: true });
    this.#network = network;
    this.#context = context;
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
    (context.process as SimProcess).cleanups.add(this.#cleanup);
    network.streams.add(this);
  }

  /** Context at this end. */
  get owner(): Context {
    return this.#context;
  }

  get peer(): SimSocket | null {
    return this.#peer;
  }

  /** Joins the other end, and sends what was written before. */
  joinPeer(peer: SimSocket): void {
    this.#peer = peer;
    for (const send of this.#early.splice(0)) send();
  }

  /** Breaks the stream: both ends get an error. */
  reset(): void {
    for (const end of [this, this.#peer]) {
      if (end === null || end.#hasReset) continue;
      end.#hasReset = true;
      const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      this.#network.world.schedule(end.#context, 0, () => end.destroy(error));
    }
  }

  /** Number of bytes written, including those that wait. */
  get bytesWritten(): number {
    return this.#sentBytes + this.writableLength;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): object {
    return { address: this.localAddress, port: this.localPort, family: 'IPv4' };
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const bytes = Buffer.from(chunk);
    const arrive = (peer: SimSocket) => {
      peer.bytesRead += bytes.length;
      peer.push(bytes);
    };
    this.#send(arrive, (error) => {
      this.#sentBytes += bytes.length;
      done(error);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#send((peer) => peer.push(null), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#network.streams.delete(this);
    (this.#context.process as SimProcess).cleanups.delete(this.#cleanup);
    this.#sendClose();
    done(error);
  }

  /** Ends this side without events, because its process ended. */
  #vanish(): void {
    this.#network.streams.delete(this);
    this.#sendClose();
  }

  #sendClose(): void {
    const peer = this.#peer;
    if (peer === null || peer.#hasReset || this.isSwallowing || peer.destroyed) return;
    peer.#hasReset = true;
    const { world } = this.#network;
    const arrivalMs = Math.max(this.#lastArrivalMs, world.nowMs + this.#network.latencyMs());
    world.schedule(peer.#context, arrivalMs - world.nowMs, () => {
      if (peer.readableEnded) peer.destroy();
      else peer.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    });
  }

  #send(arrive: (peer: SimSocket) => void, done: (error?: Error | null) => void): void {
    const peer = this.#peer;
    if (peer === null) {
      this.#early.push(() => this.#send(arrive, done));
      return;
    }
    const { world } = this.#network;
    const arrivalMs = Math.max(this.#lastArrivalMs, world.nowMs + this.#network.latencyMs());
    this.#lastArrivalMs = arrivalMs;
    if (this.isSwallowing || peer.isSwallowing) return; // As if the acknowledgment never came.
    world.schedule(peer.#context, arrivalMs - world.nowMs, () => {
      if (!peer.destroyed) arrive(peer);
    });
    world.schedule(this.#context, arrivalMs - world.nowMs, () => done());
  }
}

function pair(first: SimSocket, second: SimSocket): void {
  first.joinPeer(second);
  second.joinPeer(first);
}
