/** Schemas of the study routes. They validate requests and document the API. */
import { COUPLINGS, MAX_CHIPLETS } from '@tessera/frame';
import { POLICY_NAMES } from '@tessera/multi-chiplet/rendering';
import Type, { type Static } from 'typebox';
import { STUDY_PLOTS, type StudyPlotName } from '../../studies/study-plots.ts';
import { STUDY_STATUSES } from '../../studies/study-store.ts';
import { JSON_TYPE, type StoredJson } from '../protocol/response-schemas.ts';

/** Value of a parameter. A union of schemas would convert a switch to a number. */
const VALUE_SCHEMA = Type.Unsafe<number | boolean | string>({
  type: ['number', 'boolean', 'string'],
  examples: [8],
  maxLength: 40,
});
const uniqueList = { minItems: 1, maxItems: 64, uniqueItems: true } as const;

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
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        ...uniqueList,
        description: 'Presets and stored specifications; see GET /v1/specs',
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
    bins: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 1024 }), uniqueList)),
    visibility: Type.Optional(Type.Array(Type.Enum(['minimal', 'full']), uniqueList)),
    coupling: Type.Optional(
      Type.Enum([...COUPLINGS], {
        description:
          'exact (default): simulates the chiplets for each row. none: cycles are an estimate from bins that were ' +
          'timed by themselves',
      }),
    ),
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

/** Path parameters of a study's plot. */
export const STUDY_PLOT_PARAMS_SCHEMA = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  plot: Type.Enum(Object.keys(STUDY_PLOTS) as StudyPlotName[]),
});

const ROW_SCHEMA = Type.Object({
  frame: Type.String(),
  model: Type.String(),
  spec: Type.String(),
  settings: Type.Optional(
    Type.Record(Type.String(), VALUE_SCHEMA, { description: 'Values of the swept parameters' }),
  ),
  bins: Type.Integer(),
  visibility: Type.String(),
  policy: Type.String(),
  chiplets: Type.Integer(),
  cycles: Type.Number(),
  simulatedMs: Type.Number(),
  visibilityCycles: Type.Number({ description: 'Cycles of all visibility phases' }),
  speedup: Type.Number({ description: 'Cycles on one chiplet ÷ cycles' }),
  efficiency: Type.Number({ description: 'Speed-up ÷ chiplets; 1 is best' }),
  imbalance: Type.Number({ description: 'Largest share of the bins ÷ mean share; 1 is best' }),
  linkBytes: Type.Number(),
  imageSha256: Type.String(),
  coupling: Type.Optional(Type.Enum([...COUPLINGS])),
});

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
