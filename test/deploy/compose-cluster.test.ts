/**
 * The profile `cluster` of docker-compose.yml adds PostgreSQL, a gateway and cells, and nothing
 * else.
 */
import { describe, expect, it } from 'vitest';
import { COMPOSE_SERVICES, readVariables } from '../support/compose-services.ts';

const CLUSTER = COMPOSE_SERVICES.filter(({ text }) => text.includes('profiles: [cluster]'));

describe('profile cluster', () => {
  const textOf = (service: string) => CLUSTER.find(({ name }) => name === service)!.text;

  it('has PostgreSQL, gateways and cells, which no other service needs', () => {
    const names = CLUSTER.map(({ name }) => name);
    expect(names).toEqual(['cluster-secrets', 'postgres', 'gateway', 'cell']);
    for (const { text } of COMPOSE_SERVICES.filter((service) => !CLUSTER.includes(service))) {
      const needed = text.split(/^ {4}depends_on:/m)[1] ?? '';
      expect(names.filter((name) => needed.includes(name))).toEqual([]);
    }
  });

  it.each(['postgres', 'gateway', 'cell'])('bounds memory, processes and stop: %s', (service) => {
    expect(textOf(service)).toMatch(/^ {4}mem_limit: \$\{TESSERA_\w+_MEMORY:-\d+g\}$/m);
    expect(textOf(service)).toMatch(/^ {4}pids_limit: \d+$/m);
    expect(textOf(service)).toMatch(/^ {4}stop_grace_period: \d+s$/m);
  });

  it('runs PostgreSQL by exact version, without privileges or ports, with a secret in a file', () => {
    const text = textOf('postgres');
    expect(text).toMatch(/image: postgres:\d+\.\d+-\w+@sha256:[0-9a-f]{64}$/m);
    for (const line of ['user: postgres', 'read_only: true', 'cap_drop: [ALL]']) {
      expect(text).toContain(line);
    }
    expect(text).toContain('no-new-privileges:true');
    expect(text).not.toContain('ports:');
    const file = /POSTGRES_PASSWORD_FILE: (\S+)/.exec(text)![1];
    expect(textOf('cluster-secrets')).toContain(`--password=${file}`);
    expect(textOf('cluster-secrets')).toContain('--address=postgres:5432');
  });

  it('opens no port of a cell, and that of a gateway on loopback', () => {
    expect(textOf('cell')).not.toContain('ports:');
    expect(textOf('gateway')).toMatch(/ports: \["127\.0\.0\.1:/);
    for (const service of ['gateway', 'cell']) {
      const file = readVariables(textOf(service)).TESSERA_ENGINE_URL_FILE;
      expect(textOf('cluster-secrets')).toContain(`--url=${file}`);
    }
  });
});
