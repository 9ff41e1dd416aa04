/** Specifications of the simulated chiplets and the table of their parameters. */
import { getJson } from './requests.ts';

/** Value of a hardware parameter. */
export type ParameterValue = number | boolean | string;

/** Hardware parameter. */
export interface SpecParameter {
  readonly name: string;
  readonly kind: 'integer' | 'switch' | 'choice';
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly isPowerOfTwo: boolean;
  readonly values: readonly string[] | null;
  readonly meaning: string;
}

/** Preset or stored specification. */
export interface SpecEntry {
  readonly name: string;
  readonly spec: { readonly parameters: Readonly<Record<string, ParameterValue>> };
}

/** Specifications that a request can name. */
export interface SpecList {
  /** Name of the preset of requests that name none. */
  readonly default: string;
  /** Presets and stored specifications. */
  readonly specs: readonly SpecEntry[];
}

/** Answer of the service. A stored specification of another version may have no values. */
interface ListedSpecs {
  readonly default: string;
  readonly specs: readonly { readonly name: string; readonly spec: SpecEntry['spec'] | null }[];
}

/**
 * Returns the presets and stored specifications that a request can use.
 *
 * @throws {ProblemError}
 */
export async function getSpecs(signal: AbortSignal): Promise<SpecList> {
  const listed = await getJson<ListedSpecs>('/v1/specs', signal);
  const specs = listed.specs.flatMap(({ name, spec }) => (spec === null ? [] : [{ name, spec }]));
  return { default: listed.default, specs };
}

/** Returns the specification of a list with this name, or its default one if the name is empty. */
export function findSpec({ default: first, specs }: SpecList, name: string): SpecEntry | undefined {
  const wanted = name === '' ? first : name;
  return specs.find((spec) => spec.name === wanted);
}

/**
 * Returns the table of parameters.
 *
 * @throws {ProblemError}
 */
export async function getSpecParameters(signal: AbortSignal): Promise<readonly SpecParameter[]> {
  const path = '/v1/specs/parameters';
  return (await getJson<{ parameters: SpecParameter[] }>(path, signal)).parameters;
}
