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

/**
 * Returns the presets and stored specifications.
 *
 * @throws {ProblemError}
 */
export function getSpecs(signal: AbortSignal): Promise<SpecList> {
  return getJson<SpecList>('/v1/specs', signal);
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
