/** Credentials of a process that hosts a chiplet, and the certificates it trusts. */
import { readSecret } from './shared-secret.ts';
import { trustCertificates } from './tls-files.ts';

/** Environment variables with the chiplet's credentials; empty if not set. */
export interface ChipletAccessVariables {
  readonly TESSERA_CHIPLET_SECRET: string;
  readonly TESSERA_CHIPLET_SECRET_FILE: string;
  readonly TESSERA_TLS_CA: string;
}

/**
 * Returns the chiplets' secret, or `null` if there is none. Makes this process trust the configured
 * certificates.
 *
 * @throws {EnvironmentError} If the secret is invalid or a file cannot be read.
 */
export function readChipletAccess(variables: ChipletAccessVariables): string | null {
  trustCertificates(variables.TESSERA_TLS_CA);
  const { TESSERA_CHIPLET_SECRET: value, TESSERA_CHIPLET_SECRET_FILE: file } = variables;
  return readSecret('TESSERA_CHIPLET_SECRET', value, file);
}
