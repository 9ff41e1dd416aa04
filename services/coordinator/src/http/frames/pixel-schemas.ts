/** Schemas of the routes that look into the pixels and draws of a frame. */
import {
  DEFAULT_FRAME_LIMITS,
  FRAGMENT_OUTCOMES,
  HEAT_METRICS,
  type HeatMetricName,
  MAX_CHIPLETS,
  MAX_PIXEL_EVENTS,
  MAX_SAMPLE_COUNT,
  TOPOLOGIES,
} from '@tessera/frame';
import Type from 'typebox';
import type { StoredJson } from '../protocol/response-schemas.ts';
import { FRAME_PARAMS_SCHEMA } from './frame-schemas.ts';

/** Formats of a heat map. */
export const HEAT_FORMATS = ['json', 'png'] as const;
const METRIC_NAMES = Object.keys(HEAT_METRICS) as HeatMetricName[];
const DEPTH_STAGES = ['early', 'late', 'none'] as const;

/** Returns an integer from 0 with its example in the OpenAPI document. */
export const whole = (example: number, description?: string) =>
  Type.Integer({ minimum: 0, examples: [example], ...(description ? { description } : {}) });
const text = (example: string) => Type.String({ examples: [example] });
/** Index of a pass in a query. */
export const PASS_QUERY = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: DEFAULT_FRAME_LIMITS.maxPasses - 1,
    description: 'Index of the pass; by default the last one that draws to the screen',
  }),
);

/** Query of a heat map. */
export const HEAT_MAP_QUERY_SCHEMA = Type.Object(
  {
    metric: Type.Enum(METRIC_NAMES, { description: 'Counted work' }),
    pass: PASS_QUERY,
    block: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 1,
      description: 'Edge of the blocks in pixels; 1 gives a value per pixel, 4 one per 4×4 block',
    }),
    home: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_CHIPLETS - 1,
        description:
          'With metric=remoteBytes: chiplet whose memory has the lines; by default all chiplets',
      }),
    ),
    format: Type.Enum([...HEAT_FORMATS], {
      default: 'json',
      description: 'json: values, row by row from the top. png: colors from dark (0) to light',
    }),
  },
  { additionalProperties: false },
);

const coordinate = (description: string) =>
  Type.Integer({ minimum: 0, maximum: DEFAULT_FRAME_LIMITS.maxEdgePx - 1, description });
/** Path parameters of a pixel. */
export const PIXEL_PARAMS_SCHEMA = Type.Object({
  ...FRAME_PARAMS_SCHEMA.properties,
  x: coordinate('Column of the pixel, from the left'),
  y: coordinate('Row of the pixel, from the top'),
});

/** Query of the history of a pixel. */
export const PIXEL_QUERY_SCHEMA = Type.Object(
  {
    pass: PASS_QUERY,
    sample: Type.Integer({
      minimum: 0,
      maximum: MAX_SAMPLE_COUNT - 1,
      default: 0,
      description: 'Index of the sample in a multisampled pass',
    }),
  },
  { additionalProperties: false },
);

const HEAT_MAP_FIELDS = Type.Object(
  {
    metric: Type.Enum(METRIC_NAMES),
    pass: whole(0),
    blockPx: whole(1),
    widthPx: whole(1280),
    heightPx: whole(720),
    columns: Type.Integer({ minimum: 1, description: 'Values in a row', examples: [1280] }),
    rows: Type.Integer({ minimum: 1, examples: [720] }),
    total: Type.Number({ description: 'Sum of all values', examples: [176_192] }),
    max: Type.Number({ description: 'Greatest value', examples: [9] }),
    counter: Type.Union([Type.Null(), Type.String()], {
      description:
        'Counter or field of the report that equals the sum over all passes; null if none does',
      examples: ['shading.fragmentsShaded'],
    }),
    unit: Type.String({ examples: ['fragments'] }),
    meaning: Type.String({ examples: ['fragments that were shaded'] }),
    values: Type.Array(Type.Number(), {
      description: 'Values, row by row from the top',
      examples: [[0, 0, 1, 3, 2]],
    }),
  },
  { description: 'Counts of a pass by pixel or block' },
);
/** Heat map as JSON. */
export const HEAT_MAP_RESPONSE = Type.Unsafe<StoredJson>(HEAT_MAP_FIELDS);

const TARGET_PIXEL = Type.Object({
  colors: Type.Array(Type.Union([Type.Array(Type.Number()), Type.Null()]), {
    description:
      'Red, green, blue and alpha by color target as it holds them: 0 to 255 for 8-bit channels',
    examples: [[[230, 159, 0, 255]]],
  }),
  depth: whole(8_388_608, 'Depth, 0 to 16777215'),
  stencil: whole(0),
});
const DEPTH_TEST = Type.Object({
  depth: whole(8388608),
  stored: whole(16777215),
  compare: text('less'),
  isPassed: Type.Boolean(),
});
const STENCIL_TEST = Type.Object({
  reference: whole(1),
  stored: whole(16777215),
  readMask: whole(255),
  compare: text('less'),
  isPassed: Type.Boolean(),
});
const OUTPUT = Type.Object({
  slot: Type.Integer({
    description:
      'Component c of color target t has slot 4t + c, the depth of the shader slot 32, its mask of samples slot 33',
    examples: [0],
  }),
  value: Type.Union([Type.Number(), Type.Null()], {
    description: 'Value; null if it is infinite or not a number',
    examples: [0.9],
  }),
});
const PIXEL_EVENT = Type.Object({
  draw: whole(0, 'Index of the draw in its pass'),
  primitive: whole(0, 'Index of the primitive in its draw, over all instances'),
  outcome: Type.Enum([...FRAGMENT_OUTCOMES]),
  depthStage: Type.Enum([...DEPTH_STAGES], {
    description: 'Stage of the depth test: before shading, after it, or none',
  }),
  depthTest: Type.Union([Type.Null(), DEPTH_TEST]),
  stencilTest: Type.Union([Type.Null(), STENCIL_TEST]),
  outputs: Type.Union([Type.Null(), Type.Array(OUTPUT)], {
    description: 'Outputs of the fragment shader; null if the fragment was not shaded',
  }),
  before: TARGET_PIXEL,
  after: TARGET_PIXEL,
});
const PIXEL_HISTORY_FIELDS = Type.Object(
  {
    pass: whole(0),
    x: whole(640),
    y: whole(360),
    sample: whole(0),
    sampleCount: whole(1),
    bin: whole(12, 'Coarse bin of the pixel'),
    colorFormats: Type.Array(Type.Union([Type.String(), Type.Null()]), {
      examples: [['rgba8unorm']],
    }),
    initial: TARGET_PIXEL,
    events: Type.Array(PIXEL_EVENT, {
      description: `Fragments of the primitives that cover the pixel, in order; the last ${MAX_PIXEL_EVENTS}`,
    }),
    omitted: whole(0, 'Fragments before the first of events'),
    final: TARGET_PIXEL,
  },
  { description: 'What happened to a pixel in a pass' },
);
/** History of a pixel. */
export const PIXEL_HISTORY_RESPONSE = Type.Unsafe<StoredJson>(PIXEL_HISTORY_FIELDS);

const DRAW_COST = Type.Object({
  fragmentsCovered: whole(9216),
  fragmentsEarlyKilled: whole(512),
  fragmentsShaded: whole(8704),
  helperLanes: whole(96),
  fragmentsDiscarded: whole(0),
  fragmentsLateKilled: whole(0),
  fragmentsWritten: whole(8704),
  instructions: whole(104_448, 'Instructions of the fragment shader, with those of helper lanes'),
});
const DRAWS_FIELDS = Type.Object(
  {
    screenPass: whole(0, 'Index of the last pass that draws to the screen'),
    draws: Type.Array(
      Type.Object({
        pass: whole(0),
        draw: whole(0, 'Index of the draw in its pass'),
        program: whole(0),
        topology: Type.Enum([...TOPOLOGIES]),
        vertices: whole(36, 'Vertices of one instance'),
        instances: whole(1),
        primitives: whole(12, 'Primitives of all instances'),
        isIndexed: Type.Boolean(),
        textures: Type.Array(Type.Union([Type.Integer(), Type.Null()]), { examples: [[0, null]] }),
        state: Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'Fixed-function state; see the native frame format',
            examples: [{ colorMask: [true, true, true, true], cullMode: 'back' }],
          },
        ),
        depthStage: Type.Enum([...DEPTH_STAGES]),
        cost: DRAW_COST,
      }),
    ),
  },
  { description: 'Draws of a frame with their state and cost' },
);
/** Draws of a frame. */
export const DRAWS_RESPONSE = Type.Unsafe<StoredJson>(DRAWS_FIELDS);
