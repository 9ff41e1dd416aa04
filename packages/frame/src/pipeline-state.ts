/**
 * Fixed-function state of a draw. Names and defaults follow the OpenGL ES 3.0 specification,
 * section 4.1.
 */

/** Ways to group vertices into primitives. */
export const TOPOLOGIES = [
  'points',
  'lines',
  'line-strip',
  'line-loop',
  'triangles',
  'triangle-strip',
  'triangle-fan',
] as const;
/** Name of a topology of {@link TOPOLOGIES}. */
export type Topology = (typeof TOPOLOGIES)[number];

/** Comparisons of depth, stencil and shadow tests: new value (left) with stored value (right). */
export const COMPARE_FUNCTIONS = [
  'never',
  'less',
  'equal',
  'less-equal',
  'greater',
  'not-equal',
  'greater-equal',
  'always',
] as const;
/** Name of a comparison of {@link COMPARE_FUNCTIONS}. */
export type CompareFunction = (typeof COMPARE_FUNCTIONS)[number];

/** Operations on the stored stencil value. */
export const STENCIL_OPERATIONS = [
  'keep',
  'zero',
  'replace',
  'increment-clamp',
  'increment-wrap',
  'decrement-clamp',
  'decrement-wrap',
  'invert',
] as const;
/** Name of an operation of {@link STENCIL_OPERATIONS}. */
export type StencilOperation = (typeof STENCIL_OPERATIONS)[number];

/**
 * Factors by which blending multiplies the source or the stored color. Those of `src1` are of the
 * second color that a fragment shader writes (EXT_blend_func_extended).
 */
export const BLEND_FACTORS = [
  'zero',
  'one',
  'src-color',
  'one-minus-src-color',
  'dst-color',
  'one-minus-dst-color',
  'src-alpha',
  'one-minus-src-alpha',
  'dst-alpha',
  'one-minus-dst-alpha',
  'constant-color',
  'one-minus-constant-color',
  'constant-alpha',
  'one-minus-constant-alpha',
  'src-alpha-saturate',
  'src1-color',
  'one-minus-src1-color',
  'src1-alpha',
  'one-minus-src1-alpha',
] as const;
/** Name of a factor of {@link BLEND_FACTORS}. */
export type BlendFactor = (typeof BLEND_FACTORS)[number];

/** Ways to combine the weighted source and the weighted stored color. */
export const BLEND_EQUATIONS = ['add', 'subtract', 'reverse-subtract', 'min', 'max'] as const;
/** Name of an equation of {@link BLEND_EQUATIONS}. */
export type BlendEquation = (typeof BLEND_EQUATIONS)[number];

/** Facing of the triangles that are discarded. */
export type CullMode = 'none' | 'front' | 'back' | 'front-and-back';

/** Rectangle in pixels of the target. x points right and y points **down** from the top row. */
export interface RectPx {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** State of the depth test. */
export interface DepthState {
  readonly isTestEnabled: boolean;
  readonly isWriteEnabled: boolean;
  readonly compare: CompareFunction;
}

/** Stencil state of one facing. Reference and masks are 0 to 255. */
export interface StencilFaceState {
  readonly compare: CompareFunction;
  readonly reference: number;
  readonly readMask: number;
  readonly writeMask: number;
  readonly onStencilFail: StencilOperation;
  readonly onDepthFail: StencilOperation;
  readonly onPass: StencilOperation;
}

/** State of the stencil test, by facing. */
export interface StencilState {
  readonly isTestEnabled: boolean;
  readonly front: StencilFaceState;
  readonly back: StencilFaceState;
}

/** Blending of either the color channels or alpha. */
export interface BlendChannelState {
  readonly equation: BlendEquation;
  readonly source: BlendFactor;
  readonly destination: BlendFactor;
}

/** State of blending. */
export interface BlendState {
  readonly isEnabled: boolean;
  readonly color: BlendChannelState;
  readonly alpha: BlendChannelState;
  /**
   * Red, green, blue and alpha of the constant factors; clamped to 0 to 1 for targets with
   * normalized channels.
   */
  readonly constant: readonly [number, number, number, number];
}

/**
 * Offset added to the window depth of polygons: `factor × m + units × r` (GL ES 3.0, section
 * 3.6.2).
 */
export interface PolygonOffsetState {
  readonly isEnabled: boolean;
  readonly factor: number;
  readonly units: number;
}

/** Restrictions on the coverage of a fragment (GL ES 3.0, section 4.1.3). */
export interface MultisampleState {
  /** Whether alpha of the first color determines how many samples of a fragment are kept. */
  readonly isAlphaToCoverage: boolean;
  /** Samples that may be kept, with sample i in bit i; bits of other samples have no effect. */
  readonly sampleMask: number;
}

/** Sample mask that keeps all samples of any target. */
export const ALL_SAMPLES = 0xff;

/** Channels of a target that store red, other than red: green and blue, or alpha too. */
export const RED_SPREADS = ['rgb', 'rgba'] as const;
/** Name of a set of channels of {@link RED_SPREADS}. */
export type RedSpread = (typeof RED_SPREADS)[number];

/** State of one color target where it differs from that of the draw. */
export interface ColorTargetState {
  /** Blending. Default: that of the draw. */
  readonly blend?: BlendState | undefined;
  /** Whether red, green, blue and alpha are written. Default: the mask of the draw. */
  readonly colorMask?: PipelineState['colorMask'] | undefined;
  /**
   * Whether fragment colors are clamped to 0…1 before blending, whatever range the format has.
   * Default: false.
   */
  readonly isSourceClamped?: boolean | undefined;
  /**
   * Channels that store the red result of blending, as formats of luminance (`rgb`) and intensity
   * (`rgba`) do. Default: each channel stores its result.
   */
  readonly redSpread?: RedSpread | undefined;
}

/** Sets of planes that points are clipped against. */
export const POINT_CLIPS = ['view', 'depth'] as const;
/** Name of a set of planes of {@link POINT_CLIPS}. */
export type PointClip = (typeof POINT_CLIPS)[number];

/** Ways to draw polygons: filled, as outlines, or as their corners. */
export const POLYGON_MODES = ['fill', 'line', 'point'] as const;
/** Name of a way of {@link POLYGON_MODES}. */
export type PolygonMode = (typeof POLYGON_MODES)[number];

/**
 * Drawing of polygons as lines or points (OpenGL 2.1, section 3.5.4). Facing, culling, flat
 * varyings and slopes are those of the polygon.
 */
export interface PolygonModeState {
  readonly front: PolygonMode;
  readonly back: PolygonMode;
  /**
   * Whether the polygon offset applies to polygons drawn as lines; `isPointOffset` likewise.
   * `polygonOffset.isEnabled` applies to filled ones.
   */
  readonly isLineOffset: boolean;
  readonly isPointOffset: boolean;
}

/**
 * Ways to place points: sprites by their exact squares, or whole pixels around the pixel that
 * contains the center (OpenGL 2.1, section 3.3.1).
 */
export const POINT_MODES = ['sprite', 'basic'] as const;
/** Name of a way of {@link POINT_MODES}. */
export type PointMode = (typeof POINT_MODES)[number];

/** Shapes of lines: parallelograms, or the rectangles that antialiased lines need. */
export const LINE_MODES = ['aliased', 'smooth'] as const;
/** Name of a shape of {@link LINE_MODES}. */
export type LineMode = (typeof LINE_MODES)[number];

/** Rows of the viewport that device y = −1 maps to. */
export const CLIP_ORIGINS = ['lower-left', 'upper-left'] as const;
/** Name of an origin of {@link CLIP_ORIGINS}. */
export type ClipOrigin = (typeof CLIP_ORIGINS)[number];

/** Ranges of device z between the near and the far plane. */
export const CLIP_DEPTHS = ['negative-one-to-one', 'zero-to-one'] as const;
/** Name of a range of {@link CLIP_DEPTHS}. */
export type ClipDepth = (typeof CLIP_DEPTHS)[number];

/** Vertices of a primitive that flat varyings may come from. */
export const PROVOKING_VERTICES = ['last', 'first'] as const;
/** Name of a vertex of {@link PROVOKING_VERTICES}. */
export type ProvokingVertex = (typeof PROVOKING_VERTICES)[number];

/** All fixed-function state of one draw. */
export interface PipelineState {
  /**
   * Rectangle of the target that normalized device coordinates map to. Rows count down, and device
   * y points up unless `clipOrigin` changes it.
   */
  readonly viewport: RectPx;
  /** Window depth of the near and the far plane, each 0 to 1. */
  readonly depthRange: readonly [near: number, far: number];
  /** Rectangle outside which fragments are dropped; null if the scissor test is off. */
  readonly scissor: RectPx | null;
  readonly cullMode: CullMode;
  /** Winding of a front-facing triangle in a window with y up. */
  readonly frontFace: 'counter-clockwise' | 'clockwise';
  readonly polygonOffset: PolygonOffsetState;
  /**
   * Bound of the polygon offset in window depth: the largest offset if positive, the smallest if
   * negative, none if 0 (EXT_polygon_offset_clamp). Default: 0.
   */
  readonly polygonOffsetClamp?: number | undefined;
  readonly depth: DepthState;
  readonly stencil: StencilState;
  readonly blend: BlendState;
  /** Whether red, green, blue and alpha are written. */
  readonly colorMask: readonly [boolean, boolean, boolean, boolean];
  /** State of color targets by index; `null` or missing: that of the draw. */
  readonly colorTargets?: readonly (ColorTargetState | null)[] | undefined;
  /** Width of lines in pixels, 1 to 16. */
  readonly lineWidthPx: number;
  /**
   * Bitwise operation on source and stored color that replaces blending. Bits 0 to 3 are its
   * results for (1, 1), (1, 0), (0, 1), (0, 0): OpenGL's number minus `GL_CLEAR`. It affects only
   * targets with 8 bits per channel. Missing or null: none.
   */
  readonly logicOperation?: number | null | undefined;
  /**
   * Multisample state; ignored for targets with one sample. Default: coverage is that of the
   * primitive.
   */
  readonly multisample?: MultisampleState | undefined;
  /**
   * Planes that discard a point whose center is outside: all planes of the view volume (`view`), as
   * in OpenGL, or only near and far (`depth`), as in OpenGL ES (GL ES 3.0, section 2.17). Default:
   * `view`.
   */
  readonly pointClip?: PointClip | undefined;
  /** Placement of points in targets with one sample per pixel. Default: `sprite`. */
  readonly pointMode?: PointMode | undefined;
  /**
   * Whether depth is clamped to the depth range instead of clipping at the near and far planes
   * (EXT_depth_clamp). Default: false.
   */
  readonly isDepthClamped?: boolean | undefined;
  /**
   * Row of the viewport that device y = −1 maps to: the lowest or the topmost (EXT_clip_control).
   * Default: `lower-left`.
   */
  readonly clipOrigin?: ClipOrigin | undefined;
  /**
   * Device z of the near plane; that of the far plane is 1 (EXT_clip_control). Default:
   * `negative-one-to-one`.
   */
  readonly clipDepth?: ClipDepth | undefined;
  /**
   * Shape of lines. A smooth line is a rectangle that is half a pixel longer at each end and half a
   * pixel wider on each side, at least 2 pixels wide. Default: `aliased`.
   */
  readonly lineMode?: LineMode | undefined;
  /** Drawing of polygons. Default: all are filled. */
  readonly polygonMode?: PolygonModeState | undefined;
  /**
   * Vertex of a primitive that its flat varyings come from (ARB_provoking_vertex, table 2.12).
   * Default: `last`.
   */
  readonly provokingVertex?: ProvokingVertex | undefined;
}

const DEFAULT_STENCIL_FACE: StencilFaceState = Object.freeze({
  compare: 'always',
  reference: 0,
  readMask: 255,
  writeMask: 255,
  onStencilFail: 'keep',
  onDepthFail: 'keep',
  onPass: 'keep',
});

/** Returns OpenGL's initial state for a target of the given size. */
export function defaultPipelineState(widthPx: number, heightPx: number): PipelineState {
  const replace: BlendChannelState = { equation: 'add', source: 'one', destination: 'zero' };
  return {
    viewport: { x: 0, y: 0, width: widthPx, height: heightPx },
    depthRange: [0, 1],
    scissor: null,
    cullMode: 'none',
    frontFace: 'counter-clockwise',
    polygonOffset: { isEnabled: false, factor: 0, units: 0 },
    depth: { isTestEnabled: false, isWriteEnabled: true, compare: 'less' },
    stencil: { isTestEnabled: false, front: DEFAULT_STENCIL_FACE, back: DEFAULT_STENCIL_FACE },
    blend: { isEnabled: false, color: replace, alpha: replace, constant: [0, 0, 0, 0] },
    colorMask: [true, true, true, true],
    lineWidthPx: 1,
  };
}
