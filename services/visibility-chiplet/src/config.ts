/** Configuration of the visibility chiplet, from its environment variables. */
import { CHIPLET_PRESETS } from '@tessera/gpu/presets';
import {
  type EnvironmentTable,
  type EnvironmentValues,
  LOG_LEVEL_VARIABLE,
  readEnvironment,
} from '@tessera/wire/environment';

export const ENVIRONMENT = {
  TESSERA_COORDINATOR_URL: {
    kind: 'url',
    default: 'ws://127.0.0.1:8080/chiplets',
    schemes: ['ws:', 'wss:'],
    meaning: 'where to register',
  },
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
  TESSERA_RESOURCE_CACHE_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 0,
    max: 2 ** 40,
    meaning: 'bytes of buffers, textures and programs that are kept between frames',
  },
  TESSERA_HEARTBEAT_MS: {
    kind: 'integer',
    default: 5000,
    min: 10,
    max: 600_000,
    meaning: 'time between two pings on a link; an end silent for twelve of them is lost',
  },
} as const satisfies EnvironmentTable;

export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/** @throws {EnvironmentError} If a variable has a wrong value. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}
