/** Specification that the query of a request asks for. */
import { parseSettings, specOfSummary, summarizeSpec, withSettings } from '@tessera/chiplet-spec';
import type { SpecSummary } from '@tessera/frame';
import { type InstructionLimits, refuseLargeBudgets } from './instruction-limits.ts';
import { atPlace, type NamedSpecs } from './spec-store.ts';

/** Parameters of a query that define the specification. */
export interface SpecQuery {
  readonly spec?: string | undefined;
  readonly set?: string | undefined;
}

/**
 * Returns the specification of a query: a preset or stored one with settings.
 *
 * @param limits Limits on the budgets of the specification.
 * @param base Specification without `spec`: the name of the service's preset, or that of an earlier
 *   frame.
 * @param place Name of the field of the specification, for errors.
 * @throws {RenderError} REQUEST_INVALID, naming `place` or the parameter in `query.set`;
 *   LIMIT_EXCEEDED for a budget above the limits.
 */
export function requestedSpec(
  query: SpecQuery,
  specs: NamedSpecs,
  limits: InstructionLimits,
  base: string | SpecSummary,
  place = 'query.spec',
): SpecSummary {
  const requested = resolveSpec(query, specs, base, place);
  refuseLargeBudgets(requested, limits, query.set === undefined ? place : 'query.set');
  return requested;
}

function resolveSpec(
  { spec, set }: SpecQuery,
  specs: NamedSpecs,
  base: string | SpecSummary,
  place: string,
): SpecSummary {
  if (spec === undefined && set === undefined && typeof base !== 'string') return base;
  const named =
    spec !== undefined || typeof base === 'string'
      ? specs.require(spec ?? String(base), place)
      : atPlace(place, () => specOfSummary(base));
  if (set === undefined) return summarizeSpec(named);
  return summarizeSpec(atPlace('query.set', () => withSettings(named, parseSettings(set))));
}
