/** Connects the coordinator of a cell with its cluster. */
import { hostname } from 'node:os';
import { openBlobStore } from '@tessera/blobs';
import { EngineUrlError, openEngine } from '@tessera/engine';
import { RenderError } from '@tessera/frame';
import { readSecret, readTextFile } from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import type { Logger } from 'pino';
import type { ChipletRegistry } from '../chiplets/chiplet-registry.ts';
import { simulatorVersion } from '../cluster/cluster-work.ts';
import { logEngineErrors } from '../cluster/log-engine-errors.ts';
import type { Config } from '../config/config.ts';
import type { FrameQueue } from '../frames/frame-queue.ts';
import type { FrameStore } from '../frames/frame-store.ts';
import { SourceRenderer } from '../frames/source-renderer.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { RowServices } from '../studies/point-rendering.ts';
import { Cell } from './cell.ts';
import { ClusterFiles } from './cluster-files.ts';
import { RecentPoints } from './recent-points.ts';
import { makeWhileAway } from './while-away.ts';

/** Services of a coordinator that its cell uses. */
export interface CellHost {
  readonly config: Config;
  readonly log: Logger;
  readonly store: FrameStore;
  readonly queue: FrameQueue;
  readonly blobs: BlobStore;
  readonly resources: ResourceStore;
  readonly rows: Pick<RowServices, 'simulations' | 'maxSteps'>;
  readonly registry: Pick<ChipletRegistry, 'select'>;
}

/** Running cell. */
export interface RunningCell {
  /**
   * Finishes the units in progress, gives the others back and disconnects.
   *
   * @param withinMs Time after which units in progress are given back, too.
   */
  stop(withinMs: number): Promise<void>;
}

/**
 * Connects with the cluster and starts to claim. Waits for a database that is away.
 *
 * @throws {EnvironmentError} If an address is missing or wrong.
 */
export async function startCell(host: CellHost, signal: AbortSignal): Promise<RunningCell> {
  const { config, log, store, queue, blobs, resources } = host;
  const cluster = clusterBlobs(config);
  const whileAway = makeWhileAway(log);
  const onError = logEngineErrors(log);
  const engine = await whileAway(() => openOrRefuse(config, onError), signal);
  discardUnfinished(store);
  // Units are left to other cells, so their frames never outlive this process.
  const never = new AbortController().signal;
  const cell = config.TESSERA_CELL_NAME || `${hostname()}-${process.pid}`;
  const version = simulatorVersion();
  const running = new Cell({
    cell,
    version,
    engine,
    resources,
    log,
    whileAway,
    chunkMs: config.TESSERA_CHUNK_SECONDS * 1000,
    isReady: () => host.registry.select(Number.POSITIVE_INFINITY) !== null,
    concurrency: config.TESSERA_FRAMES_IN_FLIGHT,
    services: {
      renderer: new SourceRenderer({ store, queue, client: 'cluster', leaving: never }),
      files: new ClusterFiles({ cluster, blobs, resources, whileAway }),
      points: new RecentPoints(),
      store,
      blobs,
      rows: host.rows,
    },
  });
  log.info({ cell, version }, 'the cell takes work of its cluster');
  return {
    stop: async (withinMs) => {
      await running.stop(withinMs);
      await engine.close();
    },
  };
}

/**
 * Opens the blob store of the configuration.
 *
 * @throws {EnvironmentError} If the address is missing or wrong.
 */
export function clusterBlobs(config: Config) {
  const { TESSERA_BLOBS_URL: url, TESSERA_BLOBS_TOKEN: token, TESSERA_BLOBS_TOKEN_FILE } = config;
  const secret = readSecret('TESSERA_BLOBS_TOKEN', token, TESSERA_BLOBS_TOKEN_FILE);
  try {
    return openBlobStore(url, { env: process.env, ...(secret === null ? {} : { token: secret }) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EnvironmentError(`TESSERA_BLOBS_URL: ${error.message}`, { cause: error });
  }
}

/**
 * Opens the engine of the configuration.
 *
 * @throws {EnvironmentError} If the address is missing or wrong.
 * @throws {EngineUnavailableError} If the database does not answer.
 */
export async function openOrRefuse(config: Config, onError: (error: Error) => void) {
  const { TESSERA_ENGINE_URL: text, TESSERA_ENGINE_URL_FILE: file } = config;
  const isInFile = text === '' && file !== '';
  const variable = isInFile ? 'TESSERA_ENGINE_URL_FILE' : 'TESSERA_ENGINE_URL';
  const url = isInFile ? readTextFile(variable, file).trim() : text;
  try {
    return await openEngine(url, onError);
  } catch (error) {
    if (!(error instanceof EngineUrlError)) throw error;
    throw new EnvironmentError(`${variable}: ${error.message}`, { cause: error });
  }
}

/** Deletes frames that an earlier process left, because other cells have rendered their units. */
function discardUnfinished(store: FrameStore): void {
  const { code, message } = new RenderError('FRAME_CANCELLED', 'the cell was restarted');
  for (const { record } of store.takeUnfinished()) {
    store.finish(record, { status: 'cancelled', error: { code, message } });
    store.delete(record.id);
  }
}
