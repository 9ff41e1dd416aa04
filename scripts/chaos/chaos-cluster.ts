/**
 * The service with a breakable link between every two of its processes. Processes that die are
 * restarted.
 */

import { LaunchedService } from '../launch/service-launcher.ts';
import { FaultyProxy, type LinkState } from './faulty-proxy.ts';

/** Options of a {@link ChaosCluster}. */
export interface ChaosClusterOptions {
  readonly workerCount: number;
  readonly dataFolder: string;
  /** Free port for the crosslink. */
  readonly crosslinkPort: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (name: string, line: string) => void;
  readonly onFatal: (message: string) => void;
}

/** A running service with breakable links. */
export class ChaosCluster {
  readonly service: LaunchedService;
  readonly #links: ReadonlyMap<string, FaultyProxy>;

  private constructor(service: LaunchedService, links: ReadonlyMap<string, FaultyProxy>) {
    this.service = service;
    this.#links = links;
  }

  static async start(options: ChaosClusterOptions): Promise<ChaosCluster> {
    const { workerCount, crosslinkPort } = options;
    const workers = Array.from({ length: workerCount }, (_, i) => `chiplet-worker ${i + 1}`);
    const links = new Map<string, FaultyProxy>();
    for (const name of ['visibility-chiplet', ...workers]) {
      links.set(linkToCoordinator(name), await FaultyProxy.open());
    }
    for (const name of workers) {
      const link = await FaultyProxy.open();
      link.leadTo(crosslinkPort);
      links.set(linkToCrosslink(name), link);
    }
    const service = await LaunchedService.start({
      workerCount,
      isRestarting: true,
      maxEarlyDeaths: Number.POSITIVE_INFINITY,
      environment: {
        TESSERA_PORT: '0',
        TESSERA_LOG_LEVEL: 'info',
        TESSERA_DATA_DIR: options.dataFolder,
        TESSERA_CROSSLINK_PORT: String(crosslinkPort),
        ...options.environment,
      },
      environmentOf: (name, coordinatorPort) => {
        const toCoordinator = links.get(linkToCoordinator(name));
        if (toCoordinator === undefined) return {};
        toCoordinator.leadTo(coordinatorPort);
        const toCrosslink = links.get(linkToCrosslink(name));
        return {
          TESSERA_COORDINATOR_URL: `ws://127.0.0.1:${toCoordinator.port}/chiplets`,
          TESSERA_CROSSLINK_PORT: String(crosslinkPort),
          ...(toCrosslink === undefined
            ? {}
            : { TESSERA_CROSSLINK_URL: `ws://127.0.0.1:${toCrosslink.port}/crosslink` }),
        };
      },
      onLine: options.onLine,
      onFatal: options.onFatal,
    });
    return new ChaosCluster(service, links);
  }

  linkNames(): string[] {
    return [...this.#links.keys()];
  }

  setLink(name: string, state: LinkState): void {
    const link = this.#links.get(name);
    if (link === undefined) throw new RangeError(`link: unknown link ${name}`);
    link.state = state;
  }

  /** Sends a signal to a process if it is running. */
  signal(name: string, signal: NodeJS.Signals): void {
    const pid = this.service.pids().get(name);
    if (pid === undefined) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It has exited in the meantime.
    }
  }

  async stop(): Promise<void> {
    for (const link of this.#links.values()) link.state = 'passing';
    // A halted process does not handle the request to stop.
    for (const name of this.service.pids().keys()) this.signal(name, 'SIGCONT');
    await this.service.stop();
    for (const link of this.#links.values()) link.close();
  }
}

function linkToCoordinator(name: string): string {
  return `${name} – coordinator`;
}

function linkToCrosslink(name: string): string {
  return `${name} – visibility-chiplet`;
}
