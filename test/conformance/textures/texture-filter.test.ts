/**
 * Texture filters and the choice of the level of detail (GL ES 3.0, sections 3.8.10 and 3.8.11).
 */
import {
  type FilterMode,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureFormat,
} from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { type DrawnImage, drawScene, makeTexture, type Rgba } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { distanceToTexelBorder, type OracleLevel, sampleLevel } from './sample-texture.ts';
import {
  type CoordinateRange,
  coordinateAt,
  decodeLevel,
  grayLevels,
  NEAREST,
  randomLevel,
  texturedQuad,
} from './textured-quad.ts';

const SIZE_PX = 64;
const AREA = { x: 0, y: 0, width: SIZE_PX, height: SIZE_PX };
const bytes = (color: Rgba) => color.map((value) => value * 255) as unknown as Rgba;

function sampler(mag: FilterMode, min = mag, mipmapFilter: SamplerState['mipmapFilter'] = 'none') {
  return { ...NEAREST, magFilter: mag, minFilter: min, mipmapFilter };
}

async function expectFiltered(
  format: TextureFormat,
  widthPx: number,
  heightPx: number,
  filter: FilterMode,
  range: CoordinateRange,
): Promise<void> {
  const level = randomLevel(widthPx, widthPx, heightPx, TEXTURE_FORMATS[format].channels);
  const textures = [
    makeTexture({ format, widthPx, heightPx, levels: [level], isMipmapGenerated: false }),
  ];
  const oracle = decodeLevel(format, widthPx, heightPx, level);
  const draws = [texturedQuad(AREA, range, sampler(filter))];
  const image = await drawScene({ widthPx: SIZE_PX, heightPx: SIZE_PX, textures, draws });
  expectPixels(
    image,
    (x, y) => {
      const s = coordinateAt(range.s, x, SIZE_PX);
      const t = coordinateAt(range.t, y, SIZE_PX);
      const border = Math.min(
        distanceToTexelBorder(s, widthPx),
        distanceToTexelBorder(t, heightPx),
      );
      if (filter === 'nearest' && border < 1e-4) return null;
      return bytes(sampleLevel(oracle, filter, 'repeat', 'repeat', s, t));
    },
    0.5 + 0.05,
    `${format}, seed ${widthPx}`,
  );
}

const FORMATS = ['r8unorm', 'rg8unorm', 'rgba8unorm', 'rgba8unorm-srgb'] as const;
const STRETCHED: CoordinateRange = { s: [0.03, 0.94], t: [0.07, 0.71] };
const SHRUNK: CoordinateRange = { s: [-1.3, 9.7], t: [8.9, -3.3] };

describe('texture filter', () => {
  it('gives each texel to its pixel at a scale of one (control)', async () => {
    await expectFiltered('rgba8unorm', 64, 64, 'nearest', { s: [0, 1], t: [0, 1] });
    await expectFiltered('rgba8unorm', 64, 64, 'linear', { s: [0, 1], t: [0, 1] });
  });

  const CASES = FORMATS.flatMap((format) =>
    (['nearest', 'linear'] as const).map((filter) => ({ format, filter })),
  );
  it.each(CASES)('$filter of $format', async ({ format, filter }) => {
    await expectFiltered(format, 8, 4, filter, STRETCHED);
    await expectFiltered(format, 16, 16, filter, SHRUNK);
  });

  it.each([
    [1, 1],
    [1, 7],
    [5, 3],
    [17, 2],
  ])('of sizes that are no powers of two: %i × %i', async (widthPx, heightPx) => {
    await expectFiltered('rgba8unorm', widthPx, heightPx, 'nearest', SHRUNK);
    await expectFiltered('rgba8unorm', widthPx, heightPx, 'linear', STRETCHED);
  });
});

const GREY_SIZE = 64;
const grayOf = (level: number) => 20 + 30 * level;
const GREYS = grayLevels(GREY_SIZE, grayOf);
const LAST_LEVEL = 6;

/** Returns the gray that a texture of gray levels shows at a level of detail. */
function grayAt(lod: number, mipmapFilter: 'nearest' | 'linear'): number {
  const clamped = Math.min(Math.max(lod, 0), LAST_LEVEL);
  if (mipmapFilter === 'nearest') return grayOf(Math.min(Math.ceil(clamped + 0.5) - 1, LAST_LEVEL));
  return 20 + 30 * clamped;
}

/** Draws one band of 8 rows per case: `scale` texels of level 0 per pixel, in x and in y. */
async function drawScales(
  scales: readonly (readonly [x: number, y: number])[],
  state: SamplerState,
  lookUp?: string,
): Promise<DrawnImage> {
  const draws = scales.map(([scaleX, scaleY], band) => {
    const range: CoordinateRange = {
      s: [0, (scaleX * 16) / GREY_SIZE],
      t: [0, (scaleY * 8) / GREY_SIZE],
    };
    return texturedQuad({ x: 0, y: band * 8, width: 16, height: 8 }, range, state, lookUp);
  });
  return drawScene({ widthPx: 16, heightPx: scales.length * 8, textures: [GREYS], draws });
}

const LODS = [
  -3, -0.5, 0, 0.25, 0.45, 0.55, 0.75, 1, 1.45, 1.55, 2, 2.3, 3.9, 5.45, 5.55, 6, 7.5, 11,
];

describe('level of detail', () => {
  it.each(['nearest', 'linear'] as const)(
    'is log2 of the scale, between levels %s',
    async (mipmap) => {
      const state = sampler('linear', 'linear', mipmap);
      const scales = LODS.map((lod) => [2 ** lod, 2 ** lod] as const);
      const image = await drawScales(scales, state);
      expectPixels(
        image,
        (_, y) => {
          const gray = grayAt(LODS[Math.floor(y / 8)]!, mipmap);
          return [gray, gray, gray, 255];
        },
        0.5 + 0.05,
      );
    },
  );

  it.each([
    { axis: 'x', scaleOf: (lod: number) => [2 ** lod, 0.125] as const },
    { axis: 'y', scaleOf: (lod: number) => [0.125, 2 ** lod] as const },
  ])('uses the larger of both directions: $axis', async ({ scaleOf }) => {
    const lods = LODS.filter((lod) => lod >= 0.25);
    const image = await drawScales(
      lods.map((lod) => scaleOf(lod)),
      sampler('linear', 'linear', 'linear'),
    );
    expectPixels(image, (_, y) => {
      const lod = lods[Math.floor(y / 8)]!;
      // ρ may be between the larger scale and slightly more if both count (section 3.8.10.1).
      const most = Math.log2(2 ** lod + 0.125);
      const [low, high] = [grayAt(lod, 'linear'), grayAt(most, 'linear')];
      const found = image.pixel(8, y)[0];
      return found >= low - 0.55 && found <= high + 0.55 ? null : [low, low, low, 255];
    });
  });

  it.each([1, -1, 0.5, 3])('is moved by the bias %f of the shader', async (bias) => {
    const lods = [0.5, 1, 2, 3.25];
    const scales = lods.map((lod) => [2 ** lod, 2 ** lod] as const);
    const lookUp = `texture(image, at, ${bias.toFixed(2)})`;
    const image = await drawScales(scales, sampler('linear', 'linear', 'linear'), lookUp);
    expectPixels(
      image,
      (_, y) => {
        const gray = grayAt(lods[Math.floor(y / 8)]! + bias, 'linear');
        return [gray, gray, gray, 255];
      },
      0.55,
    );
  });

  it.each([
    { lookUp: 'textureLod(image, at, 2.25)', lod: 2.25 },
    { lookUp: 'textureLod(image, at, -4.0)', lod: 0 },
    { lookUp: 'textureLod(image, at, 40.0)', lod: 6 },
    { lookUp: 'textureGrad(image, at, vec2(4.0, 0.0) / 64.0, vec2(0.0))', lod: 2 },
    { lookUp: 'textureGrad(image, at, vec2(0.0), vec2(0.0, 8.0) / 64.0)', lod: 3 },
    {
      lookUp: 'textureGrad(image, at, vec2(3.0, 4.0) / 64.0, vec2(1.0) / 64.0)',
      lod: Math.log2(5),
    },
    { lookUp: 'texelFetch(image, ivec2(3, 1), 4)', lod: 4 },
  ])('is the one that the shader requests: $lookUp', async ({ lookUp, lod }) => {
    const image = await drawScales([[1, 1]], sampler('linear', 'linear', 'linear'), lookUp);
    const gray = grayAt(lod, 'linear');
    expectPixels(image, () => [gray, gray, gray, 255], 0.55);
  });

  it.each([
    { mag: 'nearest', min: 'linear', mipmap: 'none' },
    { mag: 'linear', min: 'nearest', mipmap: 'none' },
    { mag: 'nearest', min: 'linear', mipmap: 'nearest' },
    { mag: 'nearest', min: 'linear', mipmap: 'linear' },
    { mag: 'linear', min: 'nearest', mipmap: 'nearest' },
    { mag: 'linear', min: 'nearest', mipmap: 'linear' },
  ] as const)(
    'magnifies with $mag and minifies with $min, mipmap $mipmap',
    async ({ mag, min, mipmap }) => {
      // Columns of black and white texels, read at a border. A linear filter yields gray.
      const levels = [16, 8, 4, 2, 1].map((size) =>
        Uint8Array.from({ length: size * size * 4 }, (_, i) => ((i >> 2) % 2 === 0 ? 0 : 255)),
      );
      const format = 'rgba8unorm';
      const textures = [
        makeTexture({ format, widthPx: 16, heightPx: 16, levels, isMipmapGenerated: false }),
      ];
      // ¼ is a border between texels of levels 0 and 1 with black on its right. Level 2 is never
      // reached.
      const lookUp = 'textureLod(image, vec2(0.2501, 0.03), level)';
      const lods = [-0.1, -0.01, 0.01, 0.45, 0.51];
      const range: CoordinateRange = { s: [0, 1], t: [0, 1] };
      const draws = lods.map((lod, band) => {
        const area = { x: 0, y: band * 8, width: 16, height: 8 };
        return texturedQuad(area, range, sampler(mag, min, mipmap), lookUp, lod);
      });
      const image = await drawScene({ widthPx: 16, heightPx: lods.length * 8, textures, draws });
      const found = lods.map((lod, band) => {
        const red = image.pixel(4, band * 8 + 4)[0];
        return `${lod}: ${red > 20 && red < 235 ? 'linear' : 'nearest'}`;
      });
      expect(found).toEqual(lods.map((lod) => `${lod}: ${lod > 0 ? min : mag}`));
    },
  );
});

describe('generated mipmaps', () => {
  /** Returns the exact mean over the area of each texel. */
  function halve({ widthPx, heightPx, texels }: OracleLevel): OracleLevel {
    const [width, height] = [Math.max(1, widthPx >> 1), Math.max(1, heightPx >> 1)];
    const overlap = (index: number, from: number, to: number) =>
      Math.max(0, Math.min(index + 1, to) - Math.max(index, from));
    const means = Array.from({ length: width * height }, (_, texel): Rgba => {
      const [i, j] = [texel % width, Math.floor(texel / width)];
      const [left, right] = [(i * widthPx) / width, ((i + 1) * widthPx) / width];
      const [top, bottom] = [(j * heightPx) / height, ((j + 1) * heightPx) / height];
      const area = (right - left) * (bottom - top);
      const sum = [0, 0, 0, 0];
      texels.forEach((color, from) => {
        const weight =
          overlap(from % widthPx, left, right) * overlap(Math.floor(from / widthPx), top, bottom);
        color.forEach((value, c) => {
          sum[c]! += (weight * value) / area;
        });
      });
      return sum as unknown as Rgba;
    });
    return { widthPx: width, heightPx: height, texels: means };
  }

  it.each([
    { format: 'rgba8unorm', widthPx: 16, heightPx: 16 },
    { format: 'rgba8unorm', widthPx: 13, heightPx: 7 },
    { format: 'r8unorm', widthPx: 8, heightPx: 2 },
    { format: 'rg8unorm', widthPx: 1, heightPx: 9 },
    { format: 'rgba8unorm-srgb', widthPx: 12, heightPx: 12 },
  ] as const)('are box filtered: $format, $widthPx × $heightPx', async (texture) => {
    const { format, widthPx, heightPx } = texture;
    const level = randomLevel(31, widthPx, heightPx, TEXTURE_FORMATS[format].channels);
    const textures = [makeTexture({ ...texture, levels: [level], isMipmapGenerated: true })];
    const fetchAll = 'texelFetch(image, ivec2(gl_FragCoord.xy), int(level))';
    let oracle = decodeLevel(format, widthPx, heightPx, level);
    for (let k = 1; oracle.widthPx > 1 || oracle.heightPx > 1; k++) {
      oracle = halve(oracle);
      const size = { widthPx: oracle.widthPx, heightPx: oracle.heightPx };
      const area = { x: 0, y: 0, width: size.widthPx, height: size.heightPx };
      const range: CoordinateRange = { s: [0, 1], t: [0, 1] };
      const draws = [texturedQuad(area, range, NEAREST, fetchAll, k)];
      const image = await drawScene({ ...size, textures, draws });
      const { texels } = oracle;
      // Each level is computed from the previous rounded one, which adds half a step per level.
      const steps = 0.5 * (k + 1) + 0.01;
      expectPixels(
        image,
        (x, y) => bytes(texels[(size.heightPx - 1 - y) * size.widthPx + x]!),
        steps,
        `seed 31, level ${k}`,
      );
    }
  });
});
