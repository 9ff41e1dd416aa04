/** Manifests of docs/deploy/kubernetes match the published schemas of their kinds. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Document,
  FOLDER,
  isKustomization,
  isPatch,
  parseManifests,
  readManifests,
} from '../support/kubernetes-manifests.ts';
import { findManifestFaults, type Manifest } from '../support/kubernetes-schema.ts';

const MANIFESTS = readManifests().filter((document) => !isKustomization(document));
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

function labelOf({ file, index, manifest }: Document): string {
  return `${file} ${index}: ${manifest.kind}`;
}

function manifestOf(kind: string, name: string): Manifest {
  const found = MANIFESTS.find(
    (document) =>
      !isPatch(document) &&
      document.manifest.kind === kind &&
      document.manifest.metadata.name === name,
  );
  if (found === undefined) throw new Error(`${kind} ${name} does not exist`);
  return found.manifest;
}

/**
 * Returns a copy of a manifest with a field at `path` replaced, or removed if `value` is undefined.
 */
function withField(manifest: Manifest, path: string, value: unknown): Manifest {
  const copy = structuredClone(manifest);
  const keys = path.split('.');
  const last = keys.pop()!;
  let parent = copy as unknown as Record<string, unknown>;
  for (const key of keys) parent = parent[key] as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe('manifests for Kubernetes', () => {
  it.each(MANIFESTS.map((document) => [labelOf(document), document] as const))(
    'match the schema: %s',
    (_label, document) => {
      expect(findManifestFaults(document.manifest, isPatch(document))).toEqual([]);
    },
  );

  const POD = 'spec.template.spec';
  it.each([
    ['Deployment', 'cell', `${POD}.terminationGracePeriodSeconds`, '90', 'type'],
    ['Deployment', 'cell', `${POD}.terminationGraceSeconds`, 90, 'unknown field'],
    ['Deployment', 'cell', `${POD}.containers.0.name`, undefined, 'required'],
    ['Deployment', 'cell', `${POD}.containers.0.image`, ['tessera'], 'type'],
    ['Deployment', 'cell', `${POD}.containers.0.livenessProbe.periodSeconds`, '60', 'type'],
    ['Deployment', 'cell', `${POD}.volumes.0.emptyDirectory`, {}, 'unknown field'],
    ['Deployment', 'gateway', 'apiVersion', 'apps/v1beta1', 'no schema'],
    ['Deployment', 'gateway', `${POD}.containers.0.env.0.values`, 'x', 'unknown field'],
    ['Deployment', 'gateway', `${POD}.containers.0.ports.0.containerPort`, 'http', 'type'],
    ['Deployment', 'gateway', 'spec.selector', undefined, 'required'],
    ['Service', 'gateway', 'spec.ports.0.port', undefined, 'required'],
    ['HorizontalPodAutoscaler', 'gateway', 'spec.maxReplicas', undefined, 'required'],
    ['HorizontalPodAutoscaler', 'gateway', 'spec.metrics.0.resources', {}, 'unknown field'],
    ['PodDisruptionBudget', 'gateway', 'spec.minimum', 1, 'unknown field'],
    ['NetworkPolicy', 'cell', 'spec.policyTypes', 'Ingress', 'type'],
    ['NetworkPolicy', 'gateway', 'spec.ingress.0.port', 8080, 'unknown field'],
    ['ScaledObject', 'cell', 'spec.triggers', undefined, 'required'],
    ['ScaledObject', 'cell', 'spec.triggers.0.metadata.targetQueryValue', 50, 'type'],
    ['ScaledObject', 'cell', 'spec.minReplicas', 0, 'unknown field'],
    ['TriggerAuthentication', 'cell', 'spec.secretTargetRef.0.parameter', undefined, 'required'],
  ])('%s %s with another %s (%j) has a fault: %s', (kind, name, path, value, fault) => {
    const faults = findManifestFaults(withField(manifestOf(kind, name), path, value));
    expect(faults.join('\n')).toContain(fault);
  });

  it.skipIf(!hasKubectl).each(['small', 'large'])('the overlay %s renders', (overlay) => {
    const { stdout, stderr, status } = spawnSync(
      'kubectl',
      ['kustomize', join(FOLDER, 'overlays', overlay)],
      { encoding: 'utf8' },
    );
    expect([stderr, status]).toEqual(['', 0]);
    const manifests = parseManifests(stdout);
    const count = MANIFESTS.filter(({ file }) => file.startsWith('base/')).length + 1;
    expect(manifests.length).toBe(overlay === 'large' ? count + 2 : count);
    expect(manifests.flatMap((manifest) => findManifestFaults(manifest))).toEqual([]);
  });
});
