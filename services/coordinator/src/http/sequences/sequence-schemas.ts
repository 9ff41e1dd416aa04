/** Schemas of sequences. They validate requests and document the API. */
import type { SequenceReport } from '@tessera/frame';
import { DEFAULT_FRAMES_IN_FLIGHT } from '@tessera/multi-chiplet/rendering';
import Type, { type Static } from 'typebox';
import { SEQUENCE_STATUSES } from '../../sequences/sequences.ts';
import { FRAME_QUERY_SCHEMA } from '../frames/frame-schemas.ts';
import { LABEL_QUERY } from '../protocol/labels.ts';
import { JSON_TYPE, type StoredJson } from '../protocol/response-schemas.ts';

const { time: _time, call: _call, ...FRAME_FIELDS } = FRAME_QUERY_SCHEMA.properties;

/** Query of `POST /v1/sequences`. */
export const SEQUENCE_QUERY_SCHEMA = Type.Object(
  {
    ...FRAME_FIELDS,
    ...LABEL_QUERY,
    frame: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description:
          'Index of the capture’s first frame, counted in buffer swaps from 0; 0 by default',
      }),
    ),
    frames: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 8,
      description: 'Number of frames of the model or capture',
    }),
    from: Type.Number({
      minimum: 0,
      maximum: 1e6,
      default: 0,
      description: 'Time of a model’s first frame in seconds',
    }),
    to: Type.Number({
      minimum: 0,
      maximum: 1e6,
      default: 1,
      description: 'Time of a model’s last frame in seconds',
    }),
    turn: Type.Number({
      minimum: -3600,
      maximum: 3600,
      default: 0,
      description:
        'Degrees by which the camera moves around a model in all frames together: 360 is a turntable',
    }),
    inFlight: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: DEFAULT_FRAMES_IN_FLIGHT,
      description:
        'Upper bound on frames in flight in simulated time, from their start to their last bin',
    }),
  },
  { additionalProperties: false },
);
/** Valid query of `POST /v1/sequences`. */
export type SequenceQuery = Static<typeof SEQUENCE_QUERY_SCHEMA>;

/** Path parameters of the routes of one sequence. */
export const SEQUENCE_PARAMS_SCHEMA = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Id from the answer to POST /v1/sequences',
  }),
});

const cycles = Type.Union([Type.Null(), Type.Number()]);
const count = Type.Integer({ minimum: 0 });

/** Status of a sequence in answers. */
export const SEQUENCE_STATUS_SCHEMA = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum([...SEQUENCE_STATUSES]),
    submittedAt: Type.String({ format: 'date-time' }),
    name: Type.String({ examples: ['Walking fox'] }),
    tags: Type.Array(Type.String()),
    frameCount: count,
    frames: Type.Array(Type.String(), { description: 'Addresses of the admitted frames' }),
    error: Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String() })]),
    links: Type.Object({
      self: Type.String(),
      report: Type.String(),
      timeline: Type.String(),
      images: Type.String(),
    }),
  },
  { description: 'Posted sequence' },
);
/** Status of a sequence as an object. */
export type SequenceStatusBody = Static<typeof SEQUENCE_STATUS_SCHEMA>;

/** Query of the list of sequences. */
export const SEQUENCE_LIST_QUERY_SCHEMA = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Cursor from `next` of the previous page' }),
    ),
  },
  { additionalProperties: false },
);
/** Valid query of the list of sequences. */
export type SequenceListQuery = Static<typeof SEQUENCE_LIST_QUERY_SCHEMA>;

const SEQUENCE_LIST_FIELDS = Type.Object({
  next: Type.Union([Type.Null(), Type.String()], {
    description: 'Address of the next page; null on the last one',
  }),
  sequences: Type.Array(SEQUENCE_STATUS_SCHEMA),
});
/** Response with a page of sequences, which is streamed. */
export const SEQUENCE_LIST_RESPONSE = {
  description: 'Page of sequences',
  content: { [JSON_TYPE]: { schema: Type.Unsafe<StoredJson>(SEQUENCE_LIST_FIELDS) } },
};

const SEQUENCE_REPORT_FIELDS = Type.Object({
  sequenceVersion: Type.Literal(1),
  timing: Type.String(),
  coupling: Type.String({ description: 'none: cycles are an estimate' }),
  spec: Type.Unknown({ description: 'Same as in the report of a frame' }),
  policy: Type.String(),
  overlap: Type.String(),
  framesInFlight: count,
  totals: Type.Object({ frames: count, cycles, simulatedMs: cycles }),
  frames: Type.Array(
    Type.Object({
      index: count,
      frameSha256: Type.String(),
      imageSha256: Type.String(),
      startCycle: cycles,
      visibilityStartCycle: cycles,
      visibilityEndCycle: cycles,
      firstBinCycle: cycles,
      endCycle: cycles,
      latencyCycles: cycles,
      prediction: Type.String({ description: 'Source of the costs by which bins were assigned' }),
    }),
  ),
  steadyState: Type.Union([
    Type.Null(),
    Type.Object({
      firstFrame: count,
      lastFrame: count,
      cyclesPerFrame: Type.Number(),
      framesPerSecond: Type.Number(),
      speedUp: Type.Number({ description: 'Speed-up over one chiplet' }),
      serialFraction: Type.Number(),
      speedUpBound: Type.Number({ description: 'min(N, 1/s)' }),
    }),
  ]),
  chiplets: Type.Array(
    Type.Object({ id: count, busyCycles: cycles, idleCycles: cycles, idleShare: cycles }),
  ),
  withoutOverlap: Type.Object({ cycles, idleCycles: cycles, cyclesPerFrame: cycles }),
  idleCyclesFilled: cycles,
  link: Type.Unknown({ description: 'Same as in the report of a frame' }),
  wall: Type.Object({ totalMs: Type.Number(), retriedBins: count }),
});
/** Report of a sequence. */
export const SEQUENCE_REPORT_SCHEMA = Type.Unsafe<SequenceReport | StoredJson>(
  SEQUENCE_REPORT_FIELDS,
);
