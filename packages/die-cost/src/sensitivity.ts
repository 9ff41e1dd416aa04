/** Spread of a figure over the ranges of its assumptions. */
import { type Assumptions, type Range, typicalValues, type Values } from './assumption.ts';

/** A figure, as a function of the values of the assumptions. */
export type Figure<Name extends string> = (values: Values<Name>) => number;

/** Effect of one assumption, with all others typical. */
export interface Effect<Name extends string = string> {
  readonly name: Name;
  /** Figure with the least and the largest value of the assumption. */
  readonly atLow: number;
  readonly atHigh: number;
}

/** A figure with its spread. */
export interface Estimate<Name extends string = string> extends Range {
  /** Effects of the assumptions that have one, widest first. The first dominates the figure. */
  readonly effects: readonly Effect<Name>[];
}

/**
 * Returns a figure with its spread. Every assumption varies alone from its low to its high value,
 * which gives its effect. The ends of the range join the effects as those of independent errors:
 * the square root of the sum of squares, of logarithms because the figures are products.
 *
 * @param figure Positive for all values in the ranges.
 */
export function estimate<Name extends string>(
  assumptions: Assumptions<Name>,
  figure: Figure<Name>,
): Estimate<Name> {
  const values = typicalValues(assumptions);
  const typical = figure(values);
  const effects: Effect<Name>[] = [];
  let below = 0;
  let above = 0;
  for (const name of Object.keys(assumptions) as Name[]) {
    const { low, high } = assumptions[name];
    if (low === high) continue;
    const atLow = figure({ ...values, [name]: low });
    const atHigh = figure({ ...values, [name]: high });
    if (atLow === typical && atHigh === typical) continue;
    effects.push({ name, atLow, atHigh });
    below += Math.log(Math.min(atLow, atHigh, typical) / typical) ** 2;
    above += Math.log(Math.max(atLow, atHigh, typical) / typical) ** 2;
  }
  effects.sort((a, b) => widthOf(b) - widthOf(a));
  const low = typical * Math.exp(-Math.sqrt(below));
  return { low, typical, high: typical * Math.exp(Math.sqrt(above)), effects };
}

/**
 * Returns the least and the largest value of a figure over all combinations of low and high values.
 * No combination of values within the ranges is outside if the figure is monotonic in each.
 */
export function worstCases<Name extends string>(
  assumptions: Assumptions<Name>,
  figure: Figure<Name>,
): { readonly least: number; readonly most: number } {
  const names = (Object.keys(assumptions) as Name[]).filter(
    (name) => assumptions[name].low !== assumptions[name].high,
  );
  const values: Record<string, number> = { ...typicalValues(assumptions) };
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let corner = 0; corner < 2 ** names.length; corner++) {
    for (const [i, name] of names.entries()) {
      values[name] = (corner >> i) & 1 ? assumptions[name].high : assumptions[name].low;
    }
    const value = figure(values as Values<Name>); // Every name has a value.
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most };
}

function widthOf({ atLow, atHigh }: Effect): number {
  return Math.abs(Math.log(atHigh / atLow));
}
