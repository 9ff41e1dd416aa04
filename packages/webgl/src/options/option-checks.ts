/** Checks of single option values. Messages name the option, its value and the accepted values. */

/** Throws unless the value is accepted. @param at Path of the value, such as `gpu.timing`. */
export type Check = (value: unknown, at: string) => void;
/** One check for each option. */
export type ChecksOf<Options> = { readonly [Name in keyof Required<Options>]: Check };

/** Checks a boolean. */
export const flag: Check = (value, at) => {
  if (typeof value !== 'boolean')
    throw new TypeError(`${at}: ${formatValue(value)} is not true or false`);
};

/** Checks a function. */
export const callback: Check = (value, at) => {
  if (typeof value !== 'function')
    throw new TypeError(`${at}: ${formatValue(value)} is not a function`);
};

/** Checks a string. */
export const text: Check = (value, at) => {
  if (typeof value !== 'string')
    throw new TypeError(`${at}: ${formatValue(value)} is not a string`);
};

/** Checks that the value is one of the words. */
export function wordOf(words: readonly string[]): Check {
  return (value, at) => {
    if (words.some((word) => word === value)) return;
    throw new RangeError(`${at}: ${formatValue(value)} is not one of ${words.join(', ')}`);
  };
}

/** Checks that the value is an integer from `min` to `max`. */
export function integer(min: number, max: number): Check {
  return (value, at) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
      return;
    throw new RangeError(`${at}: ${formatValue(value)} is not an integer from ${min} to ${max}`);
  };
}

/** Checks an object that has all `required` fields and no unknown ones. */
export function objectOf(
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): Check {
  return (value, at) => {
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(
        `${at === '' ? 'options' : at}: ${formatValue(value)} is not an options object`,
      );
    }
    const inside = (name: string) => (at === '' ? name : `${at}.${name}`);
    for (const [name, field] of Object.entries(value)) {
      if (!Object.hasOwn(checks, name)) {
        const known = Object.keys(checks).join(', ');
        throw new TypeError(`${inside(name)}: unknown option; the options are ${known}`);
      }
      if (field !== undefined) checks[name]!(field, inside(name));
    }
    for (const name of required) {
      if ((value as Record<string, unknown>)[name] === undefined) {
        throw new TypeError(`${inside(name)}: a value is required`);
      }
    }
  };
}

/** Formats a value for messages. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
