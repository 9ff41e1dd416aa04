/** Configuration of the visibility chiplet, read from its environment variables. */
import {
  CHIPLET_SERVICE_VARIABLES,
  type EnvironmentTable,
  type EnvironmentValues,
  INSECURE_CHIPLETS_VARIABLE,
  readEnvironment,
  TLS_CERT_VARIABLE,
  TLS_KEY_VARIABLE,
} from '@tessera/wire/environment';

/** All variables, in the order of docs/configuration.md. */
export const ENVIRONMENT = {
  ...CHIPLET_SERVICE_VARIABLES,
  TESSERA_CROSSLINK_HOST: {
    kind: 'text',
    default: '127.0.0.1',
    meaning: 'address that the crosslink listens on',
  },
  TESSERA_CROSSLINK_PORT: {
    kind: 'integer',
    default: 8081,
    min: 0,
    max: 65_535,
    meaning: 'port of the crosslink; 0 picks a free port',
  },
  TESSERA_CROSSLINK_PUBLIC_URL: {
    kind: 'url',
    default: '',
    schemes: ['ws:', 'wss:'],
    meaning: 'address at which workers reach the crosslink; by default derived from host and port',
  },
  TESSERA_INSECURE_CHIPLETS: INSECURE_CHIPLETS_VARIABLE,
  TESSERA_TLS_CERT: TLS_CERT_VARIABLE,
  TESSERA_TLS_KEY: TLS_KEY_VARIABLE,
} as const satisfies EnvironmentTable;

/** Values of the visibility chiplet's variables. */
export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/**
 * Reads the configuration, usually from `process.env`.
 *
 * @throws {EnvironmentError} If a variable is invalid.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}
