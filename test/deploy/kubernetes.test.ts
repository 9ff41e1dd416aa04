/** Manifests of docs/deploy/kubernetes fit together, and start the services with valid settings. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readEnvironment } from '@tessera/wire/environment';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT as WORKER } from '../../services/chiplet-worker/src/config.ts';
import { ENVIRONMENT } from '../../services/coordinator/src/config/config.ts';
import { ENVIRONMENT as VISIBILITY } from '../../services/visibility-chiplet/src/config.ts';
import {
  FOLDER,
  isKustomization,
  isPatch,
  readManifests,
} from '../support/kubernetes-manifests.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = readManifests();

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
  readonly configMapGenerator?: readonly { readonly literals: readonly string[] }[];
}

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: { readonly exec?: { readonly command: readonly string[] } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: unknown;
}

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

function objectOf<Shape>(kind: string, name: string): Shape {
  const found = DOCUMENTS.find(
    (document) =>
      !isPatch(document) &&
      document.manifest.kind === kind &&
      document.manifest.metadata.name === name,
  );
  if (found === undefined) throw new Error(`${kind} ${name} does not exist`);
  return found.manifest as unknown as Shape;
}

function podOf(name: string) {
  return objectOf<Deployment>('Deployment', name).spec.template.spec;
}

function variablesOf({ env }: Container): Record<string, string> {
  return Object.fromEntries(env.map(({ name, value }) => [name, value ?? 'a-name']));
}

describe('kustomization files', () => {
  const FILES = DOCUMENTS.filter(isKustomization).map(({ file, manifest }) => ({
    folder: dirname(file),
    content: manifest as unknown as Kustomization,
  }));

  it('name files that exist, and every file is named', () => {
    const named = FILES.flatMap(({ folder, content }) =>
      [
        ...(content.resources ?? []),
        ...(content.components ?? []),
        ...(content.patches ?? []).flatMap(({ path }) => path ?? []),
      ].map((path) => join(folder, path)),
    );
    expect(named.filter((path) => !existsSync(join(FOLDER, path)))).toEqual([]);
    const files = DOCUMENTS.filter((document) => !isKustomization(document));
    expect(files.map(({ file }) => file).filter((file) => !named.includes(file))).toEqual([]);
  });

  it('patch objects that exist, and containers by their names', () => {
    for (const { manifest } of DOCUMENTS.filter(isPatch)) {
      const target = objectOf<Deployment>(manifest.kind, manifest.metadata.name);
      if (manifest.kind !== 'Deployment') continue;
      const [patched] = (manifest as unknown as Deployment).spec.template.spec.containers;
      expect(patched.name).toBe(target.spec.template.spec.containers[0].name);
    }
  });

  it('generate variables of the services with valid values', () => {
    const literals = FILES.flatMap(({ content }) => content.configMapGenerator ?? []).flatMap(
      (generator) => generator.literals,
    );
    expect(literals.length).toBeGreaterThan(0);
    for (const literal of literals) {
      const [, name, value] = /^(\w+)=(.*)$/.exec(literal)!;
      expect(Object.keys(ENVIRONMENT)).toContain(name);
      expect(() => readEnvironment(ENVIRONMENT, { [name!]: value })).not.toThrow();
    }
  });
});

describe.each(['gateway', 'cell'])('the %s', (name) => {
  const pod = podOf(name);
  const [container] = pod.containers;

  it('sets variables of its processes to valid values', () => {
    const { TESSERA_WORKERS: _launcher, ...variables } = variablesOf(container);
    expect(variables.TESSERA_ROLE).toBe(name);
    const tables = name === 'cell' ? [ENVIRONMENT, VISIBILITY, WORKER] : [ENVIRONMENT];
    const known = tables.flatMap((table) => Object.keys(table));
    expect(Object.keys(variables).filter((key) => !known.includes(key))).toEqual([]);
    for (const table of tables) expect(() => readEnvironment(table, variables)).not.toThrow();
  });

  it('runs files that exist, and without privileges', () => {
    const commands = [container.command, container.livenessProbe.exec?.command ?? []];
    const files = commands.flat().filter((word) => word.endsWith('.ts'));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('mounts every volume, and reads files and folders of mounted volumes', () => {
    const mounts = container.volumeMounts.map((mount) => mount.name);
    expect(mounts.toSorted()).toEqual(pod.volumes.map((volume) => volume.name).toSorted());
    const paths = Object.values(variablesOf(container)).filter((value) => value.startsWith('/'));
    const folders = container.volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths.filter((path) => !folders.some((folder) => path.startsWith(folder)))).toEqual([]);
  });

  it('is what the other objects select', () => {
    const labels = objectOf<Deployment>('Deployment', name).spec.template.metadata.labels;
    expect(labels).toEqual({ 'app.kubernetes.io/component': name });
    const { spec } = objectOf<{ spec: { podSelector: unknown } }>('NetworkPolicy', name);
    expect(spec.podSelector).toEqual({ matchLabels: labels });
  });
});

describe('a cell', () => {
  const pod = podOf('cell');

  it('has time to drain before it is killed', () => {
    const shutdownMs = Number(variablesOf(pod.containers[0]).TESSERA_SHUTDOWN_MS);
    expect(shutdownMs).toBeGreaterThanOrEqual(60_000);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(shutdownMs + 10_000);
  });

  it('opens no port, and lets nothing connect', () => {
    expect(pod.containers[0].ports).toBe(undefined);
    const { spec } = objectOf<{ spec: { ingress: unknown } }>('NetworkPolicy', 'cell');
    expect(spec.ingress).toEqual([]);
  });

  it('is scaled by the number of waiting units, down to zero', () => {
    const { spec } = objectOf<{
      spec: {
        scaleTargetRef: { name: string };
        minReplicaCount: number;
        triggers: { type: string; metadata: Record<string, string> }[];
      };
    }>('ScaledObject', 'cell');
    expect([spec.scaleTargetRef.name, spec.minReplicaCount]).toEqual(['cell', 0]);
    expect(spec.triggers.map(({ type }) => type)).toEqual(['postgresql']);
    expect(spec.triggers[0]!.metadata.query).toBe('SELECT count FROM tessera.waiting_units');
    expect(Number(spec.triggers[0]!.metadata.targetQueryValue)).toBeGreaterThan(0);
  });
});

it('docs/deploy/kubernetes has no other files', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const names = files.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(names.filter((name) => !name.endsWith('.yml'))).toEqual([]);
});
