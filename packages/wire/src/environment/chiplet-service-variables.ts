/** Environment variables of every service that hosts a chiplet. */
import {
  CHIPLET_SECRET_FILE_VARIABLE,
  CHIPLET_SECRET_VARIABLE,
  CHIPLET_SILENT_VARIABLE,
  COORDINATOR_URL_VARIABLE,
  type EnvironmentTable,
  HEARTBEAT_VARIABLE,
  LOG_LEVEL_VARIABLE,
  RENDER_NICENESS_VARIABLE,
  RESOURCE_CACHE_VARIABLE,
  TLS_CA_VARIABLE,
  WATCHDOG_VARIABLE,
} from './environment.ts';

/** Variables that both chiplet services have. */
export const CHIPLET_SERVICE_VARIABLES = {
  TESSERA_COORDINATOR_URL: COORDINATOR_URL_VARIABLE,
  TESSERA_CHIPLET_SECRET: CHIPLET_SECRET_VARIABLE,
  TESSERA_CHIPLET_SECRET_FILE: CHIPLET_SECRET_FILE_VARIABLE,
  TESSERA_TLS_CA: TLS_CA_VARIABLE,
  TESSERA_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  TESSERA_WATCHDOG_MS: WATCHDOG_VARIABLE,
  TESSERA_RESOURCE_CACHE_BYTES: RESOURCE_CACHE_VARIABLE,
  TESSERA_RENDER_NICENESS: RENDER_NICENESS_VARIABLE,
  TESSERA_HEARTBEAT_MS: HEARTBEAT_VARIABLE,
  TESSERA_SILENT_MS: CHIPLET_SILENT_VARIABLE,
} as const satisfies EnvironmentTable;

/** Returns `TESSERA_SPEC`, whose allowed values are the names of the presets. */
export function specVariable(presetNames: readonly string[], defaultName: string) {
  return {
    kind: 'choice',
    default: defaultName,
    allowed: presetNames,
    meaning: 'preset of the simulated chiplet; the same for all chiplets of a service',
  } as const;
}
