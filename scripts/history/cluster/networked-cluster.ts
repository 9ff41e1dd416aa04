/**
 * A cluster whose database, gateways and cells are processes on machines of their own: network
 * namespaces, or the loopback where there are none. The files of the blob store are a shared
 * folder, so that no partition separates anyone from them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../../cluster/cluster-processes.ts';
import { PostgresServer } from '../../cluster/postgres-server.ts';
import { NetworkNamespaces } from './network-namespaces.ts';

/** Options of a {@link NetworkedCluster}. */
export interface NetworkedClusterOptions {
  readonly folder: string;
  readonly gatewayCount: number;
  readonly cellCount: number;
  readonly onLine: (name: string, line: string) => void;
}

const DATABASE = 'database';
/** Time for which the database is away. */
const DATABASE_AWAY_MS = 1000;
/** Short timeouts, so that faults are detected within the run, and no limit on requests. */
const ENVIRONMENT = {
  TESSERA_LOG_LEVEL: 'warn',
  TESSERA_HEARTBEAT_MS: '200',
  TESSERA_SILENT_MS: '2500',
  TESSERA_FRAMES_IN_FLIGHT: '1',
  TESSERA_REQUESTS_PER_MINUTE: '1000000000',
  // Only this machine reaches the namespaces.
  TESSERA_INSECURE_HTTP: 'true',
};

/** Running cluster. */
export class NetworkedCluster {
  readonly gateways: readonly string[];
  readonly cells: readonly string[];
  /** Null if this machine has no namespaces; then there are no partitions. */
  readonly network: NetworkNamespaces | null;
  readonly #server: PostgresServer;
  readonly #cluster: Cluster;

  private constructor(
    { folder, gatewayCount, cellCount, onLine }: NetworkedClusterOptions,
    network: NetworkNamespaces | null,
    server: PostgresServer,
  ) {
    this.gateways = namesOf('gateway', gatewayCount);
    this.cells = namesOf('cell', cellCount);
    this.network = network;
    this.#server = server;
    this.#cluster = new Cluster({
      folder,
      engineUrl: server.url,
      workerCount: 1,
      environment: ENVIRONMENT,
      onLine,
      ...(network === null ? {} : { placeOf: (name: string) => network.placeOf(name) }),
    });
  }

  /** Starts the database, the gateways and the cells. */
  static async start(options: NetworkedClusterOptions): Promise<NetworkedCluster> {
    const { gatewayCount, cellCount } = options;
    const nodes = [DATABASE, ...namesOf('gateway', gatewayCount), ...namesOf('cell', cellCount)];
    const network = NetworkNamespaces.problem() === null ? NetworkNamespaces.create(nodes) : null;
    const server =
      network === null
        ? await PostgresServer.start()
        : await PostgresServer.start([], network.placeOf(DATABASE), network.network);
    const cluster = new NetworkedCluster(options, network, server);
    try {
      for (const gateway of cluster.gateways) await cluster.#cluster.startGateway(gateway);
      for (const cell of cluster.cells) cluster.#cluster.startCell(cell);
      await cluster.#cluster.waitForCells(cellCount);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Returns the origin of a gateway. */
  originOf(gateway: string): string {
    return this.#cluster.urlOf(gateway);
  }

  /** Returns the ids of the running processes by name. */
  pids(): ReadonlyMap<string, number> {
    return new Map([...this.#cluster.pids(), [DATABASE, this.#server.pid]]);
  }

  /** Ends a gateway or cell and starts it again. */
  async restart(name: string, signal: NodeJS.Signals): Promise<void> {
    await this.#cluster.end(name, signal);
    if (this.gateways.includes(name)) await this.#cluster.startGateway(name);
    else this.#cluster.startCell(name);
  }

  /** Sends a signal to all processes of a gateway or cell. */
  signal(name: string, signal: NodeJS.Signals): void {
    const pid = this.#cluster.pids().get(name);
    if (pid !== undefined) process.kill(-pid, signal);
  }

  /** Ends the database as a lost machine does, and starts it again. */
  async restartDatabase(): Promise<void> {
    await this.#server.kill();
    await sleep(DATABASE_AWAY_MS);
    await this.#server.launch();
  }

  /** Separates a node from the database, or joins them again. */
  setSwallowing(name: string, isSwallowing: boolean): void {
    this.network?.setSwallowing(name, DATABASE, isSwallowing);
  }

  async stop(): Promise<void> {
    await this.#cluster.stop();
    await this.#server.stop();
    this.network?.remove();
  }
}

function namesOf(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${kind}-${i + 1}`);
}
