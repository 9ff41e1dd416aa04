/** Schemas of the frame routes. They validate requests and document the API. */
import {
  COUPLINGS,
  DEFAULT_FRAME_LIMITS,
  DEFAULT_OPTIONS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  PLACEMENTS,
  RESOURCE_CLASSES,
  TARGET_CLASSES,
  TARGET_PLACEMENTS,
  TIMELINE_CYCLES,
  TIMINGS,
  VISIBILITY_DELIVERIES,
  VISIBILITY_SHADERS,
} from '@tessera/frame';
import { MAX_SPLITS, ORGANIZATIONS, POLICY_NAMES } from '@tessera/multi-chiplet/rendering';
import {
  MODEL_OPTION_CHOICES,
  MODEL_OPTIONS,
  type ModelOptionName,
} from '@tessera/scenes/model-options';
import Type, { type Static } from 'typebox';
import { BIN_COLORINGS } from '../../compute/bin-image.ts';
import { FRAME_PHASES, FRAME_STATUSES } from '../../frames/frame-record.ts';
import { ENERGY_QUERY_FIELDS } from '../protocol/energy-choices.ts';
import { JSON_TYPE, type StoredJson } from '../protocol/response-schemas.ts';
import { LINK_FIELDS } from './link-options.ts';

const modelField = (name: ModelOptionName) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Models only. ${MODEL_OPTIONS[name]}`,
    }),
  );

const modelChoice = (name: keyof typeof MODEL_OPTION_CHOICES) =>
  Type.Optional(
    Type.Enum([...MODEL_OPTION_CHOICES[name]], {
      description: `Models only. ${MODEL_OPTIONS[name]}`,
    }),
  );

/** Options of a model's image, as texts. */
const MODEL_FIELDS = {
  quality: modelChoice('quality'),
  environment: modelField('environment'),
  background: modelField('background'),
  exposure: modelField('exposure'),
  tone: modelChoice('tone'),
  shadows: modelChoice('shadows'),
  ground: modelChoice('ground'),
  ambient: modelChoice('ambient'),
  samples: modelChoice('samples'),
  variant: modelField('variant'),
  orbit: modelField('orbit'),
  target: modelField('target'),
};

/** Query of `POST /v1/frames`. */
export const FRAME_QUERY_SCHEMA = Type.Object(
  {
    width: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DEFAULT_FRAME_LIMITS.maxEdgePx,
        description: `Width in pixels; ${DEFAULT_OPTIONS.widthPx} by default. Models only: a capture has the size of its window`,
      }),
    ),
    height: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DEFAULT_FRAME_LIMITS.maxEdgePx,
        description: `Height in pixels; ${DEFAULT_OPTIONS.heightPx} by default. Models only`,
      }),
    ),
    policy: Type.Enum([...POLICY_NAMES], {
      default: DEFAULT_OPTIONS.policy,
      description: 'Assignment of coarse bins to chiplets; changes the report, never the image',
    }),
    bins: Type.Integer({
      minimum: 1,
      maximum: MAX_COARSE_BINS,
      default: DEFAULT_OPTIONS.bins,
      description: 'Number of coarse bins; small images get fewer',
    }),
    grid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'Replaces `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto',
      }),
    ),
    split: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_SPLITS,
        description: 'Number of times the costliest bin is halved after the visibility phase',
      }),
    ),
    visibility: Type.Enum([...VISIBILITY_SHADERS], {
      default: DEFAULT_OPTIONS.visibility,
      description:
        'Vertex shader of the visibility phase: the slice that positions need, the full shader, or the cheaper one per pass',
    }),
    visibilityChiplets: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CHIPLETS,
        description:
          'Number of chiplets that share each visibility phase, by ranges of the primitives; 1 by default. More than 1 ' +
          'needs `chiplets`, at least as many',
      }),
    ),
    visibilityDelivery: Type.Optional(
      Type.Enum([...VISIBILITY_DELIVERIES], {
        description:
          'Whether visibility is sent when its phase ends, the default, or streamed in segments. `stream` ' +
          'needs replicated streams and no `split`',
      }),
    ),
    occlusion: Type.Optional(
      Type.Boolean({
        description: 'Whether the visibility phase culls primitives hidden behind earlier ones',
      }),
    ),
    timing: Type.Enum([...TIMINGS], {
      default: DEFAULT_OPTIONS.timing,
      description:
        'functional: computes only image and counters; all cycle figures are null. cycle: simulates every unit cycle by cycle',
    }),
    coupling: Type.Enum([...COUPLINGS], {
      default: DEFAULT_OPTIONS.coupling,
      description:
        'With timing=cycle. exact: simulates chiplets that run on from bin to bin, at most 256 of them. none: times ' +
        'each bin by itself, which is a fast estimate',
    }),
    spec: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Specification of the simulated chiplets: a preset or a stored one (see GET /v1/specs); by default that of the service',
      }),
    ),
    set: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8000,
        description:
          'Parameters that differ from the specification: `name=value` separated by commas, for instance ' +
          '`l2CacheBytes=1Mi,dramChannels=8,hasL2Cache=on` (see GET /v1/specs/parameters)',
      }),
    ),
    chiplets: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CHIPLETS,
        description:
          'Number of chiplets of the simulated GPU, including the visibility chiplet; by default the number that is ' +
          'connected. A larger number shares the connected processes, which changes no result',
      }),
    ),
    ...LINK_FIELDS,
    ...ENERGY_QUERY_FIELDS,
    placement: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          `Placement of resources in the memories of the chiplets: ${PLACEMENTS.join(', ')}, or a word for each of ` +
          `${RESOURCE_CLASSES.join(', ')}, for instance \`textures=interleaved,targets=kept\`. ` +
          `${TARGET_CLASSES.join(' and ')} are ${TARGET_PLACEMENTS.join(', ')}. All but replicated and gathered, ` +
          'the defaults, need timing=cycle and coupling=exact',
      }),
    ),
    timeline: Type.Optional(
      Type.Integer({
        minimum: TIMELINE_CYCLES.min,
        maximum: TIMELINE_CYCLES.max,
        description:
          'Length of the intervals of the timeline in cycles: 8192, 512 or 1, for instance. The timeline then also has ' +
          'counters of memory, cache, warp slots and link. Needs timing=cycle and coupling=exact',
      }),
    ),
    camera: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          'Index of the model’s camera; by default the first, or one that frames the model if it has none',
      }),
    ),
    time: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e6,
        description: 'Time of the model’s animation in seconds; 0 by default',
      }),
    ),
    ...MODEL_FIELDS,
    frame: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), Type.Enum(['end', 'last'])], {
        description:
          'Frame of the capture: its index, counted in buffer swaps from 0, `end` for the one that ends with the ' +
          'capture, or `last` for the last one that draws something; 0 by default',
      }),
    ),
    call: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description:
          'Number of the call that ends the frame, instead of `frame`. The image is that of the framebuffer that is ' +
          'bound then, for `glReadPixels` that for reading',
      }),
    ),
  },
  { additionalProperties: false },
);
/** Valid query of `POST /v1/frames`. */
export type FrameQuery = Static<typeof FRAME_QUERY_SCHEMA>;

/** Path parameters of the routes of one frame. */
export const FRAME_PARAMS_SCHEMA = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Id from the answer to POST /v1/frames',
  }),
});

/** Header of posts that can be answered with the result. */
export const PREFER_HEADER = {
  prefer: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'wait=N: wait up to N seconds for the result, and answer with it',
    }),
  ),
};

/** Headers of `POST /v1/frames`. */
export const POST_HEADERS_SCHEMA = Type.Object({
  ...PREFER_HEADER,
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Key of the request; a repeated request with the same key returns the same frame',
    }),
  ),
});

/** Query of a frame's image. */
export const IMAGE_QUERY_SCHEMA = Type.Object(
  {
    target: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEFAULT_FRAME_LIMITS.maxPasses - 1,
        description: 'Index of the pass whose target is returned; by default the final image',
      }),
    ),
    bins: Type.Optional(
      Type.Enum([...BIN_COLORINGS], {
        description: 'Draws the coarse bins over the image, colored by chiplet or by cost',
      }),
    ),
    draw: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEFAULT_FRAME_LIMITS.maxDraws - 1,
        description:
          'Index of a draw of the pass (see GET /v1/frames/{id}/draws): renders the pass again, up to this draw. ' +
          'Without target it is the last pass that draws to the screen',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Valid query of a frame's image. */
export type ImageQuery = Static<typeof IMAGE_QUERY_SCHEMA>;

/** Query of the list of frames. */
export const FRAME_LIST_QUERY_SCHEMA = Type.Object(
  {
    status: Type.Optional(Type.Enum([...FRAME_STATUSES])),
    policy: Type.Optional(Type.Enum([...POLICY_NAMES])),
    from: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Earliest time of posting (ISO 8601)',
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the name, of a tag, or of the kind and size of the file',
      }),
    ),
    tag: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Tag that a frame has' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Cursor from `next` of the previous page' }),
    ),
  },
  { additionalProperties: false },
);

/** Valid query of the list of frames. */
export type FrameListQuery = Static<typeof FRAME_LIST_QUERY_SCHEMA>;

const LINKS_SCHEMA = Type.Object({
  self: Type.String(),
  image: Type.String(),
  timeline: Type.String(),
  report: Type.String(),
  events: Type.String(),
});

/** Status of a frame in answers and events. */
export const FRAME_STATUS_SCHEMA = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum([...FRAME_STATUSES]),
    submittedAt: Type.String({ format: 'date-time' }),
    name: Type.String({ description: 'Name in lists, studies and plots' }),
    tags: Type.Array(Type.String(), { description: 'Words by which the frame can be found' }),
    model: Type.String({ description: 'Kind and size of the posted file' }),
    options: Type.Object(
      {
        policy: Type.String(),
        bins: Type.Integer(),
        visibility: Type.String(),
        timing: Type.Enum([...TIMINGS]),
        coupling: Type.Enum([...COUPLINGS]),
        organization: Type.Enum([...ORGANIZATIONS]),
        visibilityChiplets: Type.Integer(),
        visibilityDelivery: Type.Enum([...VISIBILITY_DELIVERIES]),
        spec: Type.String({ description: 'Preset or stored specification, and settings' }),
        chiplets: Type.Union([Type.Null(), Type.Integer()]),
      },
      { description: 'Options of the query' },
    ),
    progress: Type.Object({
      phase: Type.Enum([...FRAME_PHASES]),
      binsDone: Type.Integer(),
      binCount: Type.Integer(),
    }),
    warnings: Type.Array(Type.String(), {
      description:
        'Features of the model that are not rendered as intended; calls of a capture that were ignored or assumed',
    }),
    error: Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String() })]),
    links: LINKS_SCHEMA,
  },
  { $id: 'FrameStatus', description: 'Posted frame' },
);
/** Status of a frame as an object. */
export type FrameStatusBody = Static<typeof FRAME_STATUS_SCHEMA>;
/** Reference to {@link FRAME_STATUS_SCHEMA} in the OpenAPI document. */
export const FRAME_STATUS_REF = Type.Unsafe<FrameStatusBody>({ $ref: 'FrameStatus#' });

const FRAME_LIST_FIELDS = Type.Object({
  frames: Type.Array(FRAME_STATUS_REF),
  next: Type.Union([Type.Null(), Type.String()], {
    description: 'Address of the next page; null on the last one',
  }),
});
/** Response with a page of frames, which is streamed. */
export const FRAME_LIST_RESPONSE = {
  description: 'Page of frames',
  content: { [JSON_TYPE]: { schema: Type.Unsafe<StoredJson>(FRAME_LIST_FIELDS) } },
};
