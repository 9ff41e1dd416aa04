/** Lines of textures whose blocks take fewer bytes in memory than their decoded texels. */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import { BLOCK_BYTES, TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { makeFrame, makeTexture } from '../scene/draw-scene.ts';
import { NEAREST } from './textured-quad.ts';

const SIZE_PX = 128;
const LINE_BYTES = 64;

/** Draws a texture texel by texel. */
async function render(
  format: TextureFormat,
  blockBytes: number | undefined,
  textureLayout: 'linear-block' | 'morton',
) {
  const { bytesPerTexel } = TEXTURE_FORMATS[format];
  const texels = Uint8Array.from({ length: SIZE_PX ** 2 * bytesPerTexel }, (_, i) => i * 7 + 3);
  const texture = makeTexture({
    ...{ format, dimension: '2d', widthPx: SIZE_PX, heightPx: SIZE_PX, levels: [texels] },
    ...{ isMipmapGenerated: false, blockBytes },
  });
  const frame = makeFrame({
    ...{ widthPx: SIZE_PX, heightPx: SIZE_PX, textures: [texture] },
    draws: [
      {
        positions: [
          [0, 0],
          [2 * SIZE_PX, 0],
          [0, 2 * SIZE_PX],
        ],
        fragmentSource: `#version 300 es
precision highp float;
uniform highp sampler2D u_texture;
out vec4 o_color;
void main() { o_color = texelFetch(u_texture, ivec2(gl_FragCoord.xy), 0); }`,
        textures: { u_texture: { textureIndex: 0, sampler: NEAREST } },
      },
    ],
  });
  // One texture unit, whose cache holds the whole texture.
  const overrides = { smCount: 1, textureCacheBytes: 524_288, textureLayout };
  const gpu = new LocalGpu({ chipletCount: 1, spec: defineChipletSpec(overrides) });
  const { image, report } = await gpu.render(frame, {
    policy: 'dynamic',
    grid: { kind: 'bins', count: 1 },
    visibilityShader: 'minimal',
    timing: 'cycle',
  });
  return { image, counters: report.chiplets[0]!.counters };
}

describe.each(['linear-block', 'morton'] as const)('stored textures in %s order', (layout) => {
  it.each<[TextureFormat, readonly (number | undefined)[]]>([
    ['rgba8unorm', [undefined, ...BLOCK_BYTES.filter((size) => size <= 64)]],
    ['rgba8unorm-srgb', [undefined, 16, 8]],
    ['r8unorm', [undefined, 8]],
    ['rg8unorm', [undefined, 16]],
    ['r8snorm', [undefined]],
    ['rgba16float', [undefined]],
    ['r32float', [undefined, 8]],
    ['rg32float', [undefined, 16]],
    ['rgba32float', [undefined]],
  ])('of %s read each line of their blocks once', async (format, sizes) => {
    const images = [];
    for (const blockBytes of sizes) {
      const { image, counters } = await render(format, blockBytes, layout);
      images.push(image);
      const stored = blockBytes ?? 16 * TEXTURE_FORMATS[format].bytesPerTexel;
      const lines = ((SIZE_PX / 4) ** 2 * stored) / LINE_BYTES;
      expect(counters['textureUnit.lineMisses'], `${blockBytes}`).toBe(lines);
      expect(counters['memory.textureBytesRead']).toBe(lines * LINE_BYTES);
      expect(counters['textureUnit.linesLogged']).toBe(counters['textureUnit.lineHits']! + lines);
    }
    for (const image of images) expect(image).toEqual(images[0]);
  });
});
