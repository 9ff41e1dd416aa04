/** Configuration of a chiplet worker, read from its environment variables. */
import {
  CHIPLET_SERVICE_VARIABLES,
  type EnvironmentTable,
  type EnvironmentValues,
  readEnvironment,
} from '@tessera/wire/environment';

/** All variables, in the order of docs/configuration.md. */
export const ENVIRONMENT = {
  ...CHIPLET_SERVICE_VARIABLES,
  TESSERA_CROSSLINK_URL: {
    kind: 'url',
    default: '',
    schemes: ['ws:', 'wss:'],
    meaning: 'address of the crosslink; by default the one that the coordinator announces',
  },
} as const satisfies EnvironmentTable;

/** Values of a worker's variables. */
export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/**
 * Reads the configuration, usually from `process.env`.
 *
 * @throws {EnvironmentError} If a variable is invalid.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}
