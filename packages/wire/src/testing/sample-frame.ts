/** A small prepared frame with a buffer, a texture and a program, for tests. */
import {
  DEFAULT_VISIBILITY_SWITCHES,
  defaultPipelineState,
  type IsaProgram,
  makeCoarseBinGrid,
  type PreparedFrame,
  type ShaderProgram,
} from '@tessera/frame';

function hash(digit: string): string {
  return digit.repeat(64);
}

function stage(name: 'vertex' | 'fragment'): IsaProgram {
  return {
    stage: name,
    code: Uint32Array.of(1, 2, 3, 0xffffffff),
    literals: Uint32Array.of(0x3f800000),
    registerCount: 8,
    arrayWords: 0,
    inputSlots: [0, 1, 2],
    flatInputSlots: [],
    outputSlots: [0, 1, 2, 3],
    usesDiscard: false,
    usesDerivatives: name === 'fragment',
    usesVertexId: false,
    usesInstanceId: false,
  };
}

const PROGRAM: ShaderProgram = {
  sha256: hash('c'),
  vertex: stage('vertex'),
  positionOnly: stage('vertex'),
  fragment: stage('fragment'),
  attributes: [
    { name: 'position', scalarType: 'float', componentCount: 3, locationCount: 1, firstSlot: 0 },
  ],
  uniforms: [
    {
      name: 'tint',
      scalarType: 'float',
      rows: 4,
      columns: 1,
      arrayLength: 1,
      isArray: false,
      firstWord: 0,
    },
  ],
  samplers: [{ name: 'image', dimension: '2d', isShadow: false, arrayLength: 1, firstSlot: 0 }],
  varyings: [{ name: 'uv', componentCount: 2, isFlat: false, firstComponent: 0 }],
  varyingComponentCount: 2,
  constantWords: 4,
};

/**
 * Returns the sample frame. One function because it is one literal.
 *
 * @param bufferBytes Size of the frame's only buffer.
 */
export function makeSampleFrame(bufferBytes = 36): PreparedFrame {
  const bytes = new Uint8Array(bufferBytes);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7) & 255;
  return {
    commands: {
      sha256: hash('f'),
      grid: makeCoarseBinGrid(256, 128, 2, 1),
      visibilityShader: 'minimal',
      visibilitySwitches: DEFAULT_VISIBILITY_SWITCHES,
      earlyBinId: null,
      spec: {
        name: 'default+smCount=2',
        fineBinPx: 64,
        clockHz: 1e9,
        parameters: { smCount: 2, hasBoxTest: true, slotPolicy: 'fair-random' },
      },
      timing: 'functional',
      buffers: [hash('a')],
      textures: [hash('b')],
      programs: [hash('c')],
      passes: [
        {
          clear: { color: [0, 0.25, 0.5, 1], depth: 1, stencil: 0 },
          queries: [{ firstDraw: 0, drawCount: 1 }],
          contents: {
            colorBufferIndices: [0],
            depthStencilBufferIndex: null,
            isDepthLoaded: false,
            isStencilLoaded: false,
            isDepthStencilStored: true,
          },
          draws: [
            {
              programIndex: 0,
              topology: 'triangles',
              first: 0,
              count: 3,
              indices: { bufferIndex: 0, offsetBytes: 0, componentType: 'uint16' },
              edgeFlags: { bufferIndex: 0, offsetBytes: 0 },
              instanceCount: 1,
              attributes: [
                {
                  firstSlot: 0,
                  componentCount: 3,
                  scalarType: 'float',
                  source: {
                    kind: 'buffer',
                    bufferIndex: 0,
                    offsetBytes: 0,
                    strideBytes: 12,
                    componentType: 'float32',
                    componentCount: 3,
                    isNormalized: false,
                    instanceDivisor: 0,
                  },
                },
                {
                  firstSlot: 4,
                  componentCount: 4,
                  scalarType: 'float',
                  source: { kind: 'constant', value: [1, 0, 0, 1] },
                },
              ],
              constants: Uint32Array.of(1, 2, 3, 4),
              textures: [
                {
                  textureIndex: 0,
                  sampler: {
                    wrapS: 'repeat',
                    wrapT: 'clamp-to-edge',
                    magFilter: 'linear',
                    minFilter: 'nearest',
                    mipmapFilter: 'linear',
                  },
                },
                null,
              ],
              state: {
                ...defaultPipelineState(256, 128),
                pointMode: 'basic',
                isDepthClamped: true,
                clipOrigin: 'upper-left',
                clipDepth: 'zero-to-one',
                polygonOffsetClamp: -0.5,
                lineMode: 'smooth',
                polygonMode: {
                  front: 'line',
                  back: 'point',
                  isLineOffset: true,
                  isPointOffset: false,
                },
                provokingVertex: 'first',
              },
            },
          ],
        },
      ],
    },
    buffers: [{ sha256: hash('a'), bytes }],
    textures: [
      {
        sha256: hash('b'),
        format: 'rgba8unorm',
        widthPx: 2,
        heightPx: 2,
        levels: [Uint8Array.from({ length: 16 }, (_, i) => i)],
        isMipmapGenerated: true,
      },
    ],
    programs: [PROGRAM],
  };
}
