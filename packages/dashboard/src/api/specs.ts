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

/**
 * Returns the presets and stored specifications, the service's first preset first.
 *
 * @throws {ProblemError}
 */
export async function getSpecs(signal: AbortSignal): Promise<readonly SpecEntry[]> {
  return (await getJson<{ specs: SpecEntry[] }>('/v1/specs', signal)).specs;
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
