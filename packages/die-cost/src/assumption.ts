/**
 * Inputs of the estimate. None is known exactly, so each is a range with the source of its ends.
 */

/** A value that is estimated from below and from above. */
export interface Range {
  readonly low: number;
  readonly typical: number;
  readonly high: number;
}

/** An input with its unit, meaning and source. `low` and `high` are the least and largest value. */
export interface Assumption extends Range {
  readonly unit: string;
  readonly meaning: string;
  /** Origin of the three values: publications, a derivation, or «chosen» with the reason. */
  readonly source: string;
  readonly confidence: Confidence;
}

/**
 * Trust in an assumption: high if measured or stated by the maker, medium if published as an
 * estimate or derived from such figures, low if an end is chosen or the source gives no origin.
 */
export type Confidence = 'high' | 'medium' | 'low';

/** Assumptions by name. */
export type Assumptions<Name extends string> = Readonly<Record<Name, Assumption>>;

/** A value for each assumption. */
export type Values<Name extends string> = Readonly<Record<Name, number>>;

/** Returns the typical value of each assumption. */
export function typicalValues<Name extends string>(assumptions: Assumptions<Name>): Values<Name> {
  const entries = Object.entries<Assumption>(assumptions);
  // The names are those of the assumptions.
  return Object.fromEntries(entries.map(([name, { typical }]) => [name, typical])) as Values<Name>;
}

/**
 * Returns the assumptions with some fixed, so that they have no spread.
 *
 * @throws {RangeError} If there is no assumption of a name, or a value is not a positive number.
 */
export function fixAssumptions<Name extends string>(
  assumptions: Assumptions<Name>,
  fixed: Readonly<Record<string, number>>,
): Assumptions<Name> {
  const result: Record<string, Assumption> = { ...assumptions };
  for (const [name, value] of Object.entries(fixed)) {
    const assumption = Object.hasOwn(result, name) ? result[name] : undefined;
    if (assumption === undefined) {
      throw new RangeError(`${name}: none of ${Object.keys(assumptions).join(', ')}`);
    }
    if (!(value > 0 && Number.isFinite(value))) {
      throw new RangeError(`${name}: ${value} is not a positive number`);
    }
    const given = { source: 'fixed by the caller', confidence: 'high' } as const;
    result[name] = { ...assumption, low: value, typical: value, high: value, ...given };
  }
  return result as Assumptions<Name>; // The names have not changed.
}
