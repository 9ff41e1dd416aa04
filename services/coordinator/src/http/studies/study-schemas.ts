/** Schemas of the study routes. They validate requests and document the API. */
import {
  COUNTER_NAMES,
  COUPLINGS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  VISIBILITY_DELIVERIES,
} from '@tessera/frame';
import {
  INTERCONNECT_FIELDS,
  LINK_TOPOLOGY_NAMES,
  MAX_SPLITS,
  ORGANIZATIONS,
  OVERLAP_MODES,
  POLICY_NAMES,
} from '@tessera/multi-chiplet/rendering';
import { MAX_AXIS_VALUES } from '@tessera/study';
import Type, { type Static } from 'typebox';
import { STUDY_STATUSES } from '../../studies/study-store.ts';
import { ENERGY_CHOICES } from '../protocol/energy-choices.ts';
import { JSON_TYPE, type StoredJson } from '../protocol/response-schemas.ts';
import { ROW_SCHEMA } from './study-row-schemas.ts';
import { VALUE_SCHEMA } from './study-values.ts';

const uniqueList = { minItems: 1, maxItems: MAX_AXIS_VALUES, uniqueItems: true } as const;

/** Axis of whole numbers. */
function integers(minimum: number, maximum: number, description: string) {
  return Type.Optional(
    Type.Array(Type.Integer({ minimum, maximum }), { ...uniqueList, description }),
  );
}

/** Axis of texts that are checked when the study is posted. */
function texts(example: string, description: string) {
  const text = Type.String({ minLength: 1, maxLength: 200, examples: [example] });
  return Type.Optional(Type.Array(text, { ...uniqueList, description }));
}

/** Preset or stored specification by name, or an object as in a file of `tessera --spec`. */
const SPEC_SCHEMA = Type.Unsafe<string | { preset?: string; set?: Record<string, unknown> }>({
  type: ['string', 'object'],
  minLength: 1,
  maxLength: 100,
  maxProperties: 2,
  examples: ['default'],
});

const { bytesPerCycle, latencyCycles } = INTERCONNECT_FIELDS;
/** Axes that studies before version 0.2 do not have. */
const AXES = {
  grids: texts(
    '8x4',
    'In place of `bins`: columns × rows, or a number of bins. Grids that depend on the number of chiplets are refused',
  ),
  splits: integers(
    0,
    MAX_SPLITS,
    'Numbers of times the costliest bin is halved; by default that of the frame',
  ),
  occlusion: Type.Optional(
    Type.Array(Type.Boolean(), {
      ...uniqueList,
      description:
        'Whether the visibility phase culls primitives hidden behind earlier ones; by default as in the posted frame',
    }),
  ),
  organizations: Type.Optional(
    Type.Array(
      // The dashboard offers the examples.
      Type.Enum([...ORGANIZATIONS], {
        examples: ORGANIZATIONS.filter((name) => name !== 'sort-last'),
      }),
      {
        ...uniqueList,
        description:
          'Ways in which chiplets share frames; by default that of the frame. sort-last is refused: its rendering ' +
          'holds for one number of chiplets',
      },
    ),
  ),
  visibilityChiplets: integers(
    1,
    MAX_CHIPLETS,
    'Numbers of chiplets that share each visibility phase, at most the fewest `chiplets`; by default that of the frame',
  ),
  visibilityDelivery: Type.Optional(
    Type.Array(Type.Enum([...VISIBILITY_DELIVERIES]), {
      ...uniqueList,
      description:
        'Whether visibility is sent when its phase ends, or streamed in segments; by default as in the posted frame',
    }),
  ),
  sizes: texts(
    '640x480',
    'Sizes of the images of models, WIDTHxHEIGHT; by default that of the frame',
  ),
  frameIndices: integers(
    0,
    2 ** 31 - 1,
    'Frames of captures, counted in buffer swaps from 0; by default that of the frame',
  ),
  linkTopologies: Type.Optional(
    Type.Array(Type.Enum([...LINK_TOPOLOGY_NAMES]), {
      ...uniqueList,
      description: 'Topologies of the link; by default that of the service',
    }),
  ),
  linkBytesPerCycle: integers(
    bytesPerCycle.min,
    bytesPerCycle.max,
    'Bandwidths of a channel of the link, in bytes per cycle; by default that of the service',
  ),
  linkLatencyCycles: integers(
    latencyCycles.min,
    latencyCycles.max,
    'Latencies of a channel of the link, in cycles; by default that of the service',
  ),
  placements: texts(
    'interleaved',
    'Placements of resources in the memories of the chiplets; `replicated` by default',
  ),
  overlaps: Type.Optional(
    Type.Array(Type.Enum([...OVERLAP_MODES]), {
      ...uniqueList,
      description:
        'Times at which chiplet 0 starts the visibility phase of the next pass; visibility-first by default',
    }),
  ),
  counters: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['memory.bytesRead'] }), {
      ...uniqueList,
      maxItems: COUNTER_NAMES.length,
      description:
        'Counters that rows and CSV have, summed over the chiplets (see docs/counters.md). They need `coupling: exact`, ' +
        'and a rendering for each specification',
    }),
  ),
  energy: Type.Optional(
    Type.Object(ENERGY_CHOICES, {
      additionalProperties: false,
      description:
        'Technologies of the energy that rows and CSV have (see docs/energy.md); an empty object for the defaults. ' +
        'It needs what `counters` need',
      examples: [{ memory: 'hbm2' }],
    }),
  ),
} as const;

/** Body of `POST /v1/studies`. */
export const STUDY_BODY_SCHEMA = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 200 })),
    frames: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      ...uniqueList,
      description: 'Ids of posted frames of any status',
    }),
    chiplets: Type.Array(Type.Integer({ minimum: 1, maximum: MAX_CHIPLETS }), {
      ...uniqueList,
      description: 'Numbers of chiplets, each including the visibility chiplet',
    }),
    policies: Type.Optional(Type.Array(Type.Enum([...POLICY_NAMES]), uniqueList)),
    specs: Type.Optional(
      Type.Array(SPEC_SCHEMA, {
        ...uniqueList,
        description:
          'Presets and stored specifications (see GET /v1/specs), or objects with `preset` and `set`',
      }),
    ),
    sweep: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Array(VALUE_SCHEMA, uniqueList),
        {
          maxProperties: 16,
          description:
            'Values by hardware parameter (see GET /v1/specs/parameters). Every combination is applied to each of `specs`',
        },
      ),
    ),
    bins: integers(1, MAX_COARSE_BINS, 'Numbers of coarse bins; 32 by default'),
    visibility: Type.Optional(Type.Array(Type.Enum(['minimal', 'full']), uniqueList)),
    coupling: Type.Optional(
      Type.Enum([...COUPLINGS], {
        description:
          'exact (default): simulates the chiplets for each row. none: cycles are an estimate from bins that were ' +
          'timed by themselves',
      }),
    ),
    ...AXES,
  },
  {
    additionalProperties: false,
    examples: [
      {
        title: 'static versus dynamic',
        frames: ['0b5ecb7e-6b1f-4d3e-8a0e-2f5f1a8f6f7c'],
        chiplets: [1, 2, 4, 8],
        policies: ['static', 'dynamic'],
      },
      {
        title: 'cache and cores',
        frames: ['0b5ecb7e-6b1f-4d3e-8a0e-2f5f1a8f6f7c'],
        chiplets: [4],
        sweep: { l2CacheBytes: [262_144, 1_048_576], smCount: [4, 8] },
      },
      {
        title: 'link',
        frames: ['0b5ecb7e-6b1f-4d3e-8a0e-2f5f1a8f6f7c'],
        chiplets: [4, 8],
        linkTopologies: ['bus', 'ring'],
        linkBytesPerCycle: [64, 256],
        counters: ['memory.bytesRead'],
      },
    ],
  },
);
/** Valid body of `POST /v1/studies`. */
export type StudyBody = Static<typeof STUDY_BODY_SCHEMA>;

/** Path parameters of the routes of one study. */
export const STUDY_PARAMS_SCHEMA = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Id from the answer to POST /v1/studies',
  }),
});

/** Query of the route of one study. */
export const STUDY_QUERY_SCHEMA = Type.Object(
  {
    rows: Type.Boolean({
      default: true,
      description: 'Whether the answer has the rows; a large study is read in pages instead',
    }),
  },
  { additionalProperties: false },
);

const STUDY_FIELDS = {
  id: Type.String(),
  title: Type.String(),
  status: Type.Enum([...STUDY_STATUSES]),
  submittedAt: Type.String({ format: 'date-time' }),
  sweep: Type.Object({
    frames: Type.Array(Type.String()),
    chiplets: Type.Array(Type.Integer()),
    policies: Type.Array(Type.String()),
    specs: Type.Array(Type.Union([Type.Null(), Type.String()])),
    parameters: Type.Record(Type.String(), Type.Array(VALUE_SCHEMA)),
    bins: Type.Array(Type.Integer()),
    visibility: Type.Array(Type.String()),
    coupling: Type.Enum([...COUPLINGS]),
    grids: Type.Array(Type.String()),
    splits: Type.Array(Type.Integer()),
    occlusion: Type.Array(Type.Boolean()),
    organizations: Type.Array(Type.String()),
    visibilityChiplets: Type.Array(Type.Integer()),
    visibilityDelivery: Type.Array(Type.String()),
    sizes: Type.Array(Type.String()),
    frameIndices: Type.Array(Type.Integer()),
    linkTopologies: Type.Array(Type.String()),
    linkBytesPerCycle: Type.Array(Type.Integer()),
    linkLatencyCycles: Type.Array(Type.Integer()),
    placements: Type.Array(Type.String()),
    overlaps: Type.Array(Type.String()),
    counters: Type.Array(Type.String()),
    energy: Type.Union([Type.Null(), Type.Object(ENERGY_CHOICES)], {
      description: 'Technologies of the energy; null if rows have none',
    }),
  }),
  progress: Type.Object({
    done: Type.Integer({ description: 'Number of frames rendered' }),
    total: Type.Integer(),
    secondsLeft: Type.Union([Type.Null(), Type.Number()], {
      description: 'Estimate from the mean time per frame; null before the first frame is done',
    }),
  }),
  error: Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String() })]),
  links: Type.Object({
    self: Type.String(),
    csv: Type.String(),
    parquet: Type.String(),
    rows: Type.String(),
    series: Type.String(),
    events: Type.String(),
    plots: Type.Record(Type.String(), Type.String()),
  }),
};

/** Status of a study in answers and events. */
export const STUDY_STATUS_SCHEMA = Type.Object(STUDY_FIELDS, {
  $id: 'StudyStatus',
  description: 'Study without its rows',
});
/** Status of a study as an object. */
export type StudyStatusBody = Static<typeof STUDY_STATUS_SCHEMA>;
/** Reference to {@link STUDY_STATUS_SCHEMA} in the OpenAPI document. */
export const STUDY_STATUS_REF = Type.Unsafe<StudyStatusBody>({ $ref: 'StudyStatus#' });

/** Study with its rows. */
export const STUDY_SCHEMA = Type.Object(
  { ...STUDY_FIELDS, rows: Type.Array(ROW_SCHEMA) },
  { $id: 'Study', description: 'Study with its rows so far' },
);
/** Reference to {@link STUDY_SCHEMA} in the OpenAPI document; the answer is streamed. */
export const STUDY_REF = Type.Unsafe<StoredJson>({ $ref: 'Study#' });

const STUDY_LIST_FIELDS = Type.Object({ studies: Type.Array(STUDY_STATUS_REF) });
/** Response with the newest studies, which is streamed. */
export const STUDY_LIST_RESPONSE = {
  description: 'Newest studies',
  content: { [JSON_TYPE]: { schema: Type.Unsafe<StoredJson>(STUDY_LIST_FIELDS) } },
};
