/**
 * More cache or memory bandwidth speeds up a scene bound by texture reads, but not one bound by
 * computation.
 */

import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { defaultPipelineState, type Frame, type SamplerState } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';

const SIZE_PX = 128;
/** 512×512 texels of 4 bytes: a megabyte, 16,384 lines of 64 bytes. */
const TEXTURE_PX = 512;

const VERTEX_SOURCE = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;

/**
 * Each pixel reads four texels anywhere in the texture, so the reads of a warp rarely share a line.
 */
const SCATTERED = `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D u_texture;
out vec4 o_color;
void main() {
  uint seed = uint(gl_FragCoord.y) * ${SIZE_PX}u + uint(gl_FragCoord.x);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; i++) {
    seed = seed * 747796405u + 2891336453u;
    uint word = ((seed >> ((seed >> 28) + 4u)) ^ seed) * 277803737u;
    uint texel = (word >> 22) ^ word;
    sum += texelFetch(u_texture, ivec2(int(texel & 511u), int((texel >> 9) & 511u)), 0);
  }
  o_color = 0.25 * sum;
}`;

/** One read per pixel, adjacent for adjacent pixels, and some thousand instructions. */
const COMPUTING = `#version 300 es
precision highp float;
uniform highp sampler2D u_texture;
out vec4 o_color;
void main() {
  vec4 color = texelFetch(u_texture, ivec2(gl_FragCoord.xy), 0);
  for (int i = 0; i < 100; i++) color = fract(color * 1.7 + color.yzwx * 0.3 + 0.1);
  o_color = color;
}`;

const NEAREST: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

function makeFrame(fragmentSource: string): Frame {
  const texels = Uint8Array.from(
    { length: TEXTURE_PX ** 2 * 4 },
    (_, i) => (i * 31 + (i >> 9)) & 255,
  );
  const texture = { sha256: 'texels', format: 'rgba8unorm', isMipmapGenerated: false } as const;
  return {
    widthPx: SIZE_PX,
    heightPx: SIZE_PX,
    buffers: [],
    textures: [{ ...texture, widthPx: TEXTURE_PX, heightPx: TEXTURE_PX, levels: [texels] }],
    programs: [{ vertexSource: VERTEX_SOURCE, fragmentSource }],
    passes: [
      {
        clear: { color: [0, 0, 0, 1], depth: 1, stencil: 0 },
        draws: [
          {
            programIndex: 0,
            topology: 'triangles',
            first: 0,
            count: 3,
            indices: null,
            instanceCount: 1,
            attributes: {},
            uniforms: {},
            textures: { u_texture: { textureIndex: 0, sampler: NEAREST } },
            state: defaultPipelineState(SIZE_PX, SIZE_PX),
          },
        ],
      },
    ],
  };
}

/**
 * A chiplet with narrow memory: one channel, and a second-level cache of a sixteenth of the
 * texture.
 */
const NARROW: Partial<ChipletSpec> = { dramChannels: 1, l2CacheBytes: 65_536 };

async function cyclesOf(fragmentSource: string, overrides: Partial<ChipletSpec>): Promise<number> {
  const gpu = new LocalGpu({
    chipletCount: 1,
    spec: defineChipletSpec({ name: 'test', ...NARROW, ...overrides }),
  });
  const { report } = await gpu.render(makeFrame(fragmentSource), {
    policy: 'dynamic',
    grid: { kind: 'bins', count: 1 },
    visibilityShader: 'minimal',
    timing: 'cycle',
    coupling: 'none',
  });
  return report.bins.reduce((sum, { startCycle, endCycle }) => sum + endCycle! - startCycle!, 0);
}

describe('a scene that is bound by texture reads', () => {
  it('gets faster with a second-level cache that holds the texture', async () => {
    const small = await cyclesOf(SCATTERED, {});
    const large = await cyclesOf(SCATTERED, { l2CacheBytes: 2 * 2 ** 20 });
    // Of 65,536 reads, 16,384 are the first of their line.
    expect(large).toBeLessThan(0.6 * small);
  });

  it('gets faster with a second memory channel', async () => {
    const one = await cyclesOf(SCATTERED, {});
    const two = await cyclesOf(SCATTERED, { dramChannels: 2 });
    expect(two).toBeLessThan(0.65 * one);
  });
});

describe('a scene that is bound by its shader', () => {
  it('does not get faster with either', async () => {
    const narrow = await cyclesOf(COMPUTING, {});
    for (const wide of [{ l2CacheBytes: 2 * 2 ** 20 }, { dramChannels: 2 }]) {
      const cycles = await cyclesOf(COMPUTING, wide);
      expect(Math.abs(cycles / narrow - 1)).toBeLessThan(0.01);
    }
  });
});
