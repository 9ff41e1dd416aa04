/**
 * Common part of the processes that host a chiplet: the rendering thread, the link to the
 * coordinator and the shutdown of the process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChipletId, Crosslink } from '@tessera/frame';
import { processInstance } from '../chiplet-health.ts';
import type { ThreadSetup } from '../chiplet-thread/run-chiplet-thread.ts';
import { ThreadedChiplet } from '../chiplet-thread/threaded-chiplet.ts';
import {
  CoordinatorLink,
  type CoordinatorLinkOptions,
} from '../coordinator-link/coordinator-link.ts';
import type { CHIPLET_SERVICE_VARIABLES } from '../environment/chiplet-service-variables.ts';
import type { EnvironmentValues } from '../environment/environment.ts';
import { FrameTraces } from '../messages/frame-traces.ts';
import type { ChipletRole } from '../messages/messages.ts';
import { resolveCoordinatorUrl } from '../process/announced-address.ts';
import { runOwned } from '../process/run-owned.ts';
import { onStopRequest } from '../process/stop-request.ts';
import { ResourceStore } from '../resources/resource-store.ts';
import { watchEventLoop } from '../watchdog/loop-watchdog.ts';

type LogMethod = (fields: object, message: string) => void;

/** Log of a service, such as a pino logger. */
export type ServiceLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', LogMethod>>;

/** Settings of a {@link ChipletService}. */
export interface ChipletServiceOptions {
  /** Name of the process in messages. */
  readonly name: string;
  readonly role: ChipletRole;
  readonly config: EnvironmentValues<typeof CHIPLET_SERVICE_VARIABLES>;
  /** Secret sent to the coordinator; null for none. */
  readonly secret: string | null;
  readonly log: ServiceLog;
  /** File that the rendering thread runs; it calls `runChipletThread`. */
  readonly threadUrl: URL;
}

/** Process that hosts a chiplet. */
export class ChipletService {
  readonly traces = new FrameTraces();
  readonly resources: ResourceStore;
  readonly heartbeatMs: number;
  /** Number of unanswered heartbeats after which a link is closed. */
  readonly heartbeatSilentLimit: number;
  readonly #options: ChipletServiceOptions;
  #isStopping = false;

  /** Starts to watch the event loop. */
  constructor(options: ChipletServiceOptions) {
    const { name, config } = options;
    this.#options = options;
    this.resources = new ResourceStore(config.TESSERA_RESOURCE_CACHE_BYTES);
    this.heartbeatMs = config.TESSERA_HEARTBEAT_MS;
    this.heartbeatSilentLimit = Math.ceil(config.TESSERA_SILENT_MS / this.heartbeatMs);
    watchEventLoop({ name, stallMs: config.TESSERA_WATCHDOG_MS });
  }

  /** Starts a rendering thread. The process exits when the thread dies. */
  startChiplet(id: ChipletId, crosslink: Crosslink | null): ThreadedChiplet {
    const { config, log, threadUrl } = this.#options;
    const niceness = config.TESSERA_RENDER_NICENESS;
    const threadSetup: ThreadSetup = { id, niceness };
    return new ThreadedChiplet({
      id,
      threadUrl,
      threadSetup,
      crosslink,
      onDied: (error) => {
        log.fatal({ err: error }, 'the rendering thread died');
        process.exit(1);
      },
    });
  }

  /** Ends a rendering thread. The process exits if the thread cannot be ended. */
  closeChiplet(chiplet: ThreadedChiplet): void {
    runOwned(
      this.#options.log,
      'closing the rendering thread',
      {},
      () => chiplet.close(),
      () => process.exit(1),
    );
  }

  /**
   * Registers with the coordinator. The process exits if its parent exits before the coordinator
   * listens.
   */
  async connectToCoordinator(
    link: Pick<CoordinatorLinkOptions, 'crosslinkUrl' | 'chipletOf' | 'onCrosslinkAddress'>,
  ): Promise<CoordinatorLink> {
    const { config, secret, role, log } = this.#options;
    const { crosslinkUrl } = link;
    const url = await resolveCoordinatorUrl(config.TESSERA_COORDINATOR_URL);
    if (url === null) process.exit(0);
    return new CoordinatorLink({
      ...link,
      url,
      secret,
      role,
      instance: processInstance(),
      resources: this.resources,
      heartbeatMs: this.heartbeatMs,
      heartbeatSilentLimit: this.heartbeatSilentLimit,
      onUp: (chipletId) => log.info({ chipletId, crosslinkUrl }, 'registered with the coordinator'),
      onDown: (reason) => log.warn({ reason }, 'lost the link to the coordinator'),
      traces: this.traces,
      onWork: (work) => log.debug(work, 'done'),
      onBug: (error, work) => log.error({ ...work, err: error }, 'work failed because of a bug'),
    });
  }

  /**
   * Stops the process on request: drains the work of the coordinator, then calls `close`.
   *
   * @param drainWithinMs Maximum time for draining, in milliseconds.
   * @param close Closes everything else that keeps the process alive.
   */
  stopOnRequest(coordinator: CoordinatorLink, drainWithinMs: number, close: () => void): void {
    const { log, name } = this.#options;
    const stop = async (signal: string): Promise<void> => {
      if (this.#isStopping) return;
      this.#isStopping = true;
      log.info({ signal }, 'stopping');
      const timeUp = sleep(drainWithinMs, undefined, { ref: false });
      await Promise.race([coordinator.drain(), timeUp]);
      coordinator.stop(`the ${name} is stopping`);
      close();
      if (process.connected) process.disconnect?.();
    };
    onStopRequest(log, stop, 'once');
  }
}
