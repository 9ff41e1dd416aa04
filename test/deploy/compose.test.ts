/**
 * Compose files and the Dockerfile start the services with valid settings, existing files and no
 * privileges.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CHIPLET_ENDPOINT_PATH } from '@tessera/wire/chiplet-health';
import { type EnvironmentTable, readEnvironment } from '@tessera/wire/environment';
import { describe, expect, it } from 'vitest';
import { COORDINATOR_ALLOCATOR } from '../../scripts/launch/coordinator-allocator.ts';
import { ENVIRONMENT as WORKER } from '../../services/chiplet-worker/src/config.ts';
import { ENVIRONMENT as COORDINATOR } from '../../services/coordinator/src/config/config.ts';
import { ENVIRONMENT as VISIBILITY } from '../../services/visibility-chiplet/src/config.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SERVICES: Readonly<Record<string, EnvironmentTable>> = {
  coordinator: COORDINATOR,
  'visibility-chiplet': VISIBILITY,
  'chiplet-worker': WORKER,
};

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the services of a compose file with their lines, without comments. */
function readServices(path: string): [name: string, text: string][] {
  const lines = readText(path)
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''));
  const block = `${lines.join('\n')}\n`.split(/^services:\n/m)[1]?.split(/^\S/m)[0] ?? '';
  return block
    .split(/^ {2}(?=\S)/m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf(':')), text]);
}

/**
 * Returns the environment of a service with the defaults of `${NAME:-default}`. A required host is
 * `host`.
 */
function readVariables(service: string): Record<string, string> {
  return Object.fromEntries(
    [...service.matchAll(/^ {6}(TESSERA_\w+): "?(.*?)"?\s*$/gm)].map(([, name, value]) => [
      name!,
      value!.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+(:\?[^}]*)?\}/g, 'host'),
    ]),
  );
}

/** Services, except those of the profile `monitoring`, which run third-party images. */
const ALL = ['docker-compose.yml', 'docs/deploy/worker-host.yml'].flatMap((path) =>
  readServices(path).map(([name, text]) => ({ path, name, text })),
);
const RUNNING = ALL.filter(({ text }) => !text.includes('profiles: [monitoring]'));
const MONITORING = ALL.filter((service) => !RUNNING.includes(service));

describe('compose files', () => {
  it('start the three services, and workers alone on other hosts', () => {
    expect(RUNNING.map(({ path, name }) => `${path}: ${name}`)).toEqual([
      'docker-compose.yml: coordinator',
      'docker-compose.yml: visibility-chiplet',
      'docker-compose.yml: chiplet-worker',
      'docs/deploy/worker-host.yml: chiplet-worker',
    ]);
  });

  it('use the same allocator settings for the coordinator as npm start', () => {
    const coordinator = RUNNING.find(({ name }) => name === 'coordinator')!.text;
    const settings = coordinator.matchAll(/^ {6}(MALLOC_\w+): "(\d+)"$/gm);
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
      expect(Object.keys(variables).filter((key) => SERVICES[name]?.[key] === undefined)).toEqual(
        [],
      );
      expect(() => readEnvironment(SERVICES[name]!, variables)).not.toThrow();
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
      const command = /command: \["node", "([^"]+)"\]/.exec(text)?.[1];
      const check = /healthcheck:\n(?: {6}.*\n)*? {6}test: \["CMD", "node", "([^"]+)"\]/.exec(
        text,
      )?.[1];
      expect([command, check]).toEqual([
        `services/${name}/src/main.ts`,
        `services/${name}/src/healthcheck.ts`,
      ]);
      expect([command, check].filter((file) => !existsSync(join(ROOT, file!)))).toEqual([]);
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
      expect(text).toMatch(/image: \S+:v?\d+\.\d+\.\d+$/m);
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
