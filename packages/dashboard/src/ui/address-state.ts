/**
 * State of a page in its address, and links to a plot with its choices. The state follows the path
 * as a query.
 */
import { copyLink } from './copy-link.ts';
import { problemBox } from './page.ts';
import { parseQuery } from './routes.ts';

/** Inclusive range of whole numbers. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Name of the parameter that names the plot of a link. */
const PLOT = 'plot';

/**
 * Returns one of several names in a query; `otherwise` if the query does not have it.
 *
 * @throws {RangeError} If the value is none of the names. The message lists them.
 */
export function readChoice<Name extends string>(
  query: URLSearchParams,
  name: string,
  names: readonly Name[],
  otherwise: Name,
): Name {
  const text = query.get(name);
  if (text === null) return otherwise;
  const chosen = names.find((each) => each === text);
  if (chosen !== undefined) return chosen;
  throw new RangeError(`${name}: '${text}' is not one of ${names.join(', ')}`);
}

/**
 * Returns a whole number in a query; `otherwise` if the query does not have it.
 *
 * @throws {RangeError} If the value is not in the range.
 */
export function readInteger(
  query: URLSearchParams,
  name: string,
  { min, max }: NumberRange,
  otherwise: number,
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new RangeError(`${name}: '${text}' is not an integer from ${min} to ${max}`);
}

/** Applies an address. Returns null, or the problem of a value that is not permitted. */
export function applyAddress(apply: () => void, shown: string): HTMLElement | null {
  try {
    apply();
    return null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const detail = `${error.message}; ${shown}`;
    return problemBox({ code: 'ADDRESS_INVALID', title: '', detail, status: 0 });
  }
}

/** Returns whether the address is a link to a plot, which the page scrolls to. */
export function hasPlotLink(): boolean {
  return parseQuery(location.hash).has(PLOT);
}

/** Returns the state in the address if it is a link to this plot, else null. */
export function linkedPlot(name: string): URLSearchParams | null {
  const query = parseQuery(location.hash);
  return query.get(PLOT) === name ? query : null;
}

/**
 * Creates the button that copies the address of a plot of this page.
 *
 * @param stateOf Returns the choices of the plot, which {@link linkedPlot} returns again.
 */
export function plotLink(
  name: string,
  announce: (text: string) => void,
  stateOf: () => Readonly<Record<string, string | number>>,
): ReturnType<typeof copyLink> {
  return copyLink(announce, () => {
    const state = Object.entries(stateOf()).map(([key, value]) => [key, String(value)]);
    const query = new URLSearchParams([[PLOT, name], ...state]);
    return `${location.hash.split('?', 1)[0]}?${query}`;
  });
}
