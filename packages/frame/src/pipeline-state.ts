/** Fixed-function state of a draw. Names and defaults follow the OpenGL ES 3.0 specification, section 4.1. */

/** How vertices are grouped into primitives. */
export const TOPOLOGIES = [
  'points',
  'lines',
  'line-strip',
  'line-loop',
  'triangles',
  'triangle-strip',
  'triangle-fan',
] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** Depth, stencil and shadow comparison: new value (left) against stored value (right). */
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
export type CompareFunction = (typeof COMPARE_FUNCTIONS)[number];

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
export type StencilOperation = (typeof STENCIL_OPERATIONS)[number];

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
] as const;
export type BlendFactor = (typeof BLEND_FACTORS)[number];

export const BLEND_EQUATIONS = ['add', 'subtract', 'reverse-subtract', 'min', 'max'] as const;
export type BlendEquation = (typeof BLEND_EQUATIONS)[number];

export type CullMode = 'none' | 'front' | 'back' | 'front-and-back';

/** A rectangle in pixels of the target; x to the right, y **down** from the top row. */
export interface RectPx {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

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

export interface StencilState {
  readonly isTestEnabled: boolean;
  readonly front: StencilFaceState;
  readonly back: StencilFaceState;
}

export interface BlendChannelState {
  readonly equation: BlendEquation;
  readonly source: BlendFactor;
  readonly destination: BlendFactor;
}

export interface BlendState {
  readonly isEnabled: boolean;
  readonly color: BlendChannelState;
  readonly alpha: BlendChannelState;
  /** Red, green, blue, alpha of the constant factors; clamped to 0 to 1 where the target holds fractions. */
  readonly constant: readonly [number, number, number, number];
}

/** Added to the window depth of polygons: `factor × m + units × r` (GL ES 3.0, section 3.6.2). */
export interface PolygonOffsetState {
  readonly isEnabled: boolean;
  readonly factor: number;
  readonly units: number;
}

/** What coverage is cut down by (GL ES 3.0, section 4.1.3). */
export interface MultisampleState {
  /** Whether alpha of the first colour says how many samples of a fragment are kept. */
  readonly isAlphaToCoverage: boolean;
  /** Samples that may be kept, sample i in bit i. */
  readonly sampleMask: number;
}

export const POINT_CLIPS = ['view', 'depth'] as const;
export type PointClip = (typeof POINT_CLIPS)[number];

/** All fixed-function state of one draw. */
export interface PipelineState {
  /** Maps normalised device coordinates to the target; y of the device points up, rows count down. */
  readonly viewport: RectPx;
  /** Window depth of the near and far plane, each 0 to 1. */
  readonly depthRange: readonly [near: number, far: number];
  /** Fragments outside are dropped; `null` when the scissor test is off. */
  readonly scissor: RectPx | null;
  readonly cullMode: CullMode;
  /** Winding of a front-facing triangle as seen in a window with y up. */
  readonly frontFace: 'counter-clockwise' | 'clockwise';
  readonly polygonOffset: PolygonOffsetState;
  readonly depth: DepthState;
  readonly stencil: StencilState;
  readonly blend: BlendState;
  /** Which of red, green, blue, alpha are written. */
  readonly colorMask: readonly [boolean, boolean, boolean, boolean];
  /** Width of lines in pixels, 1 to 16. */
  readonly lineWidthPx: number;
  /**
   * A logical operation of source and stored colour, bit by bit, in place of blending: bits 0 to 3 are its
   * results for (1, 1), (1, 0), (0, 1), (0, 0), which are OpenGL's numbers less `GL_CLEAR`. It acts on targets
   * of 8 bits a channel. Missing or `null`: none.
   */
  readonly logicOperation?: number | null | undefined;
  /** Of targets with several samples; others take no notice. Missing: coverage is that of the primitive. */
  readonly multisample?: MultisampleState | undefined;
  /**
   * What takes points away whose centre is outside: all planes of the view volume, as in OpenGL, or near and far
   * alone, as in OpenGL ES (GL ES 3.0, section 2.17). Missing: `view`.
   */
  readonly pointClip?: PointClip | undefined;
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

/** OpenGL's initial state for a target of the given size. */
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
