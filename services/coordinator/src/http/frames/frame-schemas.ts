/** Schemas of the frame routes; they validate and document. */
import { TIMINGS, VISIBILITY_SHADERS } from '@tessera/frame';
import { MAX_SPLITS, POLICY_NAMES } from '@tessera/multi-chiplet/rendering';
import Type, { type Static } from 'typebox';
import { BIN_COLORINGS } from '../../compute/bin-image.ts';
import { FRAME_PHASES, FRAME_STATUSES } from '../../frames/frame-store.ts';
import { JSON_TYPE, type StoredJson } from '../protocol/response-schemas.ts';
import { LINK_FIELDS } from './link-options.ts';

export const FRAME_QUERY_SCHEMA = Type.Object(
  {
    width: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8192,
        description: 'In pixels; 1280 for a model. Not with a capture, which has its window’s size',
      }),
    ),
    height: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8192,
        description: 'In pixels; 720 for a model. Not with a capture',
      }),
    ),
    policy: Type.Enum([...POLICY_NAMES], {
      default: 'dynamic',
      description:
        'How coarse bins are assigned to chiplets; changes the report, never the picture',
    }),
    bins: Type.Integer({
      minimum: 1,
      maximum: 1024,
      default: 32,
      description: 'Coarse bins wanted; small pictures get fewer',
    }),
    grid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'Instead of `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto',
      }),
    ),
    split: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_SPLITS,
        description: 'How often the costliest bin is halved after the visibility phase',
      }),
    ),
    visibility: Type.Enum([...VISIBILITY_SHADERS], {
      default: 'minimal',
      description:
        'Vertex shader of the visibility phase: what positions need, all of it, or the cheaper for the pass',
    }),
    occlusion: Type.Optional(
      Type.Boolean({
        description: 'The visibility phase leaves out what lies behind earlier primitives',
      }),
    ),
    timing: Type.Enum([...TIMINGS], {
      default: 'cycle',
      description:
        'functional: picture and counters, figures in cycles are null; cycle: every unit to the cycle',
    }),
    spec: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Preset of the simulated chiplet, see GET /v1/chiplets; without it the one that the service was started with',
      }),
    ),
    chiplets: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024,
        description:
          'Chiplets of the simulated GPU, the visibility chiplet among them; without it those that are connected. ' +
          'Where more are asked for than are connected they share processes, which changes no result',
      }),
    ),
    ...LINK_FIELDS,
    camera: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          'Which of the model’s cameras; without it the first, or one that frames the model',
      }),
    ),
    time: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e6,
        description: 'Point in time of the model’s animation in seconds; 0 without it',
      }),
    ),
    frame: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description: 'Which frame of the capture, counted in buffer swaps from 0; 0 without it',
      }),
    ),
  },
  { additionalProperties: false },
);
export type FrameQuery = Static<typeof FRAME_QUERY_SCHEMA>;

export const FRAME_PARAMS_SCHEMA = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100, description: 'As given by POST /v1/frames' }),
});

export const IDEMPOTENCY_HEADERS_SCHEMA = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Names the request: sent again under the same key it gives the same frame',
    }),
  ),
});

export const IMAGE_QUERY_SCHEMA = Type.Object(
  {
    target: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 255,
        description:
          'What this pass left in its target; without it what is on the screen in the end',
      }),
    ),
    bins: Type.Optional(
      Type.Enum([...BIN_COLORINGS], {
        description:
          'Draws the coarse bins over it, coloured by who rendered them or by their cost',
      }),
    ),
  },
  { additionalProperties: false },
);

export const FRAME_LIST_QUERY_SCHEMA = Type.Object(
  {
    status: Type.Optional(Type.Enum([...FRAME_STATUSES])),
    policy: Type.Optional(Type.Enum([...POLICY_NAMES])),
    from: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Posted at this date and time (ISO 8601) or later',
      }),
    ),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of what was posted' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of `next` of the page before' }),
    ),
  },
  { additionalProperties: false },
);

const LINKS_SCHEMA = Type.Object({
  self: Type.String(),
  image: Type.String(),
  timeline: Type.String(),
  report: Type.String(),
  events: Type.String(),
});

export const FRAME_STATUS_SCHEMA = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum([...FRAME_STATUSES]),
    submittedAt: Type.String({ format: 'date-time' }),
    model: Type.String({ description: 'Kind and size of what was posted' }),
    options: Type.Object(
      {
        policy: Type.String(),
        bins: Type.Integer(),
        visibility: Type.String(),
        timing: Type.Enum([...TIMINGS]),
        spec: Type.Union([Type.Null(), Type.String()]),
        chiplets: Type.Union([Type.Null(), Type.Integer()]),
      },
      { description: 'What the query asked for' },
    ),
    progress: Type.Object({
      phase: Type.Enum([...FRAME_PHASES]),
      binsDone: Type.Integer(),
      binCount: Type.Integer(),
    }),
    warnings: Type.Array(Type.String(), {
      description:
        'What of the model is not drawn as meant; what replaying a capture passed over or assumed',
    }),
    error: Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String() })]),
    links: LINKS_SCHEMA,
  },
  { $id: 'FrameStatus', description: 'A posted frame' },
);
export type FrameStatusBody = Static<typeof FRAME_STATUS_SCHEMA>;
/** The schema by its name in the document. */
export const FRAME_STATUS_REF = Type.Unsafe<FrameStatusBody>({ $ref: 'FrameStatus#' });

const FRAME_LIST_FIELDS = Type.Object({
  frames: Type.Array(FRAME_STATUS_REF),
  next: Type.Union([Type.Null(), Type.String()], {
    description: 'Address of the next page; null on the last',
  }),
});
/** A page of frames, which is streamed. */
export const FRAME_LIST_RESPONSE = {
  description: 'A page of frames',
  content: { [JSON_TYPE]: { schema: Type.Unsafe<StoredJson>(FRAME_LIST_FIELDS) } },
};
