/** Schemas of the routes of shaders. */
import { LINE_WAITS, PROGRAM_STAGES, WARP_WAITS } from '@tessera/frame';
import Type from 'typebox';
import type { StoredJson } from '../protocol/response-schemas.ts';
import { FRAME_PARAMS_SCHEMA } from './frame-schemas.ts';
import { PASS_QUERY, whole } from './pixel-schemas.ts';

const MAX_INDEX = 2 ** 31 - 1;

/** Path parameters of a program. */
export const SHADER_PARAMS_SCHEMA = Type.Object({
  ...FRAME_PARAMS_SCHEMA.properties,
  program: Type.Integer({
    minimum: 0,
    maximum: MAX_INDEX,
    description: 'Index of the program in the frame',
  }),
});

const WAITS_QUERY = Type.Optional(
  Type.Boolean({
    description:
      'Simulates the chiplets of the frame with coupling=exact, and adds what warps wait for (waits and warpCycles)',
  }),
);

/** Query of the list of programs. */
export const SHADERS_QUERY_SCHEMA = Type.Object(
  { waits: WAITS_QUERY },
  { additionalProperties: false },
);

/** Query of the profile of a program. */
export const SHADER_QUERY_SCHEMA = Type.Object(
  {
    waits: WAITS_QUERY,
    pass: PASS_QUERY,
    draw: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_INDEX,
        description: 'Index of the draw to count; by default all draws of the program',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Returns the schema of cycles by kind. */
function cyclesBy(kinds: readonly string[], description: string) {
  const fields = kinds.map((kind) => [kind, whole(0)]);
  return Type.Optional(Type.Object(Object.fromEntries(fields), { description }));
}

const WARP_CYCLES = cyclesBy(
  WARP_WAITS,
  'Cycles of warps in slots of shader cores, by kind as in the counters shaderCore.warpCycles…; only with waits=true',
);
const COUNTS = {
  issued: whole(8192, 'Instructions that warps issued'),
  issueCycles: whole(10_240, 'Cycles for which they occupied the issue ports of shader cores'),
  lanes: whole(252_004, 'Lanes that these instructions had, summed over them'),
  lookups: whole(512, 'Texture lookups that warps made'),
  waits: cyclesBy(LINE_WAITS, 'Cycles for which warps wait there, by kind; only with waits=true'),
};
const STAGE = Type.Enum([...PROGRAM_STAGES], {
  description: 'positionOnly is the slice of the vertex shader that the visibility phase runs',
});
const PLACE = Type.Object({ pass: whole(0), draw: whole(0, 'Index of the draw in its pass') });
const LINE = Type.Union([Type.Null(), Type.Integer({ minimum: 1 })], {
  description: 'Line of the source, from 1; null for code that no line asks for',
  examples: [12],
});

const SHADERS_FIELDS = Type.Object(
  {
    screenPass: whole(0, 'Index of the last pass that draws to the screen'),
    issued: whole(24_576, 'Instructions that warps issued in the frame'),
    issueCycles: whole(30_720, 'Cycles for which they occupied the issue ports'),
    programs: Type.Array(
      Type.Object({
        program: whole(0, 'Index of the program in the frame'),
        draws: Type.Array(PLACE, { description: 'Draws that use the program' }),
        stages: Type.Array(
          Type.Object({
            stage: STAGE,
            instructions: whole(64, 'Length of the code'),
            ...COUNTS,
            warpCycles: WARP_CYCLES,
          }),
          { description: 'Stages that some warp ran' },
        ),
      }),
    ),
  },
  { description: 'Programs of a frame with their draws and costs' },
);
/** Programs of a frame. */
export const SHADERS_RESPONSE = Type.Unsafe<StoredJson>(SHADERS_FIELDS);

const PROFILE_FIELDS = Type.Object(
  {
    program: whole(0),
    draw: Type.Union([Type.Null(), PLACE], {
      description: 'Draw that is counted; null for all draws of the program',
    }),
    vertexSource: Type.String({ examples: ['void main() {\n  gl_Position = vec4(0.0);\n}'] }),
    fragmentSource: Type.String({ examples: ['void main() {\n  gl_FragColor = vec4(1.0);\n}'] }),
    stages: Type.Array(
      Type.Object({
        stage: STAGE,
        ...COUNTS,
        warpCycles: WARP_CYCLES,
        instructions: Type.Array(
          Type.Object({
            text: Type.String({ examples: ['fmul r0, r1, 0x3f000000 ; 0.5'] }),
            line: LINE,
            ...COUNTS,
          }),
        ),
        lines: Type.Array(Type.Object({ line: LINE, ...COUNTS }), {
          description: 'Sums over the instructions of each line that has some',
        }),
      }),
    ),
  },
  { description: 'Code of a program with the cost of each instruction and source line' },
);
/** Profile of a program. */
export const SHADER_PROFILE_RESPONSE = Type.Unsafe<StoredJson>(PROFILE_FIELDS);
