/** Interface of a cluster that a trial disturbs. */

/** Cluster whose parts are killed and started again. */
export interface TrialCluster {
  /** Address of the gateway. */
  readonly url: string;
  readonly cells: readonly string[];
  /** Whether the engine is a process of its own. */
  readonly canRestartDatabase: boolean;
  /** Starts everything. Resolves when the engine has heard of every cell. */
  start(): Promise<void>;
  /** Kills all processes of a cell and starts it again. Does not wait for it. */
  restartCell(name: string): Promise<void>;
  restartGateway(): Promise<void>;
  restartDatabase(): Promise<void>;
  /** Stops and deletes everything. */
  stop(): Promise<void>;
}
