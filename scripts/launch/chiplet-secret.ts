/**
 * The chiplets' secret of a service that is started on this machine, so that no other user of the
 * machine can connect a chiplet. It is a file in the data folder that only its owner can read.
 * Workers that are started manually find it there.
 */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureSecretFile } from '@tessera/wire/shared-secret';

const DEFAULT_DATA_FOLDER = 'out/data';
const FILE_NAME = 'chiplet-secret';
/** Permissions of the group and of others. */
const OTHERS_RIGHTS = 0o077;

/**
 * Creates the file if it is missing.
 *
 * @param variables Environment of the service.
 * @returns Variables for each of its processes; none if `variables` already configure the access of
 *   chiplets.
 * @throws {Error} If the file cannot be created, or others can read it.
 */
export function chipletSecretVariables(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { TESSERA_CHIPLET_SECRET = '', TESSERA_CHIPLET_SECRET_FILE = '' } = variables;
  const isGiven = TESSERA_CHIPLET_SECRET !== '' || TESSERA_CHIPLET_SECRET_FILE !== '';
  if (isGiven || variables.TESSERA_INSECURE_CHIPLETS === 'true') {
    return givenVariables(TESSERA_CHIPLET_SECRET, TESSERA_CHIPLET_SECRET_FILE);
  }
  const folder = resolve(variables.TESSERA_DATA_DIR || DEFAULT_DATA_FOLDER);
  const file = join(folder, FILE_NAME);
  ensureSecretFile('TESSERA_DATA_DIR', file);
  refuseReadableByOthers(file);
  return { TESSERA_DATA_DIR: folder, TESSERA_CHIPLET_SECRET_FILE: file };
}

/**
 * Returns the variables. Creates a named file, because chiplets read it at startup, possibly before
 * the coordinator could create it.
 */
function givenVariables(secret: string, file: string): Record<string, string> {
  if (secret === '' && file !== '') ensureSecretFile('TESSERA_CHIPLET_SECRET_FILE', file);
  return {};
}

function refuseReadableByOthers(file: string): void {
  const { mode, uid } = statSync(file);
  const isOwn = process.getuid === undefined || uid === process.getuid();
  if (isOwn && (process.platform === 'win32' || (mode & OTHERS_RIGHTS) === 0)) return;
  throw new Error(
    `${file}: other users can read the chiplets’ secret; delete the file to create a new one`,
  );
}
