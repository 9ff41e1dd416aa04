/**
 * Reads vectors of functions that exist in many sizes and types, such as `glVertex3f` and
 * `glColor4ubv`.
 */

import type { CapturedCall } from '../format/capture-reader.ts';
import { failCall, numbersOf } from './call-arguments.ts';

/** Conversion of each integer type to 0…1 or −1…1 (OpenGL 2.1, table 2.9). */
const UNIT_BY_TYPE: Readonly<Record<string, (value: number) => number>> = {
  b: (value) => (2 * value + 1) / 255,
  ub: (value) => value / 255,
  s: (value) => (2 * value + 1) / 65535,
  us: (value) => value / 65535,
  i: (value) => (2 * value + 1) / 4294967295,
  ui: (value) => value / 4294967295,
};

/**
 * Returns the numbers of a call from argument `skip`: separate arguments, or one array.
 *
 * @param count Required number of components.
 */
export function vectorOf(call: CapturedCall, count: number, skip = 0): number[] {
  const values: number[] = [];
  for (const name of Object.keys(call.args).slice(skip)) {
    if (values.length >= count) break;
    values.push(...numbersOf(call, name));
  }
  if (values.length < count)
    return failCall(call, `expected ${count} numbers, got ${values.length}`);
  return values.slice(0, count);
}

/**
 * Returns the numbers of a call as {@link vectorOf} does, normalized if the function's type is an
 * integer type.
 */
export function fractionsOf(call: CapturedCall, type: string, count: number, skip = 0): number[] {
  const values = vectorOf(call, count, skip);
  const convert = UNIT_BY_TYPE[type];
  return convert === undefined ? values : values.map(convert);
}
