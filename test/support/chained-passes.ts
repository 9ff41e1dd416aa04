/** Frames whose passes draw rectangles into a texture or on the screen and sample the texture. */
import {
  type Draw,
  defaultPipelineState,
  type Frame,
  type Pass,
  type ProgramSource,
  type SamplerState,
  sha256Hex,
  type TextureResource,
  type UniformValue,
} from '@tessera/frame';

/** Size of the texture and of the screen: 4 × 2 fine bins of the default specification. */
const WIDTH_PX = 256;
const HEIGHT_PX = 128;

const VERTEX = `#version 300 es
uniform vec4 rect;
void main() {
  gl_Position = vec4(gl_VertexID % 2 == 0 ? rect.x : rect.z, gl_VertexID < 2 ? rect.y : rect.w, 0.0, 1.0);
}`;

function program(body: string): ProgramSource {
  const fragmentSource = `#version 300 es
precision highp float;
uniform vec2 shift;
uniform sampler2D image;
out vec4 result;
void main() { ${body} }`;
  return { vertexSource: VERTEX, fragmentSource };
}

const SIZE = `vec2(${WIDTH_PX}.0, ${HEIGHT_PX}.0)`;
const PROGRAMS = [
  program('result = vec4(fract(gl_FragCoord.xy / 37.0), 0.5, 1.0);'),
  program(`result = texture(image, fract((gl_FragCoord.xy + shift) / ${SIZE}));`),
];

const NEAREST: SamplerState = {
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'nearest',
};

/** One pass: a rectangle into texture 0 or on the screen. */
export interface ChainedPass {
  readonly into: 'texture' | 'screen';
  /** Rectangle in device coordinates; by default all of the target. */
  readonly rect?: readonly [number, number, number, number];
  /** Pixels between a fragment and the texel of the texture that it takes. Default: no texture. */
  readonly shift?: readonly [number, number];
  readonly loads?: Pass['loads'];
}

/** Returns the frame of such passes. */
export function chainPasses(
  passes: readonly ChainedPass[],
  texture: Partial<TextureResource> = {},
): Frame {
  const size = { widthPx: WIDTH_PX, heightPx: HEIGHT_PX };
  return {
    ...size,
    buffers: [],
    textures: [
      {
        sha256: sha256Hex(new TextEncoder().encode('chained')),
        format: 'rgba8unorm',
        ...size,
        levels: [],
        isMipmapGenerated: false,
        ...texture,
      },
    ],
    programs: PROGRAMS,
    passes: passes.map((pass) => ({
      target: pass.into === 'texture' ? { kind: 'texture', textureIndex: 0 } : { kind: 'screen' },
      loads: pass.loads ?? [],
      clear: { color: [0, 0, 0, 1], depth: 1, stencil: 0 },
      draws: [drawOf(pass)],
    })),
  };
}

function drawOf({ rect = [-1, -1, 1, 1], shift }: ChainedPass): Draw {
  const uniforms: Record<string, UniformValue> = { rect: [...rect] };
  if (shift !== undefined) uniforms.shift = [...shift];
  return {
    programIndex: shift === undefined ? 0 : 1,
    topology: 'triangle-strip',
    first: 0,
    count: 4,
    indices: null,
    instanceCount: 1,
    attributes: {},
    uniforms,
    textures: shift === undefined ? {} : { image: { textureIndex: 0, sampler: NEAREST } },
    state: { ...defaultPipelineState(WIDTH_PX, HEIGHT_PX), cullMode: 'none' },
  };
}
