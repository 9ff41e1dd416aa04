/** Configuration of the visibility chiplet, from its environment variables. */
import { CHIPLET_PRESETS } from '@tessera/gpu/presets';
import {
  CHIPLET_HEARTBEAT_VARIABLE,
  COORDINATOR_URL_VARIABLE,
  type EnvironmentTable,
  type EnvironmentValues,
  LOG_LEVEL_VARIABLE,
  RESOURCE_CACHE_VARIABLE,
  readEnvironment,
} from '@tessera/wire/environment';

export const ENVIRONMENT = {
  TESSERA_COORDINATOR_URL: COORDINATOR_URL_VARIABLE,
  TESSERA_CROSSLINK_HOST: {
    kind: 'text',
    default: '127.0.0.1',
    meaning: 'address on which the crosslink listens',
  },
  TESSERA_CROSSLINK_PORT: {
    kind: 'integer',
    default: 8081,
    min: 0,
    max: 65_535,
    meaning: 'port of the crosslink; 0 picks a free one',
  },
  TESSERA_CROSSLINK_PUBLIC_URL: {
    kind: 'url',
    default: '',
    schemes: ['ws:', 'wss:'],
    meaning: 'address of the crosslink as workers reach it; by default made of host and port',
  },
  TESSERA_SPEC: {
    kind: 'choice',
    default: CHIPLET_PRESETS.default.name,
    allowed: Object.keys(CHIPLET_PRESETS),
    meaning: 'preset of the simulated chiplet; all chiplets of a service have the same',
  },
  TESSERA_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  TESSERA_RESOURCE_CACHE_BYTES: RESOURCE_CACHE_VARIABLE,
  TESSERA_HEARTBEAT_MS: CHIPLET_HEARTBEAT_VARIABLE,
} as const satisfies EnvironmentTable;

export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/** @throws {EnvironmentError} If a variable has a wrong value. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}
