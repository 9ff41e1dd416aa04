/** Schemas of the frame routes; they validate and document. */
import { TIMINGS } from '@tessera/frame';
import { POLICY_NAMES } from '@tessera/multi-chiplet';
import Type, { type Static } from 'typebox';
import { FRAME_STATUSES } from '../frame-store.ts';

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
    visibility: Type.Enum(['minimal', 'full'], {
      default: 'minimal',
      description: 'Vertex shader of the visibility phase: what positions need, or all of it',
    }),
    timing: Type.Enum([...TIMINGS], {
      default: 'cycle',
      description:
        'functional: picture and counters, figures in cycles are null; cycle: every unit to the cycle',
    }),
    chiplets: Type.Integer({
      minimum: 1,
      maximum: 1024,
      default: 1024,
      description: 'Use at most that many, the visibility chiplet among them',
    }),
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

const LINKS_SCHEMA = Type.Object({
  self: Type.String(),
  image: Type.String(),
  timeline: Type.String(),
  report: Type.String(),
});

export const FRAME_STATUS_SCHEMA = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum([...FRAME_STATUSES]),
    submittedAt: Type.String({ format: 'date-time' }),
    model: Type.String({ description: 'Kind and size of what was posted' }),
    progress: Type.Object({
      phase: Type.String({
        description: 'waiting, visibility, bins, encoding or over',
      }),
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
