/**
 * Gateway of a cluster: serves clients, stores their files, submits their work. Renders nothing.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { EngineUnavailableError, type WorkEngine } from '@tessera/engine';
import { onStopRequest, watchEventLoop } from '@tessera/wire';
import { EnvironmentError, exitAtStart, readOrExit } from '@tessera/wire/environment';
import type { Logger } from 'pino';
import { clusterBlobs, openOrRefuse } from '../cell/start-cell.ts';
import { simulatorVersion } from '../cluster/cluster-work.ts';
import { logEngineErrors } from '../cluster/log-engine-errors.ts';
import type { Access } from '../config/access.ts';
import type { Config } from '../config/config.ts';
import { addSessionRoutes } from '../http/access/authentication.ts';
import { buildBaseApp, withJsonBodies } from '../http/base-app.ts';
import { closeStalledWriters } from '../http/connections/stalled-writers.ts';
import { Uploads } from '../http/protocol/uploads.ts';
import { Tracing } from '../observe/tracing.ts';
import { delay } from '../process/delay.ts';
import { addBlobRoutes } from './blob-routes.ts';
import { addClusterFrames } from './frame-routes.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { admitBytes, asEngineProblem, type GatewayServices } from './gateway-services.ts';
import { addClusterStudies } from './study-routes.ts';
import { addClusterSystem } from './system-routes.ts';
import { readTenants, tenantOf } from './tenants.ts';

/** Time for which an upload that receives nothing is kept. */
const KEEP_UPLOADS_MS = 86_400_000;
/** Interval between two attempts to connect with the database. */
const CONNECT_MS = 1000;
/** Time for the last answers. */
const EXIT_GRACE_MS = 3000;

/** Settings of {@link runGateway}. */
export interface GatewayOptions {
  readonly config: Config;
  readonly access: Access;
  readonly log: Logger;
  readonly onStopped: () => void;
}

/** Runs a gateway until it is asked to stop. Exits if it cannot start. */
export async function runGateway({
  config,
  access: ownAccess,
  log,
  onStopped,
}: GatewayOptions): Promise<void> {
  const stopping = new AbortController();
  const { tenants, blobs } = readOrExit('coordinator', () => ({
    tenants: readTenants(config.TESSERA_TENANTS_FILE, ownAccess.tokens),
    blobs: clusterBlobs(config),
  }));
  const access = { ...ownAccess, tokens: tenants.flatMap(({ tokens }) => tokens) };
  const spoolFolder = join(config.TESSERA_DATA_DIR, 'spool');
  mkdirSync(spoolFolder, { recursive: true });
  let engine: WorkEngine | null = null;
  const connecting = connect();

  /** Connects with the database, however long it is away. */
  async function connect(): Promise<void> {
    const onError = logEngineErrors(log);
    while (!stopping.signal.aborted) {
      try {
        engine = await openOrRefuse(config, onError);
        return;
      } catch (error) {
        if (error instanceof EnvironmentError) exitAtStart('coordinator', error.message);
        if (!(error instanceof EngineUnavailableError)) throw error;
        log.warn({ err: error }, 'the database is away');
        await delay(CONNECT_MS, stopping.signal);
      }
    }
  }

  const services: GatewayServices = {
    config,
    blobs,
    spoolFolder,
    uploads: new Uploads(config.TESSERA_UPLOAD_BYTES),
    version: simulatorVersion(),
    tenantOf: (request) => tenantOf(request, tenants),
    withEngine: async (call) => {
      try {
        if (engine === null) throw new EngineUnavailableError('the database is away');
        return await call(engine);
      } catch (error) {
        throw asEngineProblem(error);
      }
    },
  };
  const metrics = new GatewayMetrics(async () => (await engine?.stats().catch(() => null)) ?? null);
  const tracing = await Tracing.open(config.TESSERA_OTLP_ENDPOINT);
  // A commit of the engine is durable.
  const whenDurable = async () => {};
  const app = await buildBaseApp({ config, access, log, tracing, metrics, whenDurable });
  addClusterFrames(app, services);
  await withJsonBodies(app, (scope) => {
    addClusterStudies(scope, services);
    addSessionRoutes(scope, access);
  });
  await app.register(async (scope) =>
    addBlobRoutes(scope.withTypeProvider<TypeBoxTypeProvider>(), {
      blobs,
      spoolFolder: join(spoolFolder, 'uploads'),
      maxBytes: config.TESSERA_BLOB_BYTES,
      maxSpoolBytes: config.TESSERA_SPOOL_BYTES,
      keepUploadsMs: KEEP_UPLOADS_MS,
      tenantOf: (request) => services.tenantOf(request).name,
      admit: async (name, bytes) => {
        const tenant = tenants.find((each) => each.name === name)!;
        await admitBytes(services, tenant, bytes);
      },
      stored: async (tenant, sha256, bytes) => {
        await services.withEngine((open) => open.addBlob(tenant, sha256, bytes));
      },
    }),
  );
  const { registry } = metrics;
  addClusterSystem(app, { ...services, registry, isStopping: () => stopping.signal.aborted });
  const endStallWatch = closeStalledWriters(app.server, config.TESSERA_WRITE_STALL_MS, log);
  try {
    await app.listen({ host: config.TESSERA_HOST, port: config.TESSERA_PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const place = `${config.TESSERA_HOST}:${config.TESSERA_PORT}`;
    const reason = code === 'EADDRINUSE' ? 'is in use; set TESSERA_PORT to another port' : message;
    exitAtStart('coordinator', `${place} ${reason}`);
  }
  watchEventLoop({ name: 'coordinator', stallMs: config.TESSERA_WATCHDOG_MS });

  async function stop(signal: string): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), config.TESSERA_SHUTDOWN_MS + EXIT_GRACE_MS).unref();
    await app.close();
    await connecting;
    await engine?.close();
    endStallWatch();
    onStopped();
    await tracing.close();
    if (process.connected) process.disconnect?.();
  }
  if (process.connected) {
    process.send?.({ kind: 'listening', port: (app.server.address() as { port: number }).port });
  }
  onStopRequest(log, stop, 'on');
}
