/** Undamaged frames in the native format: the smallest, and one with all fields of the state. */
const CORNERS = new Uint8Array(Float32Array.of(-1, -1, 3, -1, -1, 3).buffer);
const ATTRIBUTE = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
/** Smallest frame: a triangle that covers the target. */
export const TRIANGLE = {
  widthPx: 8,
  heightPx: 8,
  buffers: [CORNERS],
  programs: [
    {
      vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
      fragmentSource: 'void main() { gl_FragColor = vec4(1.0); }',
    },
  ],
  passes: [{ draws: [{ programIndex: 0, count: 3, attributes: { at: ATTRIBUTE } }] }],
};

const FACE = {
  compare: 'less',
  reference: 1,
  readMask: 255,
  writeMask: 15,
  onStencilFail: 'keep',
  onDepthFail: 'increment-wrap',
  onPass: 'invert',
};
const CHANNEL = { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' };
const BLEND = { isEnabled: true, color: CHANNEL, alpha: CHANNEL, constant: [0, 0, 0, 1] };
const STATE = {
  viewport: { x: 0, y: 0, width: 8, height: 8 },
  depthRange: [0, 1],
  scissor: { x: 1, y: 1, width: 6, height: 6 },
  cullMode: 'back',
  frontFace: 'clockwise',
  polygonOffset: { isEnabled: true, factor: 1, units: 1 },
  polygonOffsetClamp: 1,
  depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
  stencil: { isTestEnabled: true, front: FACE, back: FACE },
  blend: BLEND,
  colorMask: [true, true, true, false],
  colorTargets: [{ blend: BLEND, colorMask: [true, true, true, true], redSpread: 'rgba' }, null],
  lineWidthPx: 2,
  polygonMode: { front: 'line', back: 'point', isLineOffset: true },
  isDepthClamped: true,
  clipOrigin: 'lower-left',
  clipDepth: 'zero-to-one',
  provokingVertex: 'first',
  multisample: { isAlphaToCoverage: true, sampleMask: 3 },
  pointClip: 'depth',
  pointMode: 'basic',
  lineMode: 'smooth',
};
const SAMPLER = {
  wrapS: 'repeat',
  minFilter: 'nearest',
  mipmapFilter: 'none',
  compare: 'less',
  swizzle: ['red', 'zero', 'blue', 'one'],
  borderColor: [0, 0, 0, 1],
  maxLod: 1,
};
const WORDS = Uint8Array.of(0, 0, 128, 63);
const UNIFORMS = {
  one: 1,
  list: [1, 2],
  a: { float32: WORDS },
  b: { int32: WORDS },
  c: { uint32: WORDS },
};

/** Frame of two passes: into images with copies, and on the screen with loads and queries. */
export const FULL_FRAME = {
  version: 1,
  widthPx: 8,
  heightPx: 8,
  sampleCount: 4,
  buffers: [CORNERS, Uint8Array.of(0, 0, 1, 0, 2, 0)],
  textures: [
    { widthPx: 8, heightPx: 8, format: 'rgba8unorm', levelCount: 2 },
    { widthPx: 8, heightPx: 8, format: 'depth24unorm-stencil8', levelCount: 1 },
  ],
  programs: TRIANGLE.programs,
  passes: [
    {
      clear: { color: [0, 0, 0, 1], colors: [[0, 0, 0, 1]], depth: 1, stencil: 0 },
      target: {
        kind: 'images',
        colors: [{ textureIndex: 0, level: 0, slice: 0, isSrgbRaw: true }, null],
        depthStencil: { textureIndex: 1 },
      },
      copies: [
        {
          source: 0,
          sourceX: 1,
          sourceY: 1,
          widthPx: 2,
          heightPx: 2,
          into: { textureIndex: 0, level: 1 },
          intoX: 0,
          intoY: 0,
          swizzle: ['red', 'zero', 'blue', 'one'],
        },
      ],
      draws: [],
    },
    { target: { kind: 'screen' }, draws: [] },
    {
      loads: ['color', 'depth'],
      target: { kind: 'screen' },
      queries: [{ firstDraw: 0, drawCount: 1 }],
      draws: [
        {
          programIndex: 0,
          topology: 'triangle-strip',
          first: 0,
          count: 3,
          indices: { bufferIndex: 1, offsetBytes: 0, componentType: 'uint16' },
          edgeFlags: { bufferIndex: 0, offsetBytes: 0 },
          instanceCount: 2,
          attributes: {
            at: {
              ...ATTRIBUTE,
              kind: 'buffer',
              offsetBytes: 0,
              isNormalized: true,
              instanceDivisor: 0,
            },
            other: { kind: 'constant', value: [0, 0, 0, 1] },
          },
          uniforms: UNIFORMS,
          textures: { map: { textureIndex: 0, sampler: SAMPLER } },
          state: STATE,
        },
      ],
    },
  ],
};
