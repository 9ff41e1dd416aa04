/** A cluster of processes on this machine, which trials disturb. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster-processes.ts';
import { PostgresServer } from './postgres-server.ts';
import type { TrialCluster } from './trial-cluster.ts';

/** Time for which the database is away. */
const AWAY_MS = 1000;

/** Settings of a {@link ProcessCluster}. */
export interface ProcessClusterOptions {
  readonly folder: string;
  readonly cellCount: number;
  /** Whether the engine is an SQLite file instead of PostgreSQL. */
  readonly isSqlite: boolean;
  /** Variables of every process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Cluster of processes. */
export class ProcessCluster implements TrialCluster {
  readonly cells: readonly string[];
  readonly canRestartDatabase: boolean;
  readonly #options: ProcessClusterOptions;
  #server: PostgresServer | null = null;
  #cluster: Cluster | null = null;

  constructor(options: ProcessClusterOptions) {
    this.#options = options;
    this.cells = Array.from({ length: options.cellCount }, (_, i) => `cell-${i + 1}`);
    this.canRestartDatabase = !options.isSqlite;
  }

  get url(): string {
    return this.#cluster!.url;
  }

  async start(): Promise<void> {
    const { folder, isSqlite, environment } = this.#options;
    if (!isSqlite) this.#server = await PostgresServer.start();
    const engineUrl = this.#server?.url ?? `sqlite:${join(folder, 'engine.db')}`;
    this.#cluster = new Cluster({ folder, engineUrl, workerCount: 1, environment });
    await this.#cluster.startGateway();
    for (const cell of this.cells) this.#cluster.startCell(cell);
    await this.#cluster.waitForCells(this.cells.length);
  }

  async restartCell(name: string): Promise<void> {
    await this.#cluster!.end(name, 'SIGKILL');
    this.#cluster!.startCell(name);
  }

  async restartGateway(): Promise<void> {
    await this.#cluster!.end('gateway', 'SIGKILL');
    await this.#cluster!.startGateway();
  }

  async restartDatabase(): Promise<void> {
    await this.#server!.kill();
    await sleep(AWAY_MS);
    await this.#server!.launch();
  }

  async stop(): Promise<void> {
    await this.#cluster?.stop();
    await this.#server?.stop();
  }
}
