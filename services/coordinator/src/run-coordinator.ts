/**
 * Coordinator of the roles `all` and `cell`: accepts frames over HTTP or from a cluster, drives
 * chiplets, returns images and reports.
 */
import { join } from 'node:path';
import {
  acceptWebSockets,
  CHIPLET_ENDPOINT_PATH,
  onStopRequest,
  runOwned,
  watchEventLoop,
} from '@tessera/wire';
import { EnvironmentError, exitAtStart } from '@tessera/wire/environment';
import type { Logger } from 'pino';
import { ClientQuotas } from './admission/client-quotas.ts';
import type { RunningCell } from './cell/start-cell.ts';
import { ChipletRegistry } from './chiplets/chiplet-registry.ts';
import { ComputePool } from './compute/compute-pool.ts';
import { MachineRooms } from './compute/machine-rooms.ts';
import type { Access } from './config/access.ts';
import { type Config, frameLimits } from './config/config.ts';
import { FrameQueue } from './frames/frame-queue.ts';
import { FrameStore } from './frames/frame-store.ts';
import { ResultRepair } from './frames/result-repair.ts';
import { resumeFrames } from './frames/resume-frames.ts';
import { buildApp } from './http/build-app.ts';
import { ClientRequests } from './http/connections/client-requests.ts';
import { handlersEnded } from './http/connections/running-handlers.ts';
import { closeStalledWriters } from './http/connections/stalled-writers.ts';
import { FrameProbing } from './http/frames/frame-probing.ts';
import { listenOrExit } from './http/listen-or-exit.ts';
import { Uploads } from './http/protocol/uploads.ts';
import { EventLog } from './observe/event-log.ts';
import { Metrics } from './observe/metrics.ts';
import { Tracing } from './observe/tracing.ts';
import { ModelPreparer } from './prepare/model-preparer.ts';
import { collectAsUsual } from './process/collector-settings.ts';
import { relieveMemory } from './process/memory-relief.ts';
import { Sequences } from './sequences/sequences.ts';
import { SpecStore } from './specs/spec-store.ts';
import { openDataFolder } from './store/data-folder.ts';
import { DatabaseError } from './store/database.ts';
import { ResourceStore } from './store/resource-store.ts';
import { RetentionClock } from './store/retention-clock.ts';
import { StudyRunner } from './studies/study-runner.ts';
import { StudyStore } from './studies/study-store.ts';

/** Number of events that a listener can still receive when it reconnects. */
const EVENTS_KEPT = 8192;
/** Upper bound on events per millisecond, so that numbers of a later process are larger. */
const EVENTS_PER_MS = 100;
/** Interval between two records of the seconds of work in progress. */
const CHARGE_EVERY_MS = 5000;
/** Interval between two checks for expired frames. */
const DELETE_OLD_EVERY_MS = 600_000;
/**
 * Memory and idle time of the thread of probes, so that it keeps the frame while a client looks at
 * its pixels.
 */
const PROBE_THREAD = { keptBytes: 2 ** 29, idleMs: 60_000 };
/** Memory of a machine room that is kept between frames, besides that of its machines. */
const ROOM_BYTES = 2 ** 28;
/** Time for the last answers after the frames have ended. */
const EXIT_GRACE_MS = 3000;

/** Runs a step of the start. Exits with its message if the data folder cannot be used. */
function startOrExit<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (!isOfSystem && !(error instanceof DatabaseError)) throw error;
    return exitAtStart('coordinator', (error as Error).message);
  }
}

/** Settings of {@link runCoordinator}. */
export interface CoordinatorOptions {
  readonly config: Config;
  readonly access: Access;
  readonly log: Logger;
  /** Called when the coordinator has stopped, before the last connections end. */
  readonly onStopped: () => void;
}

/**
 * Runs a coordinator until it is asked to stop. Exits if it cannot start. One function, because the
 * services of the process refer to each other.
 */
export async function runCoordinator({
  config,
  access,
  log,
  onStopped,
}: CoordinatorOptions): Promise<void> {
  const stopping = new AbortController();

  const { database, blobs, orphans } = startOrExit(() =>
    openDataFolder(config.TESSERA_DATA_DIR, (err) => {
      log.fatal({ err }, 'I/O error of the journal; the next start reads what is on the disk');
      process.exit(1);
    }),
  );
  if (orphans !== null)
    log.warn({ orphans }, 'the journal was missing; its files were moved to another folder');
  const events = new EventLog(EVENTS_KEPT, Date.now() * EVENTS_PER_MS);
  const registry = new ChipletRegistry({
    log,
    events,
    answerWithinMs: config.TESSERA_CHIPLET_ANSWER_MS,
    heartbeatMs: config.TESSERA_HEARTBEAT_MS,
    silentMs: config.TESSERA_SILENT_MS,
    setAsideMs: config.TESSERA_SET_ASIDE_MS,
    quarantineMs: config.TESSERA_QUARANTINE_MS,
    onRejected: (why) => metrics.answersRejectedTotal.inc({ why }),
    onLost: (work, isEvidence) => {
      metrics.chipletsLostTotal.inc();
      if (isEvidence) queue.noteLoss(work);
    },
    onSurvived: (work) => queue.noteSurvival(work),
    onWorked: (frameId, seconds) => {
      const [recordId] = frameId.split('/', 1);
      quotas.addSeconds(store.clientOf(recordId!), 'chipletSeconds', seconds);
    },
    isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
  });
  const store = new FrameStore({
    database,
    blobs,
    events,
    clock: new RetentionClock({
      database,
      log,
      readSystemMs: () => Date.now(),
      readUptimeMs: () => performance.now(),
    }),
    retention: {
      maxFrames: config.TESSERA_STORED_FRAMES,
      maxBytes: config.TESSERA_STORED_BYTES,
      maxAgeMs: config.TESSERA_STORED_HOURS * 3_600_000,
    },
  });
  const quotas = new ClientQuotas(database, access.clients);
  const clientRequests = new ClientRequests();
  const onWorked = (client: string, seconds: number) =>
    quotas.addSeconds(client, 'prepareSeconds', seconds);
  const resources = new ResourceStore(database, blobs, config.TESSERA_RESOURCE_BYTES);
  const preparer = new ModelPreparer({
    withinMs: config.TESSERA_PREPARE_MS,
    heapMb: config.TESSERA_PREPARE_HEAP_MB,
    limits: {
      maxCaptureBytes: config.TESSERA_CAPTURE_BYTES,
      maxCaptureObjectBytes: config.TESSERA_CAPTURE_OBJECT_BYTES,
      maxCaptureCalls: config.TESSERA_CAPTURE_CALLS,
      maxResourceBytes: config.TESSERA_MAX_BODY_BYTES,
      maxPixels: config.TESSERA_MAX_PIXELS,
      frame: frameLimits(config),
    },
    pathOf: (sha256) => blobs.pathOf(sha256),
    filesFolder: blobs.folder,
    weightOf: (client) => quotas.weightOf(client),
    onWorked,
  });
  const metrics = new Metrics(() =>
    registry.list().map(({ id, role, binsDone, pendingRequests, setAsideUntilMs }) => ({
      id,
      role,
      binsDone,
      pending: pendingRequests,
      isSetAside: setAsideUntilMs !== null,
    })),
  );
  const compute = {
    withinMs: config.TESSERA_COMPUTE_MS,
    heapMb: config.TESSERA_COMPUTE_HEAP_MB,
    maxWaiting: config.TESSERA_COMPUTE_QUEUE,
    onWorked,
  };
  /**
   * Part of the rendering of a frame, so it has the frame's time and waits neither for sequences
   * nor for other frames.
   */
  const machineRooms = new MachineRooms(config.TESSERA_FRAMES_IN_FLIGHT, {
    ...compute,
    withinMs: config.TESSERA_FRAME_MS,
    keptBytes: ROOM_BYTES,
    onMany: () => relieveMemory([preparer, images, probes]),
  });
  const queue = new FrameQueue({
    config,
    log,
    store,
    registry,
    preparer,
    metrics,
    events,
    machineRooms,
    quotas,
  });
  quotas.watch({
    placesOf: (client) => queue.placesOf(client),
    connectionsOf: (client) => clientRequests.countOf(client),
    charge: () => registry.charge(),
  });
  metrics.addQuotas(quotas);
  const repair = new ResultRepair({ store, blobs, queue, log, stopping: stopping.signal });
  blobs.repairWith((sha256) => repair.repair(sha256));
  const longCompute = { ...compute, around: collectAsUsual };
  /** Images have a pool of their own, because sequences and studies may take a minute. */
  const simulations = new ComputePool({
    ...longCompute,
    onStart: () => relieveMemory([preparer, machineRooms, images, probes]),
  });
  const images = new ComputePool(longCompute);
  const probes = new ComputePool({ ...longCompute, ...PROBE_THREAD });
  const sequences = startOrExit(
    () =>
      new Sequences({
        log,
        queue,
        store,
        blobs,
        simulations,
        limits: {
          maxRunning: config.TESSERA_RUNNING_SEQUENCES,
          maxSteps: config.TESSERA_SIMULATION_STEPS,
          maxTimelineBytes: config.TESSERA_TIMELINE_BYTES,
          maxRecordBytes: config.TESSERA_RECORD_BYTES,
        },
        timelinesFolder: join(config.TESSERA_DATA_DIR, 'timelines'),
      }),
  );
  const studies = new StudyStore({ database, blobs, events });
  const runner = new StudyRunner({
    studies,
    store,
    blobs,
    queue,
    log,
    simulations,
    maxSteps: config.TESSERA_SIMULATION_STEPS,
    isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
  });
  const tracing = await Tracing.open(config.TESSERA_OTLP_ENDPOINT);
  const app = await buildApp({
    tracing,
    database,
    config,
    access,
    clientRequests,
    quotas,
    log,
    queue,
    sequences,
    store,
    blobs,
    uploads: new Uploads(config.TESSERA_UPLOAD_BYTES),
    resources,
    images,
    probing: new FrameProbing({
      access,
      quotas,
      store,
      blobs,
      probes,
      preparer,
      isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
    }),
    events,
    studies,
    specs: new SpecStore(database),
    runner,
    registry,
    metrics,
    isStopping: () => stopping.signal.aborted,
  });
  const endStallWatch = closeStalledWriters(app.server, config.TESSERA_WRITE_STALL_MS, log);
  const closeChipletEndpoint = acceptWebSockets(
    app.server,
    CHIPLET_ENDPOINT_PATH,
    'coordinator',
    (connection) => registry.accept(connection),
    access.chipletSecret,
  );

  await listenOrExit(app, config);

  // Starts after the journal is open, which may block for long.
  watchEventLoop({ name: 'coordinator', stallMs: config.TESSERA_WATCHDOG_MS });
  store.deleteOld();
  const deleteTimer = setInterval(() => {
    runOwned(
      log,
      'deleting old frames',
      {},
      async () => store.deleteOld(),
      () => {}, // The next check tries again.
    );
  }, DELETE_OLD_EVERY_MS);
  // Work in progress is in the journal too, should the process end unexpectedly.
  const chargeTimer = setInterval(() => registry.charge(), CHARGE_EVERY_MS);
  const isCell = config.TESSERA_ROLE === 'cell';
  const cell = isCell ? startCellOrExit() : null;
  const resumed = isCell
    ? Promise.resolve()
    : resumeFrames({ store, queue, log, stopping: stopping.signal });
  if (!isCell) runner.resume();

  async function startCellOrExit(): Promise<RunningCell | null> {
    try {
      // Loads the driver of the database, which a service on one machine never needs.
      const { startCell } = await import('./cell/start-cell.ts');
      const rows = { simulations, maxSteps: config.TESSERA_SIMULATION_STEPS };
      const host = { config, log, store, queue, blobs, resources, rows, registry };
      return await startCell(host, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return null;
      if (!(error instanceof EnvironmentError)) throw error;
      return exitAtStart('coordinator', error.message);
    }
  }

  async function stop(signal: string): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    store.noteStop();
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), config.TESSERA_SHUTDOWN_MS + EXIT_GRACE_MS).unref();
    await (await cell)?.stop(config.TESSERA_SHUTDOWN_MS);
    const studiesLeft = runner.stop();
    await queue.stop(config.TESSERA_SHUTDOWN_MS);
    await studiesLeft;
    registry.close('the coordinator is stopping');
    closeChipletEndpoint();
    await app.close();
    await resumed;
    await preparer.close();
    await machineRooms.close();
    await simulations.close();
    await images.close();
    await probes.close();
    endStallWatch();
    onStopped();
    await tracing.close();
    clearInterval(deleteTimer);
    clearInterval(chargeTimer);
    quotas.close();
    await handlersEnded(app);
    database.close();
    if (process.connected) process.disconnect?.();
  }

  // If the parent opened an IPC channel, tells it that the service listens and on which port.
  if (process.connected) {
    process.send?.({ kind: 'listening', port: (app.server.address() as { port: number }).port });
  }
  onStopRequest(log, stop, 'on');
}
