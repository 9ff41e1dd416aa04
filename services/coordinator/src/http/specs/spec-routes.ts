/** Routes of specifications: presets, stored ones, and the table of parameters. */
import {
  CHIPLET_PRESETS,
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
  summarizeSpec,
} from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import Type, { type Static } from 'typebox';
import type { Config } from '../../config/config.ts';
import type { SpecStore, StoredSpec } from '../../specs/spec-store.ts';
import type { App } from '../protocol/app.ts';
import { problems, SPEC_SCHEMA } from '../protocol/response-schemas.ts';

/** Services that the routes of specifications use. */
export interface SpecRouteOptions {
  readonly specs: SpecStore;
  readonly config: Config;
}

/** Upper bound on the body of a specification. */
const MAX_BODY_BYTES = 2 ** 16;

const NAME_SCHEMA = Type.Object({
  name: Type.String({
    pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
    description: 'Name of the specification: lower-case letters, digits, `.`, `_` and `-`',
  }),
});
/** Value of a parameter. A union of schemas would convert a switch to a number. */
const VALUE_SCHEMA = Type.Unsafe<number | boolean | string>({
  type: ['number', 'boolean', 'string'],
  examples: [8],
});
const DESCRIPTION_SCHEMA = Type.Object(
  {
    preset: Type.Optional(Type.String({ description: 'Preset that it starts from; `default`' })),
    set: Type.Optional(
      Type.Record(Type.String(), VALUE_SCHEMA, { description: 'Parameters that differ from it' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ preset: 'default', set: { l2CacheBytes: 1_048_576, dramChannels: 8 } }],
  },
);
const ENTRY_FIELDS = {
  name: Type.String(),
  isPreset: Type.Boolean(),
  description: Type.Union([Type.Null(), DESCRIPTION_SCHEMA], {
    description: 'Content that was stored; null for a preset',
  }),
  spec: Type.Union([Type.Null(), SPEC_SCHEMA], {
    description: 'All values; null if the content is not valid in this version of the service',
  }),
  problem: Type.Union([Type.Null(), Type.String()], {
    description: 'Why `spec` is null: the parameter, its value and the range',
  }),
};
const ENTRY_SCHEMA = Type.Object(ENTRY_FIELDS, { description: 'Preset or stored specification' });
type Entry = Static<typeof ENTRY_SCHEMA>;
const LIST_SCHEMA = Type.Object(
  {
    default: Type.String({ description: 'Preset of requests that name none' }),
    specs: Type.Array(ENTRY_SCHEMA),
  },
  { description: 'Presets and stored specifications' },
);

const PARAMETER_SCHEMA = Type.Object({
  name: Type.String(),
  kind: Type.Enum(['integer', 'switch', 'choice']),
  unit: Type.Union([Type.Null(), Type.String()]),
  min: Type.Union([Type.Null(), Type.Number()]),
  max: Type.Union([Type.Null(), Type.Number()]),
  isPowerOfTwo: Type.Boolean(),
  values: Type.Union([Type.Null(), Type.Array(Type.String())], {
    description: 'Values of a choice; null for others',
  }),
  default: VALUE_SCHEMA,
  meaning: Type.String(),
});
type Parameter = Static<typeof PARAMETER_SCHEMA>;

/** Adds the routes. The bodies are small JSON, which the scope must parse. */
export function addSpecRoutes(app: App, { specs, config }: SpecRouteOptions): void {
  addSpecLists(app, specs, config.TESSERA_SPEC);
  app.put('/v1/specs/:name', {
    bodyLimit: MAX_BODY_BYTES,
    schema: {
      operationId: 'putSpec',
      summary: 'Store a specification',
      description:
        'Stores a specification under a name that frames, sequences and studies may request. Frames that were posted ' +
        'before keep the one that they were posted with.',
      tags: ['specs'],
      params: NAME_SCHEMA,
      body: DESCRIPTION_SCHEMA,
      response: { 200: ENTRY_SCHEMA, 201: ENTRY_SCHEMA, ...problems(400, 413, 429, 507) },
    },
    handler: async (request, reply) => {
      const { stored, isNew } = specs.put(request.params.name, request.body);
      return reply.code(isNew ? 201 : 200).send(storedEntry(stored));
    },
  });
  app.delete('/v1/specs/:name', {
    schema: {
      operationId: 'deleteSpec',
      summary: 'Delete a stored specification',
      tags: ['specs'],
      params: NAME_SCHEMA,
      response: { 204: { description: 'Deleted', type: 'null' }, ...problems(400, 404, 429) },
    },
    handler: async ({ params: { name } }, reply) => {
      if (Object.hasOwn(CHIPLET_PRESETS, name)) {
        throw new RenderError('REQUEST_INVALID', `name: ${name} is a preset`);
      }
      if (!specs.delete(name)) throw unknown(name);
      return reply.code(204).send(null);
    },
  });
}

/**
 * Adds the routes that only read.
 *
 * @param defaultName Preset of requests that name none.
 */
export function addSpecLists(
  app: App,
  specs: Pick<SpecStore, 'list' | 'get'>,
  defaultName: string,
): void {
  app.get('/v1/specs', {
    schema: {
      operationId: 'listSpecs',
      summary: 'List presets and stored specifications',
      tags: ['specs'],
      response: { 200: LIST_SCHEMA, ...problems(429) },
    },
    handler: async () => {
      const presets: ChipletSpec[] = Object.values(CHIPLET_PRESETS);
      const all = [...presets.map(presetEntry), ...specs.list().map(storedEntry)];
      return { default: defaultName, specs: all };
    },
  });
  app.get('/v1/specs/parameters', {
    schema: {
      operationId: 'listSpecParameters',
      summary: 'List the hardware parameters with unit, range and meaning',
      tags: ['specs'],
      response: {
        200: Type.Object(
          { parameters: Type.Array(PARAMETER_SCHEMA) },
          { description: 'Hardware parameters' },
        ),
        ...problems(429),
      },
    },
    handler: async () => ({ parameters: [...PARAMETERS] }),
  });
  app.get('/v1/specs/:name', {
    schema: {
      operationId: 'getSpec',
      summary: 'Get a preset or a stored specification',
      tags: ['specs'],
      params: NAME_SCHEMA,
      response: { 200: ENTRY_SCHEMA, ...problems(400, 404, 429) },
    },
    handler: async ({ params: { name } }) => {
      const preset = Object.entries(CHIPLET_PRESETS).find(([key]) => key === name)?.[1];
      if (preset !== undefined) return presetEntry(preset);
      const stored = specs.get(name);
      if (stored === undefined) throw unknown(name);
      return storedEntry(stored);
    },
  });
}

function presetEntry(preset: ChipletSpec): Entry {
  const spec = summarizeSpec(preset);
  return { name: preset.name, isPreset: true, description: null, spec, problem: null };
}

function storedEntry({ name, description, spec, problem }: StoredSpec): Entry {
  const values = spec === null ? null : summarizeSpec(spec);
  return { name, isPreset: false, description, spec: values, problem };
}

function unknown(name: string): RenderError {
  return new RenderError('NOT_FOUND', `name: no specification ${name}`);
}

/** Table of parameters as the route returns it. */
const PARAMETERS: readonly Parameter[] = [
  ...Object.entries(SPEC_FIELDS).map(([name, { unit, min, max, meaning, ...rest }]) =>
    parameter(name, 'integer', meaning, { unit, min, max, isPowerOfTwo: 'isPowerOfTwo' in rest }),
  ),
  ...Object.entries(SPEC_SWITCHES).map(([name, meaning]) => parameter(name, 'switch', meaning, {})),
  ...Object.entries(SPEC_CHOICES).map(([name, { values, meaning }]) =>
    parameter(name, 'choice', meaning, { values: [...values] }),
  ),
];

function parameter(
  name: string,
  kind: Parameter['kind'],
  meaning: string,
  more: Partial<Parameter>,
): Parameter {
  const value = DEFAULT_CHIPLET_SPEC[name as keyof ChipletSpec]; // `name` is a field of the tables.
  const none = { unit: null, min: null, max: null, isPowerOfTwo: false, values: null };
  return { name, kind, ...none, ...more, default: value, meaning };
}
