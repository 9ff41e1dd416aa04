/** WebGL's constants by name, and names of values for reports. */
import { NEWER_EXTENSIONS } from '../../../../packages/webgl/src/interface/newer-extensions.ts';
import {
  WEBGL_CONSTANTS,
  WEBGL_EXTENSIONS,
  WEBGL2_CONSTANTS,
} from '../../../../packages/webgl/src/interface/webgl-interface.ts';

const OF_EXTENSIONS: Readonly<Record<string, number>> = Object.assign(
  {},
  ...Object.values({ ...WEBGL_EXTENSIONS, ...NEWER_EXTENSIONS }).map(({ constants }) => constants),
);

const VALUE_BY_NAME: Readonly<Record<string, number>> = {
  ...OF_EXTENSIONS,
  ...WEBGL2_CONSTANTS,
  ...WEBGL_CONSTANTS,
};

/** Values of all constants of both versions and of the extensions. */
export const CONSTANT_VALUES: readonly number[] = [...new Set(Object.values(VALUE_BY_NAME))];

const NAME_BY_VALUE = new Map(
  Object.entries(VALUE_BY_NAME).map(([name, value]): [number, string] => [value, name]),
);
/** Values below this one are counts more often than constants. */
const FIRST_NAMED = 0x100;

/**
 * Returns the values of a list of names that are separated by spaces.
 *
 * @throws {Error} If a name does not exist.
 */
export function constants(names: string): readonly number[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => {
      const value = VALUE_BY_NAME[name];
      if (value === undefined) throw new Error(`there is no constant ${name}`);
      return value;
    });
}

/** Returns the name of a constant, or the number as text. */
export function nameOfConstant(value: number): string {
  const name = value >= FIRST_NAMED ? NAME_BY_VALUE.get(value) : undefined;
  return name === undefined ? String(value) : `gl.${name}`;
}

/** Returns the name of an error code. */
export function nameOfError(code: number): string {
  return code === 0 ? 'NO_ERROR' : nameOfConstant(code).replace('gl.', '');
}
