/**
 * JSON schemas with the types of TypeBox: what the routes need of its builder, to the same schemas. TypeBox itself is 370
 * modules, which a coordinator would load before it listens.
 */
import type typebox from 'typebox';

type Names =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe';

type Schema = Readonly<Record<string, unknown>>;

/** Not enumerable, so that a copy of an optional property is none. */
const OPTIONAL = Symbol('optional');

const isRequired = (schema: Schema): boolean => !(OPTIONAL in schema);

const BUILDER = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object: (properties: Readonly<Record<string, Schema>>, options?: Schema) => {
    const names = Object.keys(properties);
    const required = names.filter((name) => isRequired(properties[name]!));
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties,
      ...options,
    };
  },
  Optional: (schema: Schema) =>
    Object.defineProperty({ ...schema }, OPTIONAL, { value: true, enumerable: false }),
  /** Of any names: that is all that is asked for. */
  Record: (_names: Schema, values: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
} satisfies Record<Names, unknown>;

/** Builds schemas; the types of what they admit are TypeBox's. */
export const Type = BUILDER as unknown as Pick<typeof typebox, Names>;
