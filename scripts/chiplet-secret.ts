/**
 * The secret of the chiplets of a service that is started here, so that no other user of this machine can be a chiplet.
 * It is in a file of the data folder that its owner alone can read, where a worker that is started by hand finds it.
 */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureSecretFile } from '@tessera/wire/shared-secret';

const DEFAULT_DATA_FOLDER = 'out/data';
const FILE_NAME = 'chiplet-secret';
/** Rights of the owner's group and of everybody. */
const OTHERS_RIGHTS = 0o077;

/**
 * Makes the file where it is missing.
 *
 * @param variables The environment of the service.
 * @returns Variables for each of its processes; none where `variables` say how chiplets are let in.
 * @throws {Error} If the file cannot be made, or others can read it.
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

/** Chiplets read a named file as they start, which may be before the coordinator could make it. */
function givenVariables(secret: string, file: string): Record<string, string> {
  if (secret === '' && file !== '') ensureSecretFile('TESSERA_CHIPLET_SECRET_FILE', file);
  return {};
}

function refuseReadableByOthers(file: string): void {
  const { mode, uid } = statSync(file);
  const isOwn = process.getuid === undefined || uid === process.getuid();
  if (isOwn && (process.platform === 'win32' || (mode & OTHERS_RIGHTS) === 0)) return;
  throw new Error(
    `${file}: others can read the secret of the chiplets; remove it, and a new one is made`,
  );
}
