/** Processes of a simulated service, with settings from the seed. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { Role } from './world/cluster-host.ts';

/** Settings that decide what may be expected of a service. */
export interface ServiceSettings {
  readonly roles: readonly Role[];
  /** Whether old frames are deleted because there are too many. */
  readonly isRetentionSmall: boolean;
  /** Settings on which results depend. */
  readonly resultSetting: string;
}

const SERVICES = new URL('../../services/', import.meta.url);
/** Places of the queue, small so that it is often full. */
export const QUEUE_PLACES = 8;
const SMALL_RETENTION_SHARE = 0.15;

/** Draws the settings of a service whose data folder is `folder`. */
export function drawSettings(random: SeededRandom, folder: string): ServiceSettings {
  const silentMs = random.pick([500, 2000]);
  const isRetentionSmall = random.next() < SMALL_RETENTION_SHARE;
  const isVisibilityRendering = random.pick(['true', 'false']);
  const links = {
    // Simulated processes cannot hang.
    TESSERA_WATCHDOG_MS: '0',
    TESSERA_HEARTBEAT_MS: String(silentMs / 5),
    TESSERA_SILENT_MS: String(silentMs),
  };
  const coordinator = {
    ...links,
    TESSERA_DATA_DIR: folder,
    TESSERA_HOST: '127.0.0.1',
    TESSERA_PORT: '8080',
    TESSERA_QUEUE_FRAMES: String(QUEUE_PLACES),
    TESSERA_CHECKED_BINS: random.pick(['0', '1', '50', '100']),
    TESSERA_CHIPLET_ANSWER_MS: '20000',
    TESSERA_SET_ASIDE_MS: '2000',
    TESSERA_QUARANTINE_MS: '2000',
    TESSERA_VISIBILITY_RENDERS: isVisibilityRendering,
    ...(isRetentionSmall ? { TESSERA_STORED_FRAMES: '6' } : {}),
  };
  const chiplet = { ...links, TESSERA_COORDINATOR_URL: 'ws://127.0.0.1:8080/chiplets' };
  const workers = Array.from({ length: random.integer(1, 4) }, (_, number) => ({
    name: `worker-${number}`,
    url: new URL('chiplet-worker/src/main.ts', SERVICES),
    env: chiplet,
  }));
  const roles = [
    { name: 'coordinator', url: new URL('coordinator/src/main.ts', SERVICES), env: coordinator },
    { name: 'visibility', url: new URL('visibility-chiplet/src/main.ts', SERVICES), env: chiplet },
    ...workers,
  ];
  return { roles, isRetentionSmall, resultSetting: `renders=${isVisibilityRendering}` };
}
