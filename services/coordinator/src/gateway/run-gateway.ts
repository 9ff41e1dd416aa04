/**
 * Gateway of a cluster: serves clients, stores their files, submits their work. Renders nothing.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { onStopRequest, watchEventLoop } from '@tessera/wire';
import { readOrExit } from '@tessera/wire/environment';
import type { Logger } from 'pino';
import { clusterBlobs } from '../cell/start-cell.ts';
import { simulatorVersion } from '../cluster/cluster-work.ts';
import type { Access } from '../config/access.ts';
import type { Config } from '../config/config.ts';
import { addSessionRoutes } from '../http/access/authentication.ts';
import { buildBaseApp, withJsonBodies } from '../http/base-app.ts';
import { ClientRequests } from '../http/connections/client-requests.ts';
import { handlersEnded } from '../http/connections/running-handlers.ts';
import { closeStalledWriters } from '../http/connections/stalled-writers.ts';
import { addApiPage } from '../http/dashboard/api-page.ts';
import { addDashboardRoutes } from '../http/dashboard/dashboard-routes.ts';
import { listenOrExit } from '../http/listen-or-exit.ts';
import { Uploads } from '../http/protocol/uploads.ts';
import { addSpecLists } from '../http/specs/spec-routes.ts';
import { addCounterList } from '../http/system/system-routes.ts';
import { Tracing } from '../observe/tracing.ts';
import { PRESET_SPECS } from '../specs/spec-store.ts';
import { addBlobRoutes, type BlobRouteOptions } from './blob-routes.ts';
import { addClusterEvents } from './cluster-events.ts';
import { EngineConnection } from './engine-connection.ts';
import { addClusterFrames } from './frame-routes.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { admitBytes, type GatewayServices } from './gateway-services.ts';
import { addClusterStudies } from './study-routes.ts';
import { addClusterSystem } from './system-routes.ts';
import { type GatewayTenant, readTenants, tenantOf } from './tenants.ts';

/** Time for which an upload that receives nothing is kept. */
const KEEP_UPLOADS_MS = 86_400_000;
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
  access,
  log,
  onStopped,
}: GatewayOptions): Promise<void> {
  const stopping = new AbortController();
  const { tenants, blobs } = readOrExit('coordinator', () => ({
    tenants: readTenants(config.TESSERA_TENANTS_FILE, access.tokens),
    blobs: clusterBlobs(config),
  }));
  const spoolFolder = join(config.TESSERA_DATA_DIR, 'spool');
  mkdirSync(spoolFolder, { recursive: true });
  const connection = new EngineConnection(config, log);

  const services: GatewayServices = {
    config,
    blobs,
    spoolFolder,
    uploads: new Uploads(config.TESSERA_UPLOAD_BYTES),
    version: simulatorVersion(),
    tenantOf: (request) => tenantOf(request, tenants),
    withEngine: (call) => connection.use(call),
  };
  const metrics = new GatewayMetrics(() =>
    connection.use((engine) => engine.stats()).catch(() => null),
  );
  const tracing = await Tracing.open(config.TESSERA_OTLP_ENDPOINT);
  // A commit of the engine is durable.
  const whenDurable = async () => {};
  const clientRequests = new ClientRequests();
  const served = { config, access, clientRequests, log, tracing, metrics, whenDurable };
  const app = await buildBaseApp(served);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  addClusterFrames(app, services);
  addClusterEvents(app, services);
  addCounterList(app);
  addSpecLists(app, PRESET_SPECS, config.TESSERA_SPEC);
  addDashboardRoutes(app, 'gateway');
  addApiPage(app);
  await withJsonBodies(app, (scope) => {
    addClusterStudies(scope, services);
    addSessionRoutes(scope, access);
  });
  await app.register(async (scope) =>
    addBlobRoutes(
      scope.withTypeProvider<TypeBoxTypeProvider>(),
      blobRouteOptions(services, tenants),
    ),
  );
  const { registry } = metrics;
  addClusterSystem(app, { ...services, registry, isStopping: () => stopping.signal.aborted });
  const endStallWatch = closeStalledWriters(app.server, config.TESSERA_WRITE_STALL_MS, log);
  await listenOrExit(app, config);
  watchEventLoop({ name: 'coordinator', stallMs: config.TESSERA_WATCHDOG_MS });

  async function stop(signal: string): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), config.TESSERA_SHUTDOWN_MS + EXIT_GRACE_MS).unref();
    await app.close();
    await handlersEnded(app);
    await connection.close();
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

/** Returns the settings of the routes of blobs. */
function blobRouteOptions(
  services: GatewayServices,
  tenants: readonly GatewayTenant[],
): BlobRouteOptions {
  const { config, blobs, spoolFolder, withEngine, tenantOf } = services;
  return {
    blobs,
    spoolFolder: join(spoolFolder, 'uploads'),
    maxBytes: config.TESSERA_BLOB_BYTES,
    maxSpoolBytes: config.TESSERA_SPOOL_BYTES,
    keepUploadsMs: KEEP_UPLOADS_MS,
    tenantOf: (request) => tenantOf(request).name,
    admit: async (name, bytes) => {
      const tenant = tenants.find((each) => each.name === name)!;
      await admitBytes(services, tenant, bytes);
    },
    stored: async (tenant, sha256, bytes) => {
      await withEngine((engine) => engine.addBlob(tenant, sha256, bytes));
    },
  };
}
