/** Generates the types and the table of operations of packages/client from the OpenAPI document. */

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

/** Parts of an OpenAPI document that the generator reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const HEAD = `/**
 * Types and operations of the service, generated from its OpenAPI document by
 * scripts/generate/generate-client.ts. Do not edit. One file because it mirrors one document.
 */
`;

/** Returns the source text of `generated.ts`, unformatted. */
export function generateClient({ paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const types = Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, schema]) =>
        `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
    );
  const members = operations.map(
    ({ operation }) =>
      `${comment(operation.summary)}${operation.operationId}: {
        readonly parameters: ${parametersType(operation)};
        readonly body: ${bodyType(operation.requestBody)};
        readonly answer: ${answerType(operation)};
      };`,
  );
  const table = operations.map(
    ({ path, method, operation }) =>
      `${operation.operationId}: ${JSON.stringify({
        method: method.toUpperCase(),
        path,
        query: namesOf(operation, 'query'),
        headers: namesOf(operation, 'header'),
      })},`,
  );
  return `${HEAD}
${types.join('\n')}
/** Parameters, body and answer of each operation. */
export interface Operations {
${members.join('\n')}
}

/** Method and path of each operation. */
export const OPERATIONS = {
${table.join('\n')}
} as const;
`;
}

function namesOf({ parameters = [] }: Operation, place: Parameter['in']): string[] {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

function parametersType({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return 'Readonly<Record<string, never>>';
  const fields = parameters.map(
    // A parameter with a default is optional.
    ({ name, required = false, schema, description }) =>
      `${comment(description ?? schema.description)}readonly ${property(name)}${required && schema.default === undefined ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{ ${fields.join('\n')} }`;
}

function bodyType(body: Body | undefined): string {
  if (body?.content === undefined) return 'null';
  const kinds = Object.entries(body.content).map(([mediaType, { schema = {} }]) =>
    mediaType === 'application/json' && schema.format !== 'binary'
      ? `{ readonly mediaType: ${quote(mediaType)}; readonly value: ${typeOf(schema)} }`
      : `{ readonly mediaType: ${quote(mediaType)}; readonly value: BodyBytes }`,
  );
  return kinds.join(' | ').replaceAll('BodyBytes', 'Uint8Array | string');
}

/** Returns the type of the successful answers of an operation. */
function answerType({ responses }: Operation): string {
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { content = {} }]) => {
      const kinds = Object.entries(content);
      if (kinds.length === 0) return [answer(status, 'null', 'null')];
      return kinds.map(([mediaType, { schema = {} }]) =>
        answer(
          status,
          quote(mediaType),
          mediaType.startsWith('text/event') ? 'null' : valueType(mediaType, schema),
        ),
      );
    });
  return answers.join(' | ');
}

function valueType(mediaType: string, schema: Schema): string {
  if (mediaType === 'application/json') return typeOf(schema);
  return schema.format === 'binary' ? 'Uint8Array' : 'string';
}

function answer(status: string, mediaType: string, value: string): string {
  return `{ readonly status: ${status}; readonly mediaType: ${mediaType}; readonly value: ${value} }`;
}

function typeOf(schema: Schema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').pop()!;
  if (schema.const !== undefined) return quote(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(quote).join(' | ');
  if (Array.isArray(schema.anyOf)) {
    return `(${schema.anyOf.map((option) => typeOf(option as Schema)).join(' | ')})`;
  }
  switch (schema.type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `readonly (${typeOf(schema.items as Schema)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'string':
      return 'string';
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema): string {
  const values = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>)[0];
  if (values !== undefined) return `Readonly<Record<string, ${typeOf(values)}>>`;
  const required = (schema.required ?? []) as readonly string[];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
    ([name, field]) =>
      `${comment(field.description)}readonly ${property(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  return `{ ${fields.join('\n')} }`;
}

function property(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
}

function quote(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function comment(text: unknown): string {
  return typeof text === 'string' ? `\n/** ${text.replaceAll('*/', '* /')} */\n` : '';
}
