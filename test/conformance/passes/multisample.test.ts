/**
 * Multisample targets through the whole flow: passes into them, loads, resolves by copies. Images
 * are the same on one and three chiplets and in both timings. packages/gpu tests coverage itself.
 */

import {
  type Draw,
  defaultPipelineState,
  type Frame,
  type Pass,
  type PipelineState,
  type SamplerState,
  samplePatternOf,
  sha256Hex,
  type TextureFormat,
  type TextureResource,
  validateFrame,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { DrawnImage } from '../scene/draw-scene.ts';

const SIZE = 24;
const VERTEX = `#version 300 es
uniform vec4 rect;
uniform float z;
void main() {
  gl_Position = vec4(gl_VertexID % 2 == 0 ? rect.x : rect.z, gl_VertexID < 2 ? rect.y : rect.w, z, 1.0);
}`;
const SHOW =
  'uniform highp sampler2D map; out vec4 result;\nvoid main() { result = texelFetch(map, ivec2(gl_FragCoord.xy), 0); }';

const gpus = new Map<number, LocalGpu>();

/** Renders on 1 and 3 chiplets, in both timings. */
async function render(frame: Frame): Promise<DrawnImage> {
  const images: DrawnImage[] = [];
  for (const [chipletCount, timing] of [
    [1, 'functional'],
    [3, 'functional'],
    [3, 'cycle'],
  ] as const) {
    const gpu = gpus.get(chipletCount) ?? new LocalGpu({ chipletCount });
    gpus.set(chipletCount, gpu);
    const options = { timing, grid: { kind: 'bins', count: 4 } } as const;
    const { image, report } = await gpu.render(frame, options);
    images.push(new DrawnImage(image, report));
  }
  for (const other of images.slice(1)) expect(other.rgba).toEqual(images[0]!.rgba);
  return images[0]!;
}

class FrameMaker {
  readonly textures: TextureResource[] = [];
  readonly programs: { vertexSource: string; fragmentSource: string }[] = [];
  readonly passes: Pass[] = [];

  texture(format: TextureFormat, sampleCount?: number): number {
    const index = this.textures.length;
    const sha256 = sha256Hex(new TextEncoder().encode(`texture ${index} ${format}`));
    const size = { widthPx: SIZE, heightPx: SIZE, levels: [], isMipmapGenerated: false };
    return this.textures.push({ sha256, format, ...size, sampleCount }) - 1;
  }

  /** Fills a rectangle in pixels, x and y up. */
  fill(
    [left, bottom, right, top]: readonly [number, number, number, number],
    body: string,
    given: Partial<Draw> & { z?: number; on?: Partial<PipelineState> } = {},
  ): Draw {
    const { z = 0, on, ...rest } = given;
    const fragmentSource = `#version 300 es\nprecision highp float;\n${body}`;
    const device = (px: number) => (2 * px) / SIZE - 1;
    return {
      programIndex: this.programs.push({ vertexSource: VERTEX, fragmentSource }) - 1,
      topology: 'triangle-strip',
      first: 0,
      count: 4,
      indices: null,
      instanceCount: 1,
      attributes: {},
      uniforms: { rect: [left, bottom, right, top].map(device), z: [z] },
      textures: {},
      state: { ...defaultPipelineState(SIZE, SIZE), ...on },
      ...rest,
    };
  }

  color(rgba: string): string {
    return `out vec4 result; void main() { result = vec4(${rgba}); }`;
  }

  /** Returns a pass to the screen that shows a texture texel by texel. */
  show(textureIndex: number): Pass {
    const sampler: SamplerState = {
      wrapS: 'clamp-to-edge',
      wrapT: 'clamp-to-edge',
      magFilter: 'nearest',
      minFilter: 'nearest',
      mipmapFilter: 'none',
    };
    const draw = this.fill([0, 0, SIZE, SIZE], SHOW, {
      textures: { map: { textureIndex, sampler } },
    });
    return { clear: CLEAR, draws: [draw] };
  }

  frame(): Frame {
    const { textures, programs, passes } = this;
    return { widthPx: SIZE, heightPx: SIZE, buffers: [], textures, programs, passes };
  }
}

const CLEAR = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;
const WHOLE = {
  source: 0,
  sourceX: 0,
  sourceY: 0,
  widthPx: SIZE,
  heightPx: SIZE,
  intoX: 0,
  intoY: 0,
} as const;
const DEPTH = { ...defaultPipelineState(1, 1).depth, isTestEnabled: true };

describe('targets of four samples a pixel', () => {
  it.each([
    // Mean of 3 samples of the clear color and one drawn sample; rows 0 and 1 of quarters from the
    // left.
    ['rgba8unorm', '0.8, 0.4, 0.0, 1.0', [51, 26, 0, 255]],
    ['rg8unorm', '0.8, 0.4, 0.0, 1.0', [51, 26, 0, 255]],
    ['rgba16float', '0.5, 2.0, 0.0, 1.0', [32, 128, 0, 255]],
    ['r32float', '1.0, 0.0, 0.0, 1.0', [64, 0, 0, 255]],
    ['rgb10a2unorm', '1.0, 0.0, 0.0, 1.0', [64, 0, 0, 255]],
    ['rg11b10ufloat', '0.5, 2.0, 0.25, 1.0', [32, 128, 16, 255]],
    // A quarter of linear light, shown as linear light.
    ['rgba8unorm-srgb', '1.0, 0.0, 0.0, 1.0', [64, 0, 0, 255]],
  ] as const)('of %s are resolved to the mean of the samples', async (format, color, expected) => {
    const maker = new FrameMaker();
    const many = maker.texture(format, 4);
    const one = maker.texture(format);
    maker.passes.push(
      {
        clear: CLEAR,
        target: { kind: 'texture', textureIndex: many },
        draws: [maker.fill([0, 0, 10.25, SIZE], maker.color(color))],
        copies: [{ ...WHOLE, into: { textureIndex: one } }],
      },
      maker.show(one),
    );
    const image = await render(maker.frame());
    const pixel = image.pixel(10, 5);
    expected.forEach((value, c) => {
      expect(Math.abs(pixel[c]! - value)).toBeLessThanOrEqual(1);
    });
    expect(image.pixel(11, 5)).toEqual([0, 0, 0, 255]);
  });

  it('load the samples that an earlier pass left, depth and stencil included', async () => {
    const maker = new FrameMaker();
    const many = maker.texture('rgba8unorm', 4);
    const one = maker.texture('rgba8unorm');
    const target = { kind: 'texture', textureIndex: many } as const;
    maker.passes.push(
      {
        clear: CLEAR,
        target,
        draws: [
          maker.fill([0, 0, 10.5, SIZE], maker.color('1, 0, 0, 1'), { on: { depth: DEPTH } }),
        ],
      },
      { clear: CLEAR, draws: [] },
      {
        clear: CLEAR,
        target,
        loads: ['color', 'depth', 'stencil'],
        draws: [
          maker.fill([0, 0, SIZE, SIZE], maker.color('0, 1, 0, 1'), {
            z: 0.5,
            on: { depth: DEPTH },
          }),
        ],
        copies: [{ ...WHOLE, into: { textureIndex: one } }],
      },
      maker.show(one),
    );
    const image = await render(maker.frame());
    expect(image.pixel(4, 4)).toEqual([255, 0, 0, 255]);
    expect(image.pixel(10, 4)).toEqual([128, 128, 0, 255]);
    expect(image.pixel(14, 4)).toEqual([0, 255, 0, 255]);
  });

  it('are several images with depth, which is resolved to the first sample', async () => {
    const maker = new FrameMaker();
    const [red, green] = [maker.texture('rgba8unorm', 4), maker.texture('rgba16float', 4)];
    const depth = maker.texture('depth24unorm-stencil8', 4);
    const flat = maker.texture('depth24unorm-stencil8');
    const mean = maker.texture('rgba16float');
    const outputs =
      'layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;\nvoid main() { a = vec4(1, 0, 0, 1); b = vec4(0, 4, 0, 1); }';
    const colors = [{ textureIndex: red }, { textureIndex: green }];
    maker.passes.push(
      {
        clear: CLEAR,
        target: { kind: 'images', colors, depthStencil: { textureIndex: depth } },
        draws: [maker.fill([0, 0, 10.5, SIZE], outputs, { z: -0.5, on: { depth: DEPTH } })],
        copies: [
          { ...WHOLE, source: 'depth-stencil', into: { textureIndex: flat } },
          { ...WHOLE, source: 1, into: { textureIndex: mean } },
        ],
      },
      maker.show(flat),
    );
    const depths = await render(maker.frame());
    // Sample 0 is left of the middle of the pixel.
    expect([9, 10, 11].map((x) => depths.pixel(x, 3)[0])).toEqual([64, 64, 255]);
    maker.passes[1] = maker.show(mean);
    const means = await render(maker.frame());
    expect([9, 10, 11].map((x) => means.pixel(x, 3)[1])).toEqual([255, 255, 0]);
  });

  it.each([
    { ends: [3, 4, 20, 19], widthPx: 1 },
    { ends: [2.3, 20.6, 21.4, 3.2], widthPx: 1 },
    { ends: [10.2, 2.1, 13.7, 21.8], widthPx: 2.5 },
    { ends: [4, 12.3, 19.5, 12.3], widthPx: 3 },
    { ends: [9, 11.9, 11.6, 13.2], widthPx: 6 },
  ] as const)('have lines that are rectangles: $ends, $widthPx px', async ({ ends, widthPx }) => {
    const maker = new FrameMaker();
    const many = maker.texture('rgba8unorm', 4);
    const one = maker.texture('rgba8unorm');
    const on = { lineWidthPx: widthPx };
    // Vertices 1 and 2 are the ends of a diagonal.
    const line = { topology: 'lines', first: 1, count: 2, on } as const;
    maker.passes.push(
      {
        clear: CLEAR,
        target: { kind: 'texture', textureIndex: many },
        draws: [maker.fill(ends, maker.color('1, 1, 1, 1'), line)],
        copies: [{ ...WHOLE, into: { textureIndex: one } }],
      },
      maker.show(one),
    );
    const image = await render(maker.frame());
    const [x1, y0, x0, y1] = ends;
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
    let total = 0;
    const pattern = samplePatternOf(4);
    for (let y = 0; y < SIZE; y++) {
      for (let x = 0; x < SIZE; x++) {
        // Distances of the samples from the outline of the rectangle, positive inside.
        const depths = pattern.x.map((dx, sample) => {
          const [px, py] = [x + 0.5 + dx / 16 - x0, y + 0.5 - pattern.y[sample]! / 16 - y0];
          const along = px * ux + py * uy;
          return Math.min(widthPx / 2 - Math.abs(px * uy - py * ux), along, length - along);
        });
        // Corners are rounded to 1/256 pixel, which turns a short line.
        if (depths.some((depth) => Math.abs(depth) < 0.01 + 0.03 / length)) continue;
        const inside = depths.filter((depth) => depth > 0).length;
        const [red] = image.pixel(x, SIZE - 1 - y);
        expect([x, y, Math.round((red! * 4) / 255)]).toEqual([x, y, inside]);
        total += inside;
      }
    }
    // The rectangle has four samples per pixel of its area.
    expect(total).toBeGreaterThan(length * widthPx);
  });

  it('are rejected if they are sampled, mixed with others, or have levels', () => {
    const maker = new FrameMaker();
    const many = maker.texture('rgba8unorm', 4);
    const one = maker.texture('rgba8unorm');
    const refuse = (passes: readonly Pass[], message: string, textures = maker.textures) =>
      expect(() => validateFrame({ ...maker.frame(), textures, passes })).toThrow(message);
    const pass = {
      clear: CLEAR,
      target: { kind: 'texture', textureIndex: many },
      draws: [],
    } as const;
    validateFrame({ ...maker.frame(), passes: [pass, { clear: CLEAR, draws: [] }] });
    refuse([pass, maker.show(many)], 'is a multisample texture, which cannot be sampled');
    const colors = [{ textureIndex: many }, { textureIndex: one }];
    refuse(
      [{ ...pass, target: { kind: 'images', colors, depthStencil: null } }, maker.show(one)],
      'images with 4 and 1 samples per pixel cannot be combined',
    );
    refuse(
      [
        {
          ...pass,
          target: { kind: 'texture', textureIndex: one },
          copies: [{ ...WHOLE, into: { textureIndex: many } }],
        },
        { clear: CLEAR, draws: [] },
      ],
      '1 samples per pixel cannot be copied to 4',
    );
    const screen: Pass = { clear: CLEAR, draws: [] };
    const sampled = { ...maker.frame(), sampleCount: 4, passes: [screen] };
    validateFrame(sampled);
    expect(() => validateFrame({ ...sampled, sampleCount: 2 })).toThrow(
      'sampleCount: 2 is not one of 1, 4, 8',
    );
    const copied = { ...screen, copies: [{ ...WHOLE, into: { textureIndex: many } }] };
    expect(() => validateFrame({ ...sampled, passes: [copied] })).toThrow(
      'the screen can be copied into textures with one sample only',
    );
    const [first, ...others] = maker.textures;
    refuse([pass], 'is not one of 1, 4, 8', [{ ...first!, sampleCount: 2 }, ...others]);
    refuse([pass], 'a multisample texture must be 2d', [
      { ...first!, sampleCount: 4, levelCount: 2 },
      ...others,
    ]);
  });
});
