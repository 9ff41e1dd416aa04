/**
 * Checks of Kubernetes manifests against the schemas of Kubernetes and KEDA, as the npm packages
 * `kubernetes-models` and `@kubernetes-models/keda` publish them. Those schemas permit unknown
 * fields. A validator reads every field that its schema has, so fields that were not read are
 * unknown.
 */
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';

/** Manifest with at least the fields that name an object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Fault as the validators report it. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: object;
}

const KINDS = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
  TriggerAuthentication,
];

/**
 * Returns the faults of a manifest, each with the path of its field.
 *
 * @param isPatch Whether required fields may be missing, as in a patch.
 */
export function findManifestFaults(manifest: Manifest, isPatch = false): string[] {
  const { apiVersion, kind } = manifest;
  const model = KINDS.find((type) => type.apiVersion === apiVersion && type.kind === kind);
  if (model === undefined) return [`there is no schema of ${apiVersion} ${kind}`];
  const read = new Set<string>();
  const errors = findErrors(model.prototype.validate, watchReads(manifest, '', read));
  return [
    ...errors
      .filter(({ keyword }) => !(isPatch && keyword === 'required'))
      .map(({ instancePath, keyword, params }) => {
        return `${instancePath}: ${keyword} ${JSON.stringify(params)}`;
      }),
    ...findUnread(manifest, '', read),
  ];
}

function findErrors(validate: () => void, manifest: unknown): readonly SchemaError[] {
  try {
    validate.call(manifest);
    return [];
  } catch (error) {
    const { errors } = error as { errors?: readonly SchemaError[] };
    if (errors === undefined) throw error;
    return errors;
  }
}

/** Returns a view of `value` that adds the path of each field that is read to `read`. */
function watchReads(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, key) => {
      const field: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return field;
      read.add(`${path}/${key}`);
      return watchReads(field, `${path}/${key}`, read);
    },
  });
}

function findUnread(value: unknown, path: string, read: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const name = `${path}/${key}`;
    return read.has(name) ? findUnread(field, name, read) : [`${name}: unknown field`];
  });
}
