/**
 * Constants and methods of extensions that TypeScript's DOM library does not declare, from the IDL
 * of the WebGL extension registry, and of the extensions of headless-gl.
 */
import { WEBGL_EXTENSION_PARAMETERS, WEBGL_EXTENSIONS } from './webgl-interface.ts';

/** Interface of an extension object. */
export interface ExtensionInterface {
  readonly constants: Readonly<Record<string, number>>;
  /** Numbers of required arguments. */
  readonly methods: Readonly<Record<string, number>>;
  /** Types of the parameters, as in {@link WEBGL_EXTENSION_PARAMETERS}. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

/** Interface of an extension here. Methods have the types of their parameters, all required. */
interface NewerExtension {
  readonly constants: Readonly<Record<string, number>>;
  readonly methods: Readonly<Record<string, string>>;
}

const TIMER_CONSTANTS = {
  QUERY_COUNTER_BITS_EXT: 0x8864,
  TIME_ELAPSED_EXT: 0x88bf,
  TIMESTAMP_EXT: 0x8e28,
  GPU_DISJOINT_EXT: 0x8fbb,
} as const;

/** Interfaces by extension name. */
export const NEWER_EXTENSIONS = {
  EXT_clip_control: {
    constants: {
      LOWER_LEFT_EXT: 0x8ca1,
      UPPER_LEFT_EXT: 0x8ca2,
      NEGATIVE_ONE_TO_ONE_EXT: 0x935e,
      ZERO_TO_ONE_EXT: 0x935f,
      CLIP_ORIGIN_EXT: 0x935c,
      CLIP_DEPTH_MODE_EXT: 0x935d,
    },
    methods: { clipControlEXT: 'GLenum GLenum' },
  },
  EXT_depth_clamp: { constants: { DEPTH_CLAMP_EXT: 0x864f }, methods: {} },
  EXT_disjoint_timer_query: {
    constants: {
      ...TIMER_CONSTANTS,
      CURRENT_QUERY_EXT: 0x8865,
      QUERY_RESULT_EXT: 0x8866,
      QUERY_RESULT_AVAILABLE_EXT: 0x8867,
    },
    methods: {
      createQueryEXT: '',
      deleteQueryEXT: 'WebGLTimerQueryEXT?',
      isQueryEXT: 'WebGLTimerQueryEXT?',
      beginQueryEXT: 'GLenum WebGLTimerQueryEXT',
      endQueryEXT: 'GLenum',
      queryCounterEXT: 'WebGLTimerQueryEXT GLenum',
      getQueryEXT: 'GLenum GLenum',
      getQueryObjectEXT: 'WebGLTimerQueryEXT GLenum',
    },
  },
  EXT_disjoint_timer_query_webgl2: {
    constants: TIMER_CONSTANTS,
    methods: { queryCounterEXT: 'WebGLQuery GLenum' },
  },
  EXT_polygon_offset_clamp: {
    constants: { POLYGON_OFFSET_CLAMP_EXT: 0x8e1b },
    methods: { polygonOffsetClampEXT: 'GLfloat GLfloat GLfloat' },
  },
  EXT_texture_mirror_clamp_to_edge: {
    constants: { MIRROR_CLAMP_TO_EDGE_EXT: 0x8743 },
    methods: {},
  },
  OES_shader_multisample_interpolation: {
    constants: {
      MIN_FRAGMENT_INTERPOLATION_OFFSET_OES: 0x8e5b,
      MAX_FRAGMENT_INTERPOLATION_OFFSET_OES: 0x8e5c,
      FRAGMENT_INTERPOLATION_OFFSET_BITS_OES: 0x8e5d,
    },
    methods: {},
  },
  STACKGL_destroy_context: { constants: {}, methods: { destroy: '' } },
  STACKGL_resize_drawingbuffer: { constants: {}, methods: { resize: 'GLsizei GLsizei' } },
  WEBGL_blend_func_extended: {
    constants: {
      SRC1_COLOR_WEBGL: 0x88f9,
      SRC1_ALPHA_WEBGL: 0x8589,
      ONE_MINUS_SRC1_COLOR_WEBGL: 0x88fa,
      ONE_MINUS_SRC1_ALPHA_WEBGL: 0x88fb,
      MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL: 0x88fc,
    },
    methods: {},
  },
  WEBGL_clip_cull_distance: {
    constants: {
      MAX_CLIP_DISTANCES_WEBGL: 0x0d32,
      MAX_CULL_DISTANCES_WEBGL: 0x82f9,
      MAX_COMBINED_CLIP_AND_CULL_DISTANCES_WEBGL: 0x82fa,
      CLIP_DISTANCE0_WEBGL: 0x3000,
      CLIP_DISTANCE1_WEBGL: 0x3001,
      CLIP_DISTANCE2_WEBGL: 0x3002,
      CLIP_DISTANCE3_WEBGL: 0x3003,
      CLIP_DISTANCE4_WEBGL: 0x3004,
      CLIP_DISTANCE5_WEBGL: 0x3005,
      CLIP_DISTANCE6_WEBGL: 0x3006,
      CLIP_DISTANCE7_WEBGL: 0x3007,
    },
    methods: {},
  },
  WEBGL_polygon_mode: {
    constants: {
      POLYGON_MODE_WEBGL: 0x0b40,
      POLYGON_OFFSET_LINE_WEBGL: 0x2a02,
      LINE_WEBGL: 0x1b01,
      FILL_WEBGL: 0x1b02,
    },
    methods: { polygonModeWEBGL: 'GLenum GLenum' },
  },
  WEBGL_provoking_vertex: {
    constants: {
      FIRST_VERTEX_CONVENTION_WEBGL: 0x8e4d,
      LAST_VERTEX_CONVENTION_WEBGL: 0x8e4e,
      PROVOKING_VERTEX_WEBGL: 0x8e4f,
    },
    methods: { provokingVertexWEBGL: 'GLenum' },
  },
  WEBGL_stencil_texturing: {
    constants: { DEPTH_STENCIL_TEXTURE_MODE_WEBGL: 0x90ea, STENCIL_INDEX_WEBGL: 0x1901 },
    methods: {},
  },
} as const satisfies Readonly<Record<string, NewerExtension>>;

const DECLARED: Readonly<Record<string, Omit<ExtensionInterface, 'parameters'>>> = WEBGL_EXTENSIONS;
const NEWER: Readonly<Record<string, NewerExtension>> = NEWER_EXTENSIONS;

const countNames = (text: string): number => (text === '' ? 0 : text.split(' ').length);

/** Returns the interface of an extension's object, which is empty for many extensions. */
export function interfaceOf(name: string): ExtensionInterface {
  const { constants, methods } = NEWER[name] ?? { constants: {}, methods: {} };
  const declared = DECLARED[name];
  if (declared !== undefined) return { ...declared, parameters: WEBGL_EXTENSION_PARAMETERS };
  const types = Object.entries(methods);
  return {
    constants,
    methods: Object.fromEntries(types.map(([method, text]) => [method, countNames(text)])),
    parameters: Object.fromEntries(types.map(([method, text]) => [method, [text]])),
  };
}
