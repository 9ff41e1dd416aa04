/** Vectors of the functions that come in many sizes and types, such as `glVertex3f` and `glColor4ubv`. */

import type { CapturedCall } from '../format/capture-reader.ts';
import { failCall, numbersOf } from './call-arguments.ts';

/** What one unit of each integer type is in 0…1 or −1…1 (OpenGL 2.1, table 2.9). */
const UNIT_BY_TYPE: Readonly<Record<string, (value: number) => number>> = {
  b: (value) => (2 * value + 1) / 255,
  ub: (value) => value / 255,
  s: (value) => (2 * value + 1) / 65535,
  us: (value) => value / 65535,
  i: (value) => (2 * value + 1) / 4294967295,
  ui: (value) => value / 4294967295,
};

/**
 * The numbers of a call from argument `skip` on: single ones, or the array that the last argument is.
 *
 * @param count How many there have to be.
 */
export function vectorOf(call: CapturedCall, count: number, skip = 0): number[] {
  const values: number[] = [];
  for (const name of Object.keys(call.args).slice(skip)) {
    if (values.length >= count) break;
    values.push(...numbersOf(call, name));
  }
  if (values.length < count) return failCall(call, `${values.length} of ${count} numbers`);
  return values.slice(0, count);
}

/** The same, made fractions if the function's type is one of integers. */
export function fractionsOf(call: CapturedCall, type: string, count: number, skip = 0): number[] {
  const values = vectorOf(call, count, skip);
  const convert = UNIT_BY_TYPE[type];
  return convert === undefined ? values : values.map(convert);
}
