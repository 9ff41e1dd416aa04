/** A TCP proxy between two processes of the service with simulated network faults. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * State of a link. `passing` forwards everything. `cut` resets every connection and accepts none.
 * `black-hole` keeps connections and accepts new ones, but forwards no byte in either direction.
 */
export type LinkState = 'passing' | 'cut' | 'black-hole';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A TCP proxy with simulated faults. */
export class FaultyProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #targetPort = 0;
  #state: LinkState = 'passing';

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (near) => this.#accept(near));
  }

  /** Opens a proxy on a free loopback port. {@link leadTo} sets its target. */
  static async open(): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyProxy(server);
  }

  get port(): number {
    // The server listens on TCP, so the address has a port.
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo(port: number): void {
    this.#targetPort = port;
  }

  set state(state: LinkState) {
    this.#state = state;
    for (const { near, far } of this.#pairs) {
      if (state === 'cut') {
        near.resetAndDestroy();
        far.resetAndDestroy();
      } else if (state === 'black-hole') {
        near.pause();
        far.pause();
      } else {
        near.resume();
        far.resume();
      }
    }
  }

  close(): void {
    this.state = 'cut';
    this.#server.close();
  }

  #accept(near: Socket): void {
    if (this.#state === 'cut' || this.#targetPort === 0) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: this.#targetPort, host: '127.0.0.1' });
    const pair = { near, far };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes: Buffer) => {
        if (!to.destroyed && !to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (this.#state !== 'black-hole') from.resume();
      });
      // A black hole does not forward the end of a connection either.
      from.on('error', () => from.destroy());
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    if (this.#state === 'black-hole') {
      near.pause();
      far.pause();
    }
  }
}
