/**
 * Adds examples to the OpenAPI document, for each answer and parameter. Examples and defaults of
 * the schemas come first. Others are generated from types and ranges.
 */

type Schema = Readonly<Record<string, unknown>>;
type Node = Record<string, unknown>;

const SAMPLE_BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  binary: '(bytes)',
};
const MAX_DEPTH = 12;

/**
 * Returns the document with an `example` in every JSON or text body of an answer and for every
 * parameter.
 */
export function addExamples<T extends object>(openApi: T): T {
  const document = structuredClone(openApi) as T & {
    paths?: Record<string, Record<string, Node>>;
    components?: { schemas?: Record<string, Schema> };
  };
  const schemas = document.components?.schemas ?? {};
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) =>
    Object.values(path),
  )) {
    for (const parameter of (operation.parameters ?? []) as Node[]) {
      parameter.example = makeExample(parameter.schema as Schema, schemas);
    }
    const request = operation.requestBody as { content?: Record<string, Node> } | undefined;
    const responses = Object.values((operation.responses ?? {}) as Record<string, Node>);
    for (const { content } of [request ?? {}, ...responses] as {
      content?: Record<string, Node>;
    }[]) {
      for (const [mediaType, body] of Object.entries(content ?? {})) {
        const isShown =
          body.schema !== undefined &&
          !/^(image\/png|model\/|multipart\/|application\/(vnd|zip))/.test(mediaType);
        if (isShown) body.example = makeExample(body.schema as Schema, schemas);
      }
    }
  }
  return document;
}

/**
 * Returns a value that matches a schema.
 *
 * @param schemas Schemas by name, for references.
 */
export function makeExample(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  depth = 0,
): unknown {
  if (depth > MAX_DEPTH) throw new Error('openapi: a schema contains itself');
  const inner = (part: unknown) => makeExample(part as Schema, schemas, depth + 1);
  if (typeof schema.$ref === 'string') return inner(schemas[schema.$ref.split('/').pop()!]);
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) {
    return inner(schema.anyOf.find((option) => (option as Schema).type !== 'null'));
  }
  switch (schema.type) {
    case 'object':
      return objectExample(schema, inner);
    case 'array':
      return [inner(schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return SAMPLE_BY_FORMAT[String(schema.format)] ?? 'text';
    default:
      return {};
  }
}

function objectExample(schema: Schema, inner: (part: unknown) => unknown): Node {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(properties.map(([name, property]) => [name, inner(property)]));
}
