/**
 * Adds examples to the OpenAPI document: to each named schema, parameter and body of JSON or text.
 * Examples, defaults and choices of the schemas come first. Values of other fields are looked up by
 * their name, so a field without one is an error that names the field.
 */
import { NUMBER_EXAMPLES } from './openapi-example-numbers.ts';
import { OBJECT_EXAMPLES, TEXT_EXAMPLES } from './openapi-example-values.ts';

type Schema = Readonly<Record<string, unknown>>;
type Node = Record<string, unknown>;
type Schemas = Readonly<Record<string, Schema>>;

interface Body {
  schema?: Schema;
  example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; required?: boolean; schema: Node }[];
  readonly requestBody?: { readonly content?: Record<string, Body> };
  readonly responses?: Record<string, { readonly content?: Record<string, Body> }>;
}

const MAX_DEPTH = 12;

/**
 * Returns the document with an example in every named schema, parameter and body of JSON or text.
 * Those of parameters are in their schemas, because Swagger UI sends `parameter.example` unasked.
 *
 * @throws {Error} If a field has no example.
 */
export function addExamples<T extends object>(openApi: T): T {
  const document = structuredClone(openApi) as T & {
    paths?: Record<string, Record<string, Operation>>;
    components?: { schemas?: Record<string, Node> };
  };
  const schemas = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    schema.examples ??= [makeExample(schema, schemas, [name])];
  }
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path));
  for (const { operationId, parameters = [], requestBody, responses = {} } of operations) {
    for (const parameter of parameters) {
      const { name, schema } = parameter;
      schema.examples ??= [makeExample(schema, schemas, [operationId, name])];
      if (Array.isArray(schema.enum)) schema.type ??= typeof schema.enum[0];
      // The validator fills in defaults, so clients may omit the parameter.
      if (schema.default !== undefined) parameter.required = false;
    }
    for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const [mediaType, body] of Object.entries(content ?? {})) {
        if (body.schema === undefined || isBinary(body.schema)) continue;
        body.example ??= makeExample(body.schema, schemas, [operationId, mediaType]);
      }
    }
  }
  return document;
}

/** Returns whether a body is bytes or a form of files, which have no example. */
function isBinary({ format, properties }: Schema): boolean {
  const fields = Object.values((properties ?? {}) as Record<string, Schema>);
  const isFile = ({ format: own, items }: Schema) =>
    own === 'binary' || (items as Schema | undefined)?.format === 'binary';
  return format === 'binary' || (fields.length > 0 && fields.every(isFile));
}

/**
 * Returns a value that matches a schema.
 *
 * @param schemas Schemas by name, for references.
 * @param path Names from the root to the schema.
 * @throws {Error} If a field has no example.
 */
export function makeExample(schema: Schema, schemas: Schemas, path: readonly string[]): unknown {
  if (path.length > MAX_DEPTH) throw new Error(`openapi: ${path.join('.')} contains itself`);
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').pop()!;
    return makeExample(schemas[name]!, schemas, [name]);
  }
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) {
    const options = schema.anyOf as readonly Schema[];
    return makeExample(options.find(({ type }) => type !== 'null')!, schemas, path);
  }
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Schemas);
      if (properties.length === 0) return lookUp(OBJECT_EXAMPLES, path);
      return Object.fromEntries(
        properties.map(([name, own]) => [name, makeExample(own, schemas, [...path, name])]),
      );
    }
    case 'array':
      return [makeExample(schema.items as Schema, schemas, path)];
    case 'integer':
    case 'number':
      return lookUp(NUMBER_EXAMPLES, path);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      if (schema.format === 'date-time') return '2026-01-31T12:00:00.000Z';
      return lookUp(TEXT_EXAMPLES, path);
    default:
      return lookUp(OBJECT_EXAMPLES, path);
  }
}

function lookUp(values: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  const name = path.at(-1)!;
  const value = values[path.slice(-2).join('.')] ?? values[name];
  if (value === undefined) throw new Error(`openapi: ${path.join('.')} has no example`);
  return value;
}
