/** Connections of Node's HTTP client over the simulated network. */
import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Network } from '../world/network.ts';
import type { SimProcess } from '../world/sim-process.ts';

/** Agent of one client, which opens a connection for each request. */
export class NetworkAgent extends Agent {
  readonly #network: Network;
  readonly #process: SimProcess;

  constructor(network: Network, process: SimProcess) {
    super({ keepAlive: false });
    this.#network = network;
    this.#process = process;
  }

  override createConnection({ port }: { port?: unknown }): Duplex {
    return this.#network.connect(this.#process, Number(port), '127.0.0.1');
  }
}
