/** Schema of the values of hardware parameters. */
import Type from 'typebox';

/** Value of a parameter. A union of schemas would convert a switch to a number. */
export const VALUE_SCHEMA = Type.Unsafe<number | boolean | string>({
  type: ['number', 'boolean', 'string'],
  examples: [8],
  maxLength: 40,
});
