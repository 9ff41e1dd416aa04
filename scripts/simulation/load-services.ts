/**
 * Loads all modules of the services once, before the first world: loading takes real time, and
 * afterwards a process of a world starts within one event.
 */
const MODULES = [
  'services/coordinator/src/run-coordinator.ts',
  'services/coordinator/src/config/access.ts',
  'services/coordinator/src/prepare/prepare-source.ts',
  'services/coordinator/src/compute/frame-probes.ts',
  'services/coordinator/src/compute/bin-image.ts',
  'services/coordinator/src/compute/thread-machines.ts',
  'services/visibility-chiplet/src/config.ts',
  'services/visibility-chiplet/src/crosslink-endpoint.ts',
  'services/chiplet-worker/src/config.ts',
  'services/chiplet-worker/src/crosslink-membership.ts',
  'packages/wire/src/chiplet-service/chiplet-service.ts',
  'packages/wire/src/chiplet-thread/run-chiplet-thread.ts',
  'packages/gpu/src/index.ts',
  'packages/local-gpu/src/feedback-renderer.ts',
  'packages/study/src/index.ts',
] as const;

/** Loads the modules. */
export async function loadServices(): Promise<void> {
  const root = new URL('../../', import.meta.url);
  for (const path of MODULES) await import(new URL(path, root).href);
  await import('@tessera/study/parquet');
  await import('@tessera/study/revision');
}
