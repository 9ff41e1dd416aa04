/**
 * Creates the secrets of a cluster that compose starts: the password of PostgreSQL, which its
 * container reads, and the address of the engine with that password, which gateways and cells read
 * (`TESSERA_ENGINE_URL_FILE`). Keeps an existing password.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureSecretFile } from '@tessera/wire/shared-secret';

/** User and database of the engine. */
const NAME = 'tessera';
/** PostgreSQL's container has another user. Only containers that mount the volume see the file. */
const READABLE_BY_ALL = 0o644;

function requireOption(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  process.stderr.write(`cluster-secrets: --${name} is missing\n`);
  process.exit(2);
}

const { values } = parseArgs({
  options: {
    password: { type: 'string' },
    url: { type: 'string' },
    address: { type: 'string' },
  },
});
const passwordFile = requireOption('password', values.password);
const urlFile = requireOption('url', values.url);
const address = requireOption('address', values.address);

ensureSecretFile('--password', passwordFile);
chmodSync(passwordFile, READABLE_BY_ALL);
const password = readFileSync(passwordFile, 'utf8').trim();
mkdirSync(dirname(urlFile), { recursive: true });
writeFileSync(urlFile, `postgres://${NAME}:${encodeURIComponent(password)}@${address}/${NAME}\n`, {
  mode: 0o600,
});
