/**
 * The role of docs/deploy/kubernetes.md lets KEDA read the number of open units and nothing else.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openEngine } from '@tessera/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTGRES_PROGRAMS, PostgresServer } from '../../scripts/cluster/postgres-server.ts';

const DOCS = resolve(import.meta.dirname, '../../docs/deploy');

describe.skipIf(POSTGRES_PROGRAMS === null)('the role of KEDA', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
    await (await openEngine(server.url, () => {})).close();
    const page = readFileSync(join(DOCS, 'kubernetes.md'), 'utf8');
    const statements = /```sql\n(CREATE ROLE keda [\s\S]*?)```/.exec(page)![1]!;
    query('tessera', statements);
  });

  afterAll(() => server.stop());

  function query(user: string, statement: string): string {
    const url = server.url.replace('tessera@', `${user}@`);
    const options = ['--no-psqlrc', '--tuples-only', '--no-align', '-v', 'ON_ERROR_STOP=1'];
    return execFileSync(join(POSTGRES_PROGRAMS!, 'psql'), [...options, '-c', statement, url], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  }

  it('runs the query of the ScaledObject', () => {
    const manifest = readFileSync(
      join(DOCS, 'kubernetes/components/keda/scaled-object.yml'),
      'utf8',
    );
    const statement = /^ +query: (.*)$/m.exec(manifest)![1]!;
    expect(query('keda', statement)).toBe('0');
  });

  it.each([
    'SELECT * FROM tessera.unit',
    'DELETE FROM tessera.tenant',
    'CREATE TABLE tessera.x (y int)',
  ])('may not %s', (statement) => {
    expect(() => query('keda', statement)).toThrow('permission denied');
  });
});
