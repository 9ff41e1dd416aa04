/** Configuration of a chiplet worker, from its environment variables. */
import { CHIPLET_PRESETS } from '@tessera/gpu/presets';
import {
  CHIPLET_SECRET_FILE_VARIABLE,
  CHIPLET_SECRET_VARIABLE,
  CHIPLET_SILENT_VARIABLE,
  COORDINATOR_URL_VARIABLE,
  type EnvironmentTable,
  type EnvironmentValues,
  HEARTBEAT_VARIABLE,
  LOG_LEVEL_VARIABLE,
  RENDER_NICENESS_VARIABLE,
  RESOURCE_CACHE_VARIABLE,
  readEnvironment,
  TLS_CA_VARIABLE,
  WATCHDOG_VARIABLE,
} from '@tessera/wire/environment';

export const ENVIRONMENT = {
  TESSERA_COORDINATOR_URL: COORDINATOR_URL_VARIABLE,
  TESSERA_CROSSLINK_URL: {
    kind: 'url',
    default: '',
    schemes: ['ws:', 'wss:'],
    meaning: 'address of the crosslink; by default the one that the coordinator announces',
  },
  TESSERA_SPEC: {
    kind: 'choice',
    default: CHIPLET_PRESETS.default.name,
    allowed: Object.keys(CHIPLET_PRESETS),
    meaning: 'preset of the simulated chiplet; the same for all chiplets of a service',
  },
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

export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/** @throws {EnvironmentError} If a variable has a wrong value. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}
