/** Configuration of the coordinator, read from its environment variables. */
import { DEFAULT_FRAME_LIMITS, type FrameLimits } from '@tessera/frame';
import {
  type EnvironmentTable,
  type EnvironmentValues,
  readEnvironment,
} from '@tessera/wire/environment';
import { ACCESS_VARIABLES } from './access-variables.ts';
import { CHIPLET_VARIABLES } from './chiplet-variables.ts';
import { CLUSTER_VARIABLES } from './cluster-variables.ts';
import { CONNECTION_VARIABLES } from './connection-variables.ts';
import { FRAME_VARIABLES } from './frame-variables.ts';
import { SERVICE_VARIABLES } from './service-variables.ts';
import { STORAGE_VARIABLES } from './storage-variables.ts';
import { WORK_VARIABLES } from './work-variables.ts';

/** All variables, in the order of docs/configuration.md. */
export const ENVIRONMENT = {
  ...SERVICE_VARIABLES,
  ...ACCESS_VARIABLES,
  ...CONNECTION_VARIABLES,
  ...STORAGE_VARIABLES,
  ...FRAME_VARIABLES,
  ...WORK_VARIABLES,
  ...CHIPLET_VARIABLES,
  ...CLUSTER_VARIABLES,
} as const satisfies EnvironmentTable;

/** Values of the coordinator's variables. */
export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/**
 * Reads the configuration, usually from `process.env`.
 *
 * @throws {EnvironmentError} If a variable is invalid.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}

/** Returns the limits of one frame. */
export function frameLimits(config: Config): FrameLimits {
  return {
    ...DEFAULT_FRAME_LIMITS,
    maxPasses: config.TESSERA_MAX_PASSES,
    maxDraws: config.TESSERA_MAX_DRAWS,
    maxPrimitives: config.TESSERA_MAX_PRIMITIVES,
    maxTargetPixels: config.TESSERA_MAX_TARGET_PIXELS,
    maxTextureEdgePx: config.TESSERA_MAX_TEXTURE_EDGE_PX,
    maxTextureBytes: config.TESSERA_MAX_TEXTURE_BYTES,
  };
}
