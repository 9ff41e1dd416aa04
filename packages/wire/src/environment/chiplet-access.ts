/** What a process that hosts a chiplet shows to those it connects to, and whom it trusts. */
import { readSecret } from './shared-secret.ts';
import { trustCertificates } from './tls-files.ts';

export interface ChipletAccessVariables {
  readonly TESSERA_CHIPLET_SECRET: string;
  readonly TESSERA_CHIPLET_SECRET_FILE: string;
  readonly TESSERA_TLS_CA: string;
}

/**
 * The secret of the chiplets, `null` for none; from now on this process trusts the certificates that it is told to.
 *
 * @throws {EnvironmentError} If the secret is no good, or a file cannot be read.
 */
export function readChipletAccess(variables: ChipletAccessVariables): string | null {
  trustCertificates(variables.TESSERA_TLS_CA);
  const { TESSERA_CHIPLET_SECRET: value, TESSERA_CHIPLET_SECRET_FILE: file } = variables;
  return readSecret('TESSERA_CHIPLET_SECRET', value, file);
}
