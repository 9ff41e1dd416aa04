/**
 * Cube maps, 3D textures, arrays, shadow lookups and integer texels in GLSL ES 3.00 match values
 * computed by hand. Images are the same on one and three chiplets and in both timings.
 */
import {
  levelSizeOf,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
} from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import {
  type DrawnImage,
  drawScene,
  makeTexture,
  type Rgba,
  rectangle,
  type Scene,
} from '../scene/draw-scene.ts';

const SIZE = 16;
const SAMPLER: SamplerState = {
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  wrapR: 'clamp-to-edge',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

interface Lookup {
  /** GLSL declarations before `main`, and an expression of type vec4. */
  readonly sampler: string;
  readonly result: string;
  readonly format: TextureFormat;
  readonly dimension: TextureDimension;
  readonly widthPx: number;
  readonly heightPx?: number;
  readonly sliceCount?: number;
  readonly isMipmapGenerated?: boolean;
  readonly state?: Partial<SamplerState>;
  /** Writes the texel's components. */
  readonly texel: (view: DataView, at: number, x: number, y: number, slice: number) => void;
}

/** Draws the whole target with a lookup. `uv` runs from 0 to 1 over it, t upwards. */
async function look(lookup: Lookup): Promise<DrawnImage> {
  const { format, dimension, widthPx, heightPx = widthPx, sliceCount } = lookup;
  const shape = { dimension, widthPx, heightPx, sliceCount };
  const { bytesPerTexel } = TEXTURE_FORMATS[format];
  const size = levelSizeOf(shape, 0);
  const bytes = new Uint8Array(size.widthPx * size.heightPx * size.sliceCount * bytesPerTexel);
  const view = new DataView(bytes.buffer);
  for (let slice = 0, at = 0; slice < size.sliceCount; slice++) {
    for (let y = 0; y < size.heightPx; y++) {
      for (let x = 0; x < size.widthPx; x++, at += bytesPerTexel) {
        lookup.texel(view, at, x, y, slice);
      }
    }
  }
  const isMipmapGenerated = lookup.isMipmapGenerated ?? false;
  const texture = makeTexture({ ...shape, format, levels: [bytes], isMipmapGenerated });
  const scene: Scene = {
    widthPx: SIZE,
    heightPx: SIZE,
    textures: [texture],
    draws: [
      {
        positions: rectangle(0, 0, SIZE, SIZE),
        fragmentSource: `#version 300 es
precision highp float; precision highp int;
uniform highp ${lookup.sampler} map;
out vec4 result;
void main() { vec2 uv = gl_FragCoord.xy / ${SIZE}.0; result = ${lookup.result}; }`,
        textures: { map: { textureIndex: 0, sampler: { ...SAMPLER, ...lookup.state } } },
      },
    ],
  };
  const image = await drawScene(scene, 1, { timing: 'functional' });
  for (const chipletCount of [1, 3]) {
    for (const timing of ['functional', 'cycle'] as const) {
      if (timing === 'cycle' && chipletCount === 1) continue;
      const other = await drawScene(scene, chipletCount, { timing, binCount: 4 });
      expect(other.rgba, `${chipletCount} chiplets, ${timing}`).toEqual(image.rgba);
    }
  }
  return image;
}

/** Returns the image's pixel at `uv`. */
function at(image: DrawnImage, u: number, v: number): Rgba {
  return image.pixel(Math.floor(u * SIZE), Math.floor((1 - v) * SIZE));
}

const putRgba = (view: DataView, offset: number, rgba: readonly number[]) =>
  rgba.forEach((value, c) => {
    view.setUint8(offset + c, value);
  });

describe('cube maps', () => {
  const FACES: readonly Rgba[] = [
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 255],
    [255, 255, 0, 255],
    [0, 255, 255, 255],
    [255, 0, 255, 255],
  ];
  const colored = {
    sampler: 'samplerCube',
    format: 'rgba8unorm',
    dimension: 'cube',
    widthPx: 4,
    texel: (view: DataView, offset: number, _x: number, _y: number, face: number) =>
      putRgba(view, offset, FACES[face]!),
  } as const;

  it('choose the face that the direction looks at', async () => {
    const directions = ['1, a, b', '-1, a, b', 'a, 1, b', 'a, -1, b', 'a, b, 1', 'a, b, -1'];
    for (const [face, direction] of directions.entries()) {
      const [x, y, z] = direction
        .replace('a', '1.8 * uv.x - 0.9')
        .replace('b', '1.8 * uv.y - 0.9')
        .split(', ');
      const result = `texture(map, vec3(${x}, ${y}, ${z}))`;
      const image = await look({ ...colored, result });
      expect(at(image, 0.1, 0.1)).toEqual(FACES[face]);
      expect(at(image, 0.9, 0.6)).toEqual(FACES[face]);
    }
  });

  it('run s and t over a face as table 3.21 says', async () => {
    // Red is x of the texel, green y: 0, 80, 160, 240.
    const gradient = {
      ...colored,
      texel: (view: DataView, offset: number, x: number, y: number) =>
        putRgba(view, offset, [x * 80, y * 80, 0, 255]),
    };
    /** Directions to the upper left texel of each face. */
    const corners = [
      '1, .8, .8',
      '-1, .8, -.8',
      '-.8, 1, -.8',
      '-.8, -1, .8',
      '-.8, .8, 1',
      '.8, .8, -1',
    ];
    for (const corner of corners) {
      const image = await look({ ...gradient, result: `texture(map, vec3(${corner}))` });
      expect(at(image, 0.5, 0.5)).toEqual([0, 0, 0, 255]);
    }
  });

  it('are filtered over their edges, unless edges are hard', async () => {
    const state = { magFilter: 'linear', minFilter: 'linear' } as const;
    // From +z over the edge to +x: half of each on the edge.
    const result = 'texture(map, vec3(1.0, 0.0, 1.0))';
    const seamless = await look({ ...colored, state, result });
    expect(at(seamless, 0.5, 0.5)).toEqual([128, 128, 128, 255]);
    const hard = await look({ ...colored, state: { ...state, isCubeEdgeHard: true }, result });
    expect(at(hard, 0.5, 0.5)).toEqual(FACES[0]);
  });

  it('read the level that the derivatives of the direction ask for', async () => {
    // A texel of a cube of 16 texels is white or black at level 0 only: the means are gray.
    const checker = {
      ...colored,
      widthPx: 16,
      isMipmapGenerated: true,
      state: { mipmapFilter: 'nearest' } as const,
      texel: (view: DataView, offset: number, x: number, y: number) =>
        putRgba(view, offset, (x + y) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]),
    };
    const near = await look({ ...checker, result: 'texture(map, vec3(uv - 0.5, 1.0))' });
    expect([0, 255]).toContain(at(near, 0.5, 0.5)[0]);
    const far = await look({ ...checker, result: 'texture(map, vec3(8.0 * uv - 4.0, 1.0))' });
    expect(at(far, 0.4, 0.6)[0]).toBe(128);
    const biased = await look({ ...checker, result: 'texture(map, vec3(uv - 0.5, 1.0), 3.0)' });
    expect(at(biased, 0.4, 0.6)[0]).toBe(128);
    const explicit = await look({ ...checker, result: 'textureLod(map, vec3(1, 0, 0), 2.0)' });
    expect(at(explicit, 0.4, 0.6)[0]).toBe(128);
    const given = 'textureGrad(map, vec3(0, 0, 1), vec3(0.5, 0, 0), vec3(0))';
    expect(at(await look({ ...checker, result: given }), 0.4, 0.6)[0]).toBe(128);
  });
});

describe('slices', () => {
  const layered = {
    format: 'rgba8unorm',
    widthPx: 2,
    sliceCount: 4,
    texel: (view: DataView, offset: number, x: number, y: number, slice: number) =>
      putRgba(view, offset, [slice * 60, x * 100, y * 100, 255]),
  } as const;

  it('of arrays are the nearest ones and are never mixed', async () => {
    const image = await look({
      ...layered,
      sampler: 'sampler2DArray',
      dimension: '2d-array',
      state: { magFilter: 'linear', minFilter: 'linear' },
      result: 'texture(map, vec3(uv, floor(uv.x * 16.0) / 4.0 - 0.5))',
    });
    const reds = Array.from({ length: SIZE }, (_, x) => image.pixel(x, 8)[0]);
    expect(reds).toEqual([0, 0, 0, 0, 60, 60, 60, 60, 120, 120, 120, 120, 180, 180, 180, 180]);
    expect(image.pixel(8, 0)[1]).toBeGreaterThan(50);
  });

  it('of 3D textures are filtered along the third coordinate', async () => {
    const volume = { ...layered, sampler: 'sampler3D', dimension: '3d' } as const;
    const linear = await look({
      ...volume,
      state: { magFilter: 'linear', minFilter: 'linear' },
      result: 'texture(map, vec3(0.25, 0.25, 0.5))',
    });
    expect(at(linear, 0.5, 0.5)).toEqual([90, 0, 0, 255]);
    const nearest = await look({ ...volume, result: 'texture(map, vec3(0.75, 0.25, 0.3))' });
    expect(at(nearest, 0.5, 0.5)).toEqual([60, 100, 0, 255]);
    const mean = await look({
      ...volume,
      isMipmapGenerated: true,
      state: { mipmapFilter: 'nearest' },
      result: 'textureLod(map, vec3(0.5), 9.0)',
    });
    expect(at(mean, 0.5, 0.5)).toEqual([90, 50, 50, 255]);
  });

  it('have sizes by level', async () => {
    const result = 'vec4(textureSize(map, 1), textureSize(map, 0).z) / 255.0';
    const shape = { widthPx: 8, heightPx: 4, sliceCount: 6, isMipmapGenerated: true };
    const volume = { ...layered, ...shape, sampler: 'sampler3D', dimension: '3d', result } as const;
    expect(at(await look(volume), 0.5, 0.5)).toEqual([4, 2, 3, 6]);
    const array = { ...volume, sampler: 'sampler2DArray', dimension: '2d-array' } as const;
    expect(at(await look(array), 0.5, 0.5)).toEqual([4, 2, 6, 6]);
  });

  it('have a base level and a highest level, which lookups count from', async () => {
    const shape = { widthPx: 8, heightPx: 4, sliceCount: 6, isMipmapGenerated: true };
    const volume = { ...layered, ...shape, sampler: 'sampler3D', dimension: '3d' } as const;
    const state = { baseLevel: 1, maxLevel: 2, mipmapFilter: 'nearest' } as const;
    const result = 'vec4(textureSize(map, 0), textureSize(map, 1).x) / 255.0';
    expect(at(await look({ ...volume, state, result }), 0.5, 0.5)).toEqual([4, 2, 3, 2]);
    const point = 'vec3(0.3, 0.3, 0.4)';
    for (const [lod, limits, level] of [
      [0, { ...state, mipmapFilter: 'none' }, 1],
      [1, state, 2],
      [9, state, 2],
    ] as const) {
      const limited = await look({
        ...volume,
        state: limits,
        result: `textureLod(map, ${point}, ${lod}.0)`,
      });
      const whole = { mipmapFilter: 'nearest' } as const;
      const direct = await look({
        ...volume,
        state: whole,
        result: `textureLod(map, ${point}, ${level}.0)`,
      });
      expect(limited.rgba).toEqual(direct.rgba);
    }
  });

  it('are fetched by number; outside there is nothing', async () => {
    const result = 'texelFetch(map, ivec3(1, 0, int(uv.x * 16.0)), 0)';
    for (const dimension of ['3d', '2d-array'] as const) {
      const sampler = dimension === '3d' ? 'sampler3D' : 'sampler2DArray';
      const image = await look({ ...layered, dimension, sampler, result });
      expect(image.pixel(3, 3)).toEqual([180, 100, 0, 255]);
      expect(image.pixel(4, 3)).toEqual([0, 0, 0, 0]);
    }
  });
});

describe('offsets', () => {
  const row = {
    format: 'r8unorm',
    dimension: '2d',
    sampler: 'sampler2D',
    widthPx: 4,
    heightPx: 1,
    texel: (view: DataView, offset: number, x: number) => view.setUint8(offset, x * 50),
  } as const;

  it('are texels, before coordinates wrap', async () => {
    const moved = await look({
      ...row,
      result: 'textureOffset(map, vec2(0.375, 0.5), ivec2(2, 0))',
    });
    expect(at(moved, 0.5, 0.5)[0]).toBe(150);
    const wrapped = await look({
      ...row,
      state: { wrapS: 'repeat' },
      result: 'textureOffset(map, vec2(0.375, 0.5), ivec2(-2, 0))',
    });
    expect(at(wrapped, 0.5, 0.5)[0]).toBe(150);
  });

  it('are texels of the level that is read', async () => {
    const result = 'textureLodOffset(map, vec2(0.25, 0.5), 1.0, ivec2(1, 0))';
    const state = { mipmapFilter: 'nearest' } as const;
    const image = await look({ ...row, state, isMipmapGenerated: true, result });
    expect(at(image, 0.5, 0.5)[0]).toBe(125);
  });
});

describe('shadow lookups', () => {
  /** Depths 0, ¼, ½, ¾ along x. */
  const depths = {
    format: 'depth32float',
    widthPx: 4,
    heightPx: 1,
    state: { compare: 'less-equal' },
    texel: (view: DataView, offset: number, x: number) => view.setFloat32(offset, x / 4, true),
  } as const;
  const flat = { ...depths, dimension: '2d', sampler: 'sampler2DShadow' } as const;

  it('compare the reference with each texel', async () => {
    const image = await look({ ...flat, result: 'vec4(texture(map, vec3(uv, 0.3)))' });
    expect([0.1, 0.3, 0.6, 0.9].map((u) => at(image, u, 0.5)[0])).toEqual([0, 0, 255, 255]);
  });

  it('weight the results of comparisons, not depths', async () => {
    const state = { compare: 'less-equal', magFilter: 'linear', minFilter: 'linear' } as const;
    const result = 'vec4(texture(map, vec3(0.5, 0.5, 0.3)))';
    expect(at(await look({ ...flat, state, result }), 0.5, 0.5)[0]).toBe(128);
  });

  it('divide the reference in projective forms', async () => {
    const result = 'vec4(textureProj(map, vec4(1.25, 1.0, 0.6, 2.0)))';
    expect(at(await look({ ...flat, result }), 0.5, 0.5)[0]).toBe(255);
  });

  it('read cubes and arrays', async () => {
    const cube = {
      ...depths,
      ...({ dimension: 'cube', sampler: 'samplerCubeShadow', widthPx: 1, heightPx: 1 } as const),
      texel: (view: DataView, offset: number, _x: number, _y: number, face: number) =>
        view.setFloat32(offset, face / 8, true),
    } as const;
    const result = 'vec4(texture(map, vec4(uv.x - 0.5, 0.1, 0.0, 0.05)))';
    const image = await look({ ...cube, result });
    expect([at(image, 0.9, 0.5)[0], at(image, 0.1, 0.5)[0]]).toEqual([0, 255]);
    const array = {
      ...cube,
      ...({ dimension: '2d-array', sampler: 'sampler2DArrayShadow', sliceCount: 2 } as const),
      result: 'vec4(texture(map, vec4(0.5, 0.5, floor(uv.x + 0.5), 0.05)))',
    } as const;
    const layers = await look(array);
    expect([at(layers, 0.1, 0.5)[0], at(layers, 0.9, 0.5)[0]]).toEqual([0, 255]);
  });

  it('read depth as red where there is no comparison', async () => {
    const plain = { ...depths, state: {}, dimension: '2d', sampler: 'sampler2D' } as const;
    const image = await look({ ...plain, result: 'texture(map, uv)' });
    expect(at(image, 0.6, 0.5)).toEqual([128, 0, 0, 255]);
  });
});

describe('texels', () => {
  it('that are integers come as they are', async () => {
    const numbers = { dimension: '2d', widthPx: 1 } as const;
    const signed = await look({
      ...{ ...numbers, format: 'rgba32sint', sampler: 'isampler2D' },
      result: 'vec4(equal(texture(map, uv), ivec4(-5, 2147483647, 7, -2147483647 - 1)))',
      texel: (view, offset) =>
        [-5, 2147483647, 7, -2147483648].forEach((value, c) => {
          view.setInt32(offset + 4 * c, value, true);
        }),
    });
    expect(at(signed, 0.5, 0.5)).toEqual([255, 255, 255, 255]);
    const unsigned = await look({
      ...{ ...numbers, format: 'r16uint', sampler: 'usampler2D' },
      result: 'vec4(equal(texelFetch(map, ivec2(0), 0), uvec4(65535u, 0u, 0u, 1u)))',
      texel: (view, offset) => view.setUint16(offset, 65535, true),
    });
    expect(at(unsigned, 0.5, 0.5)).toEqual([255, 255, 255, 255]);
  });

  it.each<[TextureFormat, (view: DataView, at: number) => void, Rgba]>([
    ['r8snorm', (view, at) => view.setInt8(at, -127), [0, 64, 64, 128]],
    ['rgba16float', (view, at) => view.setUint16(at + 2, 0x4000, true), [64, 191, 64, 64]],
    ['rg16float', (view, at) => view.setUint16(at, 0xc000, true), [0, 64, 64, 128]],
    ['r32float', (view, at) => view.setFloat32(at, 2, true), [191, 64, 64, 128]],
    ['rgba32float', (view, at) => view.setFloat32(at + 8, 1, true), [64, 64, 128, 64]],
    // 1.0 has exponent 15: bits 6 up of 11, 5 up of 10.
    [
      'rg11b10ufloat',
      (view, at) => view.setUint32(at, (15 << 6) | (16 << 17) | (14 << 27), true),
      [128, 191, 96, 128],
    ],
    // 256 × 2^(16 − 24) = 1.
    [
      'rgb9e5ufloat',
      (view, at) => view.setUint32(at, (16 << 27) | 256 | (128 << 9), true),
      [128, 96, 64, 128],
    ],
    ['rgb10a2unorm', (view, at) => view.setUint32(at, 1023 | (1 << 30), true), [128, 64, 64, 85]],
    ['depth16unorm', (view, at) => view.setUint16(at, 65535, true), [128, 64, 64, 128]],
    [
      'depth24unorm-stencil8',
      (view, at) => view.setUint32(at, 0xffffffff, true),
      [128, 64, 64, 128],
    ],
    ['rgba8unorm-srgb', (view, at) => view.setUint8(at, 255), [128, 64, 64, 64]],
  ])('of %s are decoded', async (format, texel, expected) => {
    // v → (v + 1) / 4, so that −1 … 2 are visible.
    const result = '(texture(map, uv) + 1.0) / 4.0';
    const image = await look({
      sampler: 'sampler2D',
      dimension: '2d',
      widthPx: 1,
      format,
      texel,
      result,
    });
    const actual = at(image, 0.5, 0.5);
    for (const c of [0, 1, 2, 3])
      expect(Math.abs(actual[c]! - expected[c]!), `${actual}`).toBeLessThanOrEqual(1);
  });
});
