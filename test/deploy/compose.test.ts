/**
 * Compose files and the Dockerfile start the services with valid settings, existing files and no
 * privileges.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHIPLET_ENDPOINT_PATH } from '@tessera/wire/chiplet-health';
import { type EnvironmentTable, readEnvironment } from '@tessera/wire/environment';
import { describe, expect, it } from 'vitest';
import { COORDINATOR_ALLOCATOR } from '../../scripts/launch/coordinator-allocator.ts';
import { ENVIRONMENT as WORKER } from '../../services/chiplet-worker/src/config.ts';
import { ENVIRONMENT as COORDINATOR } from '../../services/coordinator/src/config/config.ts';
import { ENVIRONMENT as VISIBILITY } from '../../services/visibility-chiplet/src/config.ts';
import {
  COMPOSE_SERVICES,
  ROOT,
  readServices,
  readText,
  readVariables,
} from '../support/compose-services.ts';

/** Tables of the variables that the processes of a service read. */
const TABLES: Readonly<Record<string, readonly EnvironmentTable[]>> = {
  coordinator: [COORDINATOR],
  'visibility-chiplet': [VISIBILITY],
  'chiplet-worker': [WORKER],
  gateway: [COORDINATOR],
  cell: [COORDINATOR, VISIBILITY, WORKER],
};
/** Variables of the launcher, which is the first process of a cell. */
const LAUNCHER_VARIABLES = ['TESSERA_WORKERS'];
/** Files of command and health check, where they are not those of the service of the same name. */
const FILES: Readonly<Record<string, readonly [string, string]>> = {
  gateway: ['services/coordinator/src/main.ts', 'services/coordinator/src/healthcheck.ts'],
  cell: ['scripts/launch/start.ts', 'services/coordinator/src/healthcheck.ts'],
};

const RUNNING = COMPOSE_SERVICES.filter(({ name }) => Object.hasOwn(TABLES, name));
const MONITORING = COMPOSE_SERVICES.filter(({ text }) => text.includes('profiles: [monitoring]'));

describe('compose files', () => {
  it('start the three services, those of a cluster, and workers alone on other hosts', () => {
    expect(RUNNING.map(({ path, name }) => `${path}: ${name}`)).toEqual([
      'docker-compose.yml: coordinator',
      'docker-compose.yml: visibility-chiplet',
      'docker-compose.yml: chiplet-worker',
      'docker-compose.yml: gateway',
      'docker-compose.yml: cell',
      'docs/deploy/worker-host.yml: chiplet-worker',
    ]);
  });

  it.each(['coordinator', 'gateway'])('use the allocator settings of npm start: %s', (service) => {
    const { text } = RUNNING.find(({ name }) => name === service)!;
    const settings = text.matchAll(/^ {6}(MALLOC_\w+): "(\d+)"$/gm);
    expect(Object.fromEntries([...settings].map(([, name, value]) => [name, value]))).toEqual(
      COORDINATOR_ALLOCATOR,
    );
  });

  it('open ports of services that exist', () => {
    const names = readServices('docs/deploy/first-host.yml').map(([name]) => name);
    expect(names).toEqual(['coordinator', 'visibility-chiplet']);
  });

  describe.each(RUNNING)('$path: $name', ({ path, name, text }) => {
    it('sets variables of the service to valid values', () => {
      const variables = readVariables(text);
      expect(Object.keys(variables)).toContain('TESSERA_LOG_LEVEL');
      const known = [
        ...LAUNCHER_VARIABLES,
        ...TABLES[name]!.flatMap((table) => Object.keys(table)),
      ];
      expect(Object.keys(variables).filter((key) => !known.includes(key))).toEqual([]);
      for (const table of TABLES[name]!) {
        expect(() => readEnvironment(table, variables)).not.toThrow();
      }
    });

    it('connects to the paths at which the services listen', () => {
      const crosslinkPath = /const CROSSLINK_PATH = '([^']+)'/.exec(
        readText('services/visibility-chiplet/src/crosslink-endpoint.ts'),
      )?.[1];
      const paths: Readonly<Record<string, string | undefined>> = {
        TESSERA_COORDINATOR_URL: CHIPLET_ENDPOINT_PATH,
        TESSERA_CROSSLINK_URL: crosslinkPath,
        TESSERA_CROSSLINK_PUBLIC_URL: crosslinkPath,
      };
      const wrong = Object.entries(readVariables(text)).filter(
        ([key, value]) => Object.hasOwn(paths, key) && new URL(value).pathname !== paths[key],
      );
      expect(wrong).toEqual([]);
    });

    it('runs the service and its health check from files that exist', () => {
      const files = FILES[name] ?? [
        `services/${name}/src/main.ts`,
        `services/${name}/src/healthcheck.ts`,
      ];
      const command = /command: \["node", "([^"]+)"\]/.exec(text)?.[1];
      const check = /healthcheck:\n(?: {6}.*\n)*? {6}test: \["CMD", "node", "([^"]+)"\]/.exec(
        text,
      )?.[1];
      expect([command, check]).toEqual(files);
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    });

    it('runs without privileges', () => {
      const isMerged = text.includes('<<: *service');
      const rights = isMerged ? readText(path).split('x-service: &service')[1] : text;
      for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) {
        expect(rights).toContain(line);
      }
    });
  });
});

describe('profile monitoring', () => {
  it('has Prometheus and Grafana, by exact version, on loopback, with files that exist', () => {
    expect(MONITORING.map(({ name }) => name)).toEqual(['prometheus', 'grafana']);
    for (const { text } of MONITORING) {
      expect(text).toMatch(/image: \S+:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/m);
      expect(text).toMatch(/ports: \["127\.0\.0\.1:/);
      expect(text).toContain('cap_drop: [ALL]');
      const files = [...text.matchAll(/\.\/(docs\/[^:"]+):/g)].map((match) => match[1]!);
      expect(files).not.toEqual([]);
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    }
  });
});

describe('Dockerfile', () => {
  const text = readText('Dockerfile');

  it('copies the manifest of every workspace, since npm ci compares them with the lock file', () => {
    const workspaces = ['packages', 'services'].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .map((name) => `${folder}/${name}`)
        .filter((path) => existsSync(join(ROOT, path, 'package.json'))),
    );
    const copied = [...text.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(
      (match) => match[1],
    );
    expect(copied.toSorted()).toEqual(workspaces.toSorted());
  });

  it('runs no install script of a package', () => {
    expect(text).toMatch(/npm ci .*--ignore-scripts/);
  });

  it('runs as an unprivileged user', () => {
    expect(text).toMatch(/^USER node$/m);
  });
});

describe('package-lock.json', () => {
  it('names the optional packages of all platforms, without which npm ci fails', () => {
    const { packages } = JSON.parse(readText('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter((name) => !names.has(name)),
    );
    expect(missing).toEqual([]);
  });
});
