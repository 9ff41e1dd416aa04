/**
 * Frame of three passes to a screen with several samples per pixel: slanted triangles that cross in
 * depth, a copy of the screen into a texture between the passes, loads of all aspects, and a copy
 * after the last pass. And the same frame with textures in place of the screen.
 */
import {
  type Draw,
  defaultPipelineState,
  type Frame,
  type Pass,
  type PassTarget,
  type PipelineState,
  type SamplerState,
  sha256Hex,
  type TargetCopy,
  type TextureResource,
} from '@tessera/frame';

/** Odd sizes, so that the last bins end within a quad. */
const SIZE = { widthPx: 187, heightPx: 129 };

const HEAD = '#version 300 es\nprecision highp float;';
const VERTEX = `${HEAD}
in vec3 at;
void main() { gl_Position = vec4(at, 1.0); }`;
const PROGRAMS = [
  {
    vertexSource: VERTEX,
    fragmentSource: `${HEAD}
uniform vec4 tint;
out vec4 result;
void main() { result = vec4(tint.rgb * fract(gl_FragCoord.xyx / 53.0), tint.a); }`,
  },
  {
    vertexSource: VERTEX,
    fragmentSource: `${HEAD}
uniform sampler2D image;
out vec4 result;
void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy), 0).gbra; }`,
  },
];

/** Triangles in device coordinates. */
const TRIANGLES = [
  [-0.9, -0.8, -0.4, 0.97, -0.31, 0.9, -0.22, 0.91, -0.1],
  [-0.7, 0.83, 0.5, -0.93, -0.9, -0.3, 0.88, 0.13, 0.2],
  [-0.1, -0.97, -0.6, 0.77, 0.95, 0.6, -0.35, 0.05, 0.1],
  [0.4, 0.37, -0.9, 0.93, 0.81, -0.7, 0.55, 0.98, -0.8],
];

const NEAREST: SamplerState = {
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

const bytes = new Uint8Array(Float32Array.from(TRIANGLES.flat()).buffer);

function drawOf(index: number, tint: readonly number[], given: Partial<PipelineState> = {}): Draw {
  const initial = defaultPipelineState(SIZE.widthPx, SIZE.heightPx);
  return {
    programIndex: 0,
    topology: 'triangles',
    first: 3 * index,
    count: 3,
    indices: null,
    instanceCount: 1,
    attributes: {
      at: {
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
    uniforms: { tint: [...tint] },
    textures: {},
    state: {
      ...initial,
      cullMode: 'none',
      depth: { ...initial.depth, isTestEnabled: true },
      ...given,
    },
  };
}

function textureOf(name: string, given: Partial<TextureResource> = {}): TextureResource {
  const sha256 = sha256Hex(new TextEncoder().encode(name));
  return { sha256, format: 'rgba8unorm', ...SIZE, levels: [], isMipmapGenerated: false, ...given };
}

const WHOLE = { sourceX: 0, sourceY: 0, intoX: 0, intoY: 0, ...SIZE };

/** Indices of the textures that copies of the screen write. */
export const MIDDLE_COPY = 0;
/** Copy after the last pass. */
export const LAST_COPY = 1;

/** Returns the frame. */
export function multisampledScreenFrame(sampleCount: number): Frame {
  const { blend } = defaultPipelineState(1, 1);
  const clear = { color: [0.2, 0.3, 0.1, 0.5], depth: 1, stencil: 0 } as const;
  const copyInto = (textureIndex: number): TargetCopy => ({
    ...{ source: 0, ...WHOLE, into: { textureIndex } },
  });
  const blended = {
    ...blend,
    isEnabled: true,
    color: { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' },
  } as const;
  const image = { image: { textureIndex: MIDDLE_COPY, sampler: NEAREST } };
  const passes: Pass[] = [
    { clear, draws: [drawOf(0, [1, 0.9, 0.2, 1]), drawOf(1, [0.3, 0.8, 1, 1])] },
    {
      clear,
      loads: ['color', 'depth', 'stencil'],
      draws: [drawOf(2, [1, 0.2, 0.4, 0.6], { blend: blended })],
      copies: [copyInto(MIDDLE_COPY)],
      queries: [{ firstDraw: 0, drawCount: 1 }],
    },
    {
      clear,
      loads: ['color', 'depth'],
      draws: [{ ...drawOf(3, []), programIndex: 1, uniforms: {}, textures: image }],
      copies: [copyInto(LAST_COPY)],
    },
  ];
  return {
    ...SIZE,
    sampleCount,
    buffers: [{ sha256: sha256Hex(bytes), bytes }],
    textures: [textureOf('middle'), textureOf('last')],
    programs: PROGRAMS,
    passes,
  };
}

/**
 * Returns the frame with a texture of several samples in place of the screen. A copy after the last
 * pass resolves it into the texture `resolved`, and a last pass to a screen of one sample makes it
 * a frame.
 */
export function withoutMultisampledScreen({ sampleCount, ...frame }: Frame): {
  readonly frame: Frame;
  readonly resolved: number;
} {
  const many = frame.textures.length;
  const resolved = many + 1;
  const target: PassTarget = { kind: 'texture', textureIndex: many };
  const copy: TargetCopy = { source: 0, ...WHOLE, into: { textureIndex: resolved } };
  const last = frame.passes.length - 1;
  const passes = frame.passes.map((pass, i) => ({
    ...{ ...pass, target },
    copies: [...(pass.copies ?? []), ...(i === last ? [copy] : [])],
  }));
  return {
    frame: {
      ...frame,
      textures: [...frame.textures, textureOf('many', { sampleCount }), textureOf('resolved')],
      passes: [...passes, { clear: passes[0]!.clear, draws: [] }],
    },
    resolved,
  };
}
