/** Gateways and cells verify the certificate of PostgreSQL with `sslmode=verify-full`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '@tessera/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  POSTGRES_PROGRAMS,
  PostgresServer,
  serverOwner,
} from '../../scripts/cluster/postgres-server.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'tessera-tls-'));
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function pathOf(name: string): string {
  return join(FOLDER, name);
}

function openssl(...options: string[]): void {
  execFileSync('openssl', options, { stdio: 'pipe' });
}

function makeAuthority(name: string): void {
  const files = ['-keyout', pathOf(`${name}.key`), '-out', pathOf(`${name}.crt`)];
  openssl('req', '-x509', ...EC, '-days', '1', '-subj', `/CN=${name}`, ...files);
}

/** Makes a certificate of `localhost` that the authority `ca` signs. */
function makeCertificate(): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  openssl('req', ...EC, ...subject, '-keyout', pathOf('db.key'), '-out', pathOf('db.csr'));
  const authority = ['-CA', pathOf('ca.crt'), '-CAkey', pathOf('ca.key')];
  const files = ['-in', pathOf('db.csr'), '-out', pathOf('db.crt')];
  openssl('x509', '-req', ...files, ...authority, '-days', '1', '-copy_extensions', 'copyall');
}

describe.skipIf(POSTGRES_PROGRAMS === null)('sslmode=verify-full', () => {
  let server: PostgresServer;
  let port: string;

  beforeAll(async () => {
    makeAuthority('ca');
    makeAuthority('other');
    makeCertificate();
    const rules = pathOf('pg_hba.conf');
    writeFileSync(rules, 'hostssl all all 127.0.0.1/32 trust\n');
    // The server insists on a key that only its own account can read.
    const { uid, gid } = serverOwner();
    chmodSync(FOLDER, 0o711);
    chmodSync(pathOf('db.key'), 0o600);
    for (const path of ['db.key', 'db.crt', 'pg_hba.conf'].map(pathOf)) {
      if (uid !== undefined) chownSync(path, uid, gid!);
    }
    server = await PostgresServer.start([
      'ssl=on',
      `ssl_cert_file=${pathOf('db.crt')}`,
      `ssl_key_file=${pathOf('db.key')}`,
      `hba_file=${rules}`,
      'ssl_min_protocol_version=TLSv1.3',
    ]);
    port = new URL(server.url).port;
  });

  afterAll(async () => {
    await server.stop();
    rmSync(FOLDER, { recursive: true });
  });

  async function open(host: string, query: string): Promise<void> {
    const url = `postgres://tessera@${host}:${port}/postgres?${query}`;
    await (await openEngine(url, () => {})).close();
  }

  it('connects if the authority and the name are right', async () => {
    await open('localhost', `sslmode=verify-full&sslrootcert=${pathOf('ca.crt')}`);
  });

  it.each([
    ['another authority', 'localhost', 'sslmode=verify-full&sslrootcert=other.crt'],
    ['no authority that Node knows', 'localhost', 'sslmode=verify-full'],
    ['another name', '127.0.0.1', 'sslmode=verify-full&sslrootcert=ca.crt'],
    ['no encryption', 'localhost', 'sslmode=disable'],
  ])('refuses %s', async (_what, host, query) => {
    const withPath = query.replace(/(\w+\.crt)/, (name) => pathOf(name));
    await expect(open(host, withPath)).rejects.toThrow(
      /certificate|altnames|no encryption|self-signed/i,
    );
  });
});
