/** The coordinator process: HTTP in, chiplets driven, picture and report out. */
import { acceptWebSockets, CHIPLET_ENDPOINT_PATH } from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import { pino } from 'pino';
import { ChipletRegistry } from './chiplet-registry.ts';
import { readConfig } from './config.ts';
import { FrameQueue } from './frame-queue.ts';
import { FrameStore } from './frame-store.ts';
import { buildApp } from './http/app.ts';
import { Metrics } from './metrics.ts';
import { ModelPreparer } from './model-preparer.ts';

/** Time for the last answers to leave after the frames ended. */
const EXIT_GRACE_MS = 3000;

function readConfigOrExit() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    process.stderr.write(`coordinator: ${error.message}\n`);
    process.exit(2);
  }
}

const config = readConfigOrExit();
const log = pino({ name: 'coordinator', level: config.TESSERA_LOG_LEVEL });
let isStopping = false;

const registry = new ChipletRegistry({
  log,
  answerWithinMs: config.TESSERA_CHIPLET_ANSWER_MS,
  heartbeatMs: config.TESSERA_HEARTBEAT_MS,
  isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
});
const store = new FrameStore(config.TESSERA_STORED_FRAMES, config.TESSERA_STORED_BYTES);
const preparer = new ModelPreparer({
  withinMs: config.TESSERA_PREPARE_MS,
  heapMb: config.TESSERA_PREPARE_HEAP_MB,
});
const metrics = new Metrics(() =>
  registry.list().map(({ id, role, binsDone, pendingRequests }) => ({
    id,
    role,
    binsDone,
    pending: pendingRequests,
  })),
);
const queue = new FrameQueue({ config, log, store, registry, preparer, metrics });
const app = await buildApp({
  config,
  log,
  queue,
  store,
  registry,
  metrics,
  isStopping: () => isStopping,
});
const closeChipletEndpoint = acceptWebSockets(
  app.server,
  CHIPLET_ENDPOINT_PATH,
  'coordinator',
  (connection) => registry.accept(connection),
);

try {
  await app.listen({ host: config.TESSERA_HOST, port: config.TESSERA_PORT });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const place = `${config.TESSERA_HOST}:${config.TESSERA_PORT}`;
  const reason = code === 'EADDRINUSE' ? 'is in use; set TESSERA_PORT to another' : message;
  process.stderr.write(`coordinator: ${place} ${reason}\n`);
  process.exit(2);
}

async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), config.TESSERA_SHUTDOWN_MS + EXIT_GRACE_MS).unref();
  await queue.stop(config.TESSERA_SHUTDOWN_MS);
  registry.close('the coordinator stops');
  closeChipletEndpoint();
  await app.close();
  await preparer.close();
  if (process.connected) process.disconnect?.();
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
// A parent that started this process with a channel wants to know when it is up, and where.
process.send?.({ kind: 'listening', port: (app.server.address() as { port: number }).port });
if (process.send !== undefined) process.once('disconnect', () => stop('parent left'));
