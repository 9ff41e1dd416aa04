/** Values of a preset with the source of each. */
import type { ChipletSpec } from './chiplet-spec.ts';

/** Parameters that have one source. */
export interface SourcedValues {
  /**
   * Origin of the values: a publication, a measurement, or «chosen» with the reason. Values
   * in nanoseconds were converted at the preset's clock and rounded up.
   */
  readonly source: string;
  readonly values: Partial<ChipletSpec>;
}

/** Preset as a table of sources. Parameters that are not listed are those of another preset. */
export interface PresetSources {
  readonly name: string;
  /** Meaning of the preset. */
  readonly meaning: string;
  /** Preset of the parameters that are not listed; null if all are. */
  readonly base: string | null;
  readonly groups: readonly SourcedValues[];
}

/** Shader cores that issue an instruction of any class per cycle and wait for no result. */
export const ONE_CYCLE_INSTRUCTIONS: Partial<ChipletSpec> = {
  aluLatencyCycles: 1,
  interpolationLatencyCycles: 1,
  specialIssueCycles: 1,
  specialLatencyCycles: 1,
  constantLoadLatencyCycles: 1,
  arrayAccessLatencyCycles: 1,
  controlLatencyCycles: 1,
  divisionIssueCycles: 1,
  divisionLatencyCycles: 1,
  integerDivisionIssueCycles: 1,
  integerDivisionLatencyCycles: 1,
};

/**
 * Returns all values of a preset's table.
 *
 * @throws {Error} If two groups list the same parameter.
 */
export function valuesOf({ name, groups }: PresetSources): Partial<ChipletSpec> {
  const all: Record<string, unknown> = { name };
  for (const { values } of groups) {
    for (const [field, value] of Object.entries(values)) {
      if (Object.hasOwn(all, field)) throw new Error(`preset ${name}: ${field} has two sources`);
      all[field] = value;
    }
  }
  return all;
}
