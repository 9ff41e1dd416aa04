/**
 * Targets of passes: formats, several colors at once, depth textures, faces, levels and slices, and
 * copies. A later pass reads each one back. Images are the same on one and three chiplets and in
 * both timings.
 */

import {
  type Draw,
  defaultPipelineState,
  type Frame,
  type Pass,
  type PassClear,
  type PipelineState,
  type ProgramSource,
  type SamplerState,
  sha256Hex,
  type TextureResource,
  type UniformValue,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { DrawnImage, type Rgba } from '../scene/draw-scene.ts';

const SIZE = 72;

const RECTANGLE = `#version 300 es
uniform vec4 rect;
uniform float z;
void main() {
  gl_Position = vec4(gl_VertexID % 2 == 0 ? rect.x : rect.z, gl_VertexID < 2 ? rect.y : rect.w, z, 1.0);
}`;

/** A rectangle whose fragments run `body`; `head` declares samplers and outputs. */
interface Fill {
  readonly head?: string;
  readonly body: string;
  readonly rect?: readonly [number, number, number, number];
  readonly z?: number;
  readonly textures?: Readonly<Record<string, number>>;
  readonly sampler?: Partial<SamplerState>;
  readonly state?: Partial<PipelineState>;
  /** Size of the target. */
  readonly sizePx?: number;
}

type PassOf = Omit<Partial<Pass>, 'draws'> & { readonly fills: readonly Fill[] };

const CLEAR: PassClear = { color: [0, 0, 0, 1], depth: 1, stencil: 0 };
const SAMPLER: SamplerState = {
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

function makeFrame(
  textures: readonly Partial<TextureResource>[],
  passes: readonly PassOf[],
): Frame {
  const programs: ProgramSource[] = [];
  const fill = (given: Fill): Draw => {
    const { head = 'out vec4 result;', body, rect = [-1, -1, 1, 1], z = 0, sizePx = SIZE } = given;
    const fragmentSource = `#version 300 es
precision highp float; precision highp int;
${head}
void main() { ${body} }`;
    const uniforms: Record<string, UniformValue> = { rect, z: [z] };
    const sampler = { ...SAMPLER, ...given.sampler };
    return {
      programIndex: programs.push({ vertexSource: RECTANGLE, fragmentSource }) - 1,
      topology: 'triangle-strip',
      first: 0,
      count: 4,
      indices: null,
      instanceCount: 1,
      attributes: {},
      uniforms,
      textures: Object.fromEntries(
        Object.entries(given.textures ?? {}).map(([name, textureIndex]) => [
          name,
          { textureIndex, sampler },
        ]),
      ),
      state: { ...defaultPipelineState(sizePx, sizePx), ...given.state },
    };
  };
  return {
    widthPx: SIZE,
    heightPx: SIZE,
    buffers: [],
    textures: textures.map((texture, index) => ({
      sha256: sha256Hex(new TextEncoder().encode(`texture ${index} ${JSON.stringify(texture)}`)),
      format: 'rgba8unorm',
      widthPx: SIZE,
      heightPx: SIZE,
      levels: [],
      isMipmapGenerated: false,
      ...texture,
    })),
    programs,
    passes: passes.map(({ fills, ...pass }) => ({ clear: CLEAR, ...pass, draws: fills.map(fill) })),
  };
}

const gpus = new Map<number, LocalGpu>();

async function render(
  textures: readonly Partial<TextureResource>[],
  passes: readonly PassOf[],
): Promise<DrawnImage> {
  const frame = makeFrame(textures, passes);
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

const into = (textureIndex: number, level = 0, slice = 0) =>
  ({ kind: 'texture', textureIndex, level, slice }) as const;
const at = (image: DrawnImage, u: number, v: number): Rgba =>
  image.pixel(Math.floor(u * SIZE), Math.floor((1 - v) * SIZE));
/** Returns a pass to the screen that shows an expression of a texture `map`. */
const show = (
  sampler: string,
  expression: string,
  texture = 0,
  state: Partial<SamplerState> = {},
): PassOf => ({
  fills: [
    {
      head: `uniform highp ${sampler} map; out vec4 result;`,
      body: `vec2 uv = gl_FragCoord.xy / ${SIZE}.0; result = ${expression};`,
      textures: { map: texture },
      sampler: state,
    },
  ],
});
const WHITE: Rgba = [255, 255, 255, 255];

describe('color targets', () => {
  it.each([
    ['r8unorm', 'vec4(1.0, 1.0, 1.0, 0.0)', 'equal(texture(map, uv), vec4(1, 0, 0, 1))'],
    [
      'rg8unorm',
      'vec4(0.2, 0.4, 0.6, 0.8)',
      'lessThan(abs(texture(map, uv) - vec4(0.2, 0.4, 0, 1)), vec4(1e-6))',
    ],
    [
      'rgba8unorm-srgb',
      'vec4(0.5, 0.01, 0.2, 0.4)',
      'lessThan(abs(texture(map, uv) - vec4(0.5, 0.01, 0.2, 0.4)), vec4(0.004))',
    ],
    [
      'rgb10a2unorm',
      'vec4(0.5, 2.0, -1.0, 0.3)',
      'lessThan(abs(texture(map, uv) - vec4(512.0 / 1023.0, 1, 0, 1.0 / 3.0)), vec4(1e-5))',
    ],
    ['r16float', 'vec4(1000.5, 1, 1, 1)', 'equal(texture(map, uv), vec4(1000.5, 0, 0, 1))'],
    ['rg16float', 'vec4(-3.0, 1e6, 1, 1)', 'equal(texture(map, uv), vec4(-3.0, 1.0 / 0.0, 0, 1))'],
    [
      'rgba16float',
      'vec4(1.0 / 3.0, -2.5, 7.0, 65504.0)',
      'equal(texture(map, uv), vec4(0.333251953125, -2.5, 7, 65504))',
    ],
    ['r32float', 'vec4(1.0 / 3.0)', 'equal(texture(map, uv), vec4(1.0 / 3.0, 0, 0, 1))'],
    ['rg32float', 'vec4(1e30, -4.0, 0, 0)', 'equal(texture(map, uv), vec4(1e30, -4.0, 0, 1))'],
    [
      'rgba32float',
      'vec4(1e-30, 16777217.0, 3, 4)',
      'equal(texture(map, uv), vec4(1e-30, 16777217.0, 3, 4))',
    ],
    ['rg11b10ufloat', 'vec4(3.0, -1.0, 0.5, 0.0)', 'equal(texture(map, uv), vec4(3, 0, 0.5, 1))'],
  ] as const)('of %s hold what is drawn', async (format, color, check) => {
    const image = await render(
      [{ format }],
      [
        { target: into(0), fills: [{ body: `result = ${color};` }] },
        show('sampler2D', `vec4(${check})`),
      ],
    );
    expect(at(image, 0.1, 0.1)).toEqual(WHITE);
    expect(at(image, 0.99, 0.99)).toEqual(WHITE);
  });

  it.each([
    ['rgba32sint', 'ivec4', 'ivec4(-5, 7, 2147483647, 1)', 'isampler2D'],
    ['rg16uint', 'uvec4', 'uvec4(65535u, 7u, 0u, 1u)', 'usampler2D'],
    ['r8sint', 'ivec4', 'ivec4(-128, 0, 0, 1)', 'isampler2D'],
    ['rgb10a2uint', 'uvec4', 'uvec4(1023u, 5u, 0u, 3u)', 'usampler2D'],
  ] as const)('of %s hold integers', async (format, type, value, sampler) => {
    const image = await render(
      [{ format }],
      [
        {
          target: into(0),
          fills: [{ head: `out highp ${type} result;`, body: `result = ${value};` }],
        },
        show(sampler, `vec4(equal(texture(map, uv), ${value}))`),
      ],
    );
    expect(at(image, 0.5, 0.5)).toEqual(WHITE);
  });

  it('are cleared to their own values, and keep their contents where a pass loads them', async () => {
    const target = {
      kind: 'images',
      colors: [{ textureIndex: 0 }, { textureIndex: 1 }],
      depthStencil: null,
    } as const;
    const clear = {
      ...CLEAR,
      colors: [
        [2, 3, 4, 5],
        [0, 0.25, 0, 1],
      ],
    } as const;
    const image = await render(
      [{ format: 'rgba16float' }, {}],
      [
        { target, clear, fills: [] },
        {
          target,
          loads: ['color'],
          fills: [
            {
              head: 'layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;',
              body: 'a = vec4(1); b = vec4(1);',
              rect: [0, -1, 1, 1],
            },
          ],
        },
        show('sampler2D', 'texture(map, uv) / 8.0'),
      ],
    );
    expect(at(image, 0.25, 0.5)).toEqual([64, 96, 128, 159]);
    expect(at(image, 0.75, 0.5)).toEqual([32, 32, 32, 32]);
  });

  it('in sRGB are drawn into without encoding, in the passes that say so', async () => {
    const target = { ...into(0), isSrgbRaw: true };
    const add = { equation: 'add', source: 'one', destination: 'one' } as const;
    const blend = { isEnabled: true, color: add, alpha: add, constant: [0, 0, 0, 0] } as const;
    const loads = ['color'] as const;
    const body = 'result = vec4(0.4);'; // over 0.2; lookups decode 0.6 as 0.319
    const image = await render(
      [{ format: 'rgba8unorm-srgb' }],
      [
        { target, clear: { ...CLEAR, color: [0.2, 0.2, 0.2, 0] }, fills: [] },
        { target, loads, fills: [{ body, rect: [-1, -1, 0, 1], state: { blend } }] },
        { target: into(0), loads, fills: [{ body, rect: [-1, 0, 1, 1] }] },
        show('sampler2D', 'texture(map, uv)'),
      ],
    );
    expect(at(image, 0.25, 0.75)).toEqual([103, 103, 103, 102]);
    expect(at(image, 0.25, 0.25)).toEqual([81, 81, 81, 102]);
    expect(at(image, 0.75, 0.25)).toEqual([8, 8, 8, 0]);
  });

  it('take one output each, with blending and masks', async () => {
    const colors = [{ textureIndex: 0 }, null, { textureIndex: 1 }] as const;
    const add = { equation: 'add', source: 'one', destination: 'one' } as const;
    const blend = { isEnabled: true, color: add, alpha: add, constant: [0, 0, 0, 0] } as const;
    const passes = (texture: number, scale: string): PassOf[] => [
      {
        target: { kind: 'images', colors, depthStencil: null },
        clear: { ...CLEAR, color: [0.5, 0.5, 0.5, 0.5] },
        fills: [
          {
            head: 'layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 c;',
            body: 'a = vec4(0.25); b = vec4(1); c = vec4(3);',
            state: { blend, colorMask: [true, true, false, true] },
          },
        ],
      },
      show('sampler2D', `texture(map, uv) * ${scale}`, texture),
    ];
    const textures = [{}, { format: 'rgba32float' }] as const;
    const first = await render(textures, passes(0, '1.0'));
    expect(at(first, 0.5, 0.5)).toEqual([192, 192, 128, 192]);
    const third = await render(textures, passes(1, '0.125'));
    expect(at(third, 0.5, 0.5)).toEqual([112, 112, 16, 112]);
  });
});

describe('images of textures', () => {
  it('are faces of a cube', async () => {
    const faces = Array.from(
      { length: 6 },
      (_, face): PassOf => ({
        target: into(0, 0, face),
        fills: [{ body: `result = vec4(${face}.0 / 5.0, gl_FragCoord.y < ${SIZE / 2}.0, 0, 1);` }],
      }),
    );
    const cube = { dimension: 'cube', levelCount: 1 } as const;
    const image = await render(
      [cube],
      [...faces, show('samplerCube', 'texture(map, vec3(uv.x - 0.5, -1, uv.y - 0.5))')],
    );
    expect(at(image, 0.5, 0.25)[0]).toBe(153);
    // t of −y runs along −z: green is where t < ½.
    expect([at(image, 0.5, 0.25)[1], at(image, 0.5, 0.75)[1]]).toEqual([0, 255]);
  });

  it('are levels of the right size', async () => {
    const levels = [0, 1, 2].map(
      (level): PassOf => ({
        target: into(0, level),
        fills: [{ body: `result = vec4(${level + 1}.0 / 4.0);`, sizePx: SIZE >> level }],
      }),
    );
    const expression = 'textureLod(map, uv, floor(uv.x * 3.0))';
    const state = { mipmapFilter: 'nearest' } as const;
    const image = await render(
      [{ levelCount: 3 }],
      [...levels, show('sampler2D', expression, 0, state)],
    );
    expect([0.2, 0.5, 0.9].map((u) => at(image, u, 0.5)[0])).toEqual([64, 128, 191]);
  });

  it('are sampled level by level while others are drawn into', async () => {
    const half: PassOf = {
      target: into(0, 1),
      fills: [
        {
          head: 'uniform sampler2D map; out vec4 result;',
          body: 'result = texture(map, vec2(0.5)) * 0.5;',
          textures: { map: 0 },
          sizePx: SIZE / 2,
        },
      ],
    };
    const state = { mipmapFilter: 'nearest' } as const;
    const image = await render(
      [{ levelCount: 2 }],
      [
        { target: into(0), fills: [{ body: 'result = vec4(1);' }] },
        half,
        show('sampler2D', 'textureLod(map, uv, 1.0)', 0, state),
      ],
    );
    expect(at(image, 0.5, 0.5)).toEqual([128, 128, 128, 128]);
  });

  it('are slices of arrays and of 3D textures', async () => {
    for (const [dimension, sampler] of [
      ['2d-array', 'sampler2DArray'],
      ['3d', 'sampler3D'],
    ] as const) {
      const image = await render(
        [{ dimension, sliceCount: 3, levelCount: 1 }],
        [
          { target: into(0, 0, 2), fills: [{ body: 'result = vec4(1, 0, 0, 1);' }] },
          show(sampler, `texelFetch(map, ivec3(ivec2(gl_FragCoord.xy), int(uv.x * 3.0)), 0)`),
        ],
      );
      expect([0.2, 0.5, 0.9].map((u) => at(image, u, 0.5))).toEqual([
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [255, 0, 0, 255],
      ]);
    }
  });
});

describe('depth textures', () => {
  const depthTested: Partial<PipelineState> = {
    depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
  };
  const depthFormat = { format: 'depth24unorm-stencil8' } as const;
  const depthOnly = (fills: readonly Fill[]): PassOf => ({
    target: { kind: 'images', colors: [], depthStencil: { textureIndex: 0 } },
    fills,
  });
  const half: Fill = { body: '', head: '', rect: [-1, -1, 0, 1], z: 0, state: depthTested };

  it('are drawn without color and sampled as depth', async () => {
    const image = await render(
      [depthFormat],
      [depthOnly([half]), show('sampler2D', 'texture(map, uv)')],
    );
    expect([at(image, 0.25, 0.5), at(image, 0.75, 0.5)]).toEqual([
      [128, 0, 0, 255],
      [255, 0, 0, 255],
    ]);
  });

  it('are shadow maps', async () => {
    const passes = [
      depthOnly([half]),
      show('sampler2DShadow', 'vec4(texture(map, vec3(uv, 0.6)))', 0, { compare: 'less' }),
    ];
    const image = await render([depthFormat], passes);
    expect([at(image, 0.25, 0.5)[0], at(image, 0.75, 0.5)[0]]).toEqual([0, 255]);
  });

  it('are shared by passes with other colors', async () => {
    const target = (textureIndex: number) =>
      ({ kind: 'images', colors: [{ textureIndex }], depthStencil: { textureIndex: 0 } }) as const;
    const image = await render(
      [depthFormat, {}, {}],
      [
        {
          target: target(1),
          fills: [{ body: 'result = vec4(1);', rect: [-1, -1, 0, 1], z: -0.5, state: depthTested }],
        },
        {
          target: target(2),
          loads: ['depth'],
          fills: [{ body: 'result = vec4(1);', state: depthTested }],
        },
        show('sampler2D', 'texture(map, uv)', 2),
      ],
    );
    expect([at(image, 0.25, 0.5)[0], at(image, 0.75, 0.5)[0]]).toEqual([0, 255]);
  });

  it('are not tested where a pass has none', async () => {
    const image = await render(
      [{}],
      [
        {
          target: { kind: 'images', colors: [{ textureIndex: 0 }], depthStencil: null },
          clear: { ...CLEAR, depth: 0 },
          fills: [{ body: 'result = vec4(1);', state: depthTested }],
        },
        show('sampler2D', 'texture(map, uv)'),
      ],
    );
    expect(at(image, 0.5, 0.5)).toEqual(WHITE);
  });
});

describe('copies', () => {
  const quarters: Fill = { body: 'result = vec4(gl_FragCoord.xy / 72.0, 0.5, 0.25);' };
  const copy = {
    source: 0,
    sourceX: 0,
    sourceY: 0,
    widthPx: 8,
    heightPx: 4,
    into: { textureIndex: 0 },
    intoX: 1,
    intoY: 2,
  } as const;
  const small = { widthPx: 16, heightPx: 8, levelCount: 1 } as const;

  it('put a rectangle of the screen into a texture, lowest row first', async () => {
    const image = await render(
      [small],
      [
        { fills: [quarters], copies: [{ ...copy, sourceX: 36, sourceY: 18 }] },
        show('sampler2D', 'texelFetch(map, ivec2(uv * vec2(16, 8)), 0)'),
      ],
    );
    // Texel (1, 2) is the pixel at (36, 18), whose center is at 36.5, 18.5.
    expect(at(image, 1.5 / 16, 2.5 / 8)).toEqual([129, 66, 128, 64]);
    expect(at(image, 8.5 / 16, 5.5 / 8)).toEqual([154, 76, 128, 64]);
    expect(at(image, 0.5 / 16, 0.5 / 8)).toEqual([0, 0, 0, 0]);
  });

  it('keep the channels that the texture has', async () => {
    const swizzle = ['red', 'red', 'red', 'one'] as const;
    const image = await render(
      [small],
      [
        { fills: [quarters], copies: [{ ...copy, sourceX: 36, swizzle }] },
        show('sampler2D', 'texelFetch(map, ivec2(1, 2), 0)'),
      ],
    );
    expect(at(image, 0.5, 0.5)).toEqual([129, 129, 129, 255]);
  });

  it('are of depth too', async () => {
    const state = {
      depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
    } as const;
    const image = await render(
      [{ ...small, format: 'depth24unorm-stencil8' }],
      [
        {
          fills: [{ ...quarters, z: -0.5, state }],
          copies: [{ ...copy, source: 'depth-stencil' }],
        },
        show('sampler2D', 'texelFetch(map, ivec2(1, 2), 0)'),
      ],
    );
    expect(at(image, 0.5, 0.5)).toEqual([64, 0, 0, 255]);
  });
});
