/**
 * Anisotropic filter (EXT_texture_filter_anisotropic) against the mean of the texels in each
 * pixel's footprint, which is long in t and short in s.
 */
import type { SamplerState } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { texturedQuadFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { makeFrame, makeTexture } from '../scene/draw-scene.ts';
import { texturedQuad } from './textured-quad.ts';

const SIZE_PX = 32;
const TEXTURE_PX = 256;
const TRILINEAR: SamplerState = {
  ...{ wrapS: 'repeat', wrapT: 'repeat', magFilter: 'linear', minFilter: 'linear' },
  mipmapFilter: 'linear',
};

/** Vertical stripes of random grays, 4 texels wide, so that columns are equal along t. */
const GRAYS = Array.from({ length: TEXTURE_PX / 4 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 24);
const texels = new Uint8Array(TEXTURE_PX ** 2 * 4);
for (let i = 0; i < TEXTURE_PX ** 2; i++) {
  const gray = GRAYS[(i % TEXTURE_PX) >> 2]!;
  texels.set([gray, gray, gray, 255], 4 * i);
}
const texture = makeTexture({
  ...{ format: 'rgba8unorm', dimension: '2d', widthPx: TEXTURE_PX, heightPx: TEXTURE_PX },
  ...{ levels: [texels], isMipmapGenerated: true },
});

/** Draws the texture with `ratio` texels along t and one along s per pixel. */
async function render(maxAnisotropy: number | undefined, ratio: number, lookUp?: string) {
  const s = SIZE_PX / TEXTURE_PX;
  const area = { x: 0, y: 0, width: SIZE_PX, height: SIZE_PX };
  const sampler = { ...TRILINEAR, maxAnisotropy };
  const range = { s: [0, s], t: [0, ratio * s] } as const;
  const frame = makeFrame({
    ...{ widthPx: SIZE_PX, heightPx: SIZE_PX, textures: [texture] },
    draws: [texturedQuad(area, range, sampler, lookUp)],
  });
  const { image, report } = await new LocalGpu({ chipletCount: 1 }).render(frame, {
    policy: 'dynamic',
    grid: { kind: 'bins', count: 1 },
    visibilityShader: 'minimal',
    timing: 'cycle',
  });
  return { image, counters: report.chiplets[0]!.counters };
}

/** Returns the mean difference from the texels under the pixels, in units of 1/255. */
function errorOf({ image }: Awaited<ReturnType<typeof render>>): number {
  let sum = 0;
  for (let y = 0; y < SIZE_PX; y++) {
    for (let x = 0; x < SIZE_PX; x++) {
      sum += Math.abs(image.rgba[4 * (y * SIZE_PX + x)]! - GRAYS[x >> 2]!);
    }
  }
  return sum / SIZE_PX ** 2;
}

describe('an anisotropic filter', () => {
  it('keeps the detail across a long footprint, up to its maximum', async () => {
    const errors: number[] = [];
    for (const most of [undefined, 2, 4, 8, 16]) errors.push(errorOf(await render(most, 8)));
    // Eight texels along t: the eighth level of detail mixes two stripes and more.
    expect(errors[0]).toBeGreaterThan(20);
    for (const [wider, narrower] of [
      [0, 1],
      [1, 2],
      [2, 3],
    ] as const) {
      expect(errors[narrower]!).toBeLessThan(errors[wider]!);
    }
    expect(errors[3]!).toBeLessThan(1);
    expect(errors[4]).toBe(errors[3]);
  });

  it('approaches an image with 64 samples per pixel', async () => {
    const [widthPx, heightPx, scale] = [80, 60, 8];
    const draw = async (factor: number, maxAnisotropy?: number) => {
      const size = { widthPx: widthPx * factor, heightPx: heightPx * factor };
      const frame = texturedQuadFrame({ ...size, sampler: { ...TRILINEAR, maxAnisotropy } });
      const { image } = await new LocalGpu({ chipletCount: 1 }).render(frame, {
        policy: 'dynamic',
        grid: { kind: 'bins', count: 1 },
        visibilityShader: 'minimal',
        timing: 'functional',
      });
      return image.rgba;
    };
    const large = await draw(scale);
    const means = new Float64Array(widthPx * heightPx);
    for (let i = 0; i < large.length / 4; i++) {
      const x = Math.floor((i % (widthPx * scale)) / scale);
      const y = Math.floor(i / (widthPx * scale) / scale);
      means[y * widthPx + x]! += large[4 * i]! / scale ** 2;
    }
    const errors: number[] = [];
    for (const most of [1, 2, 4, 8]) {
      const rgba = await draw(1, most);
      const squares = means.map((mean, i) => (rgba[4 * i]! - mean) ** 2);
      errors.push(Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / means.length));
    }
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
    expect(errors[3]!).toBeLessThan(0.6 * errors[0]!);
  });

  it('is the trilinear filter for a square footprint and for a maximum of 1', async () => {
    const plain = await render(undefined, 1);
    expect((await render(16, 1)).image).toEqual(plain.image);
    const long = await render(undefined, 8);
    expect((await render(1, 8)).image).toEqual(long.image);
  });

  it.each(['textureLod(image, at, 1.5)', 'texture(image, at, 0.5)'])(
    'does not change %s',
    async (lookUp) => {
      const plain = await render(undefined, 8, lookUp);
      expect((await render(16, 8, lookUp)).image).toEqual(plain.image);
    },
  );

  it('takes passes and lines for each probe', async () => {
    const [plain, wide] = [await render(undefined, 8), await render(8, 8)];
    for (const { counters } of [plain, wide]) {
      const { 'textureUnit.lineHits': hits, 'textureUnit.lineMisses': misses } = counters;
      expect(counters['textureUnit.linesLogged']).toBe(hits! + misses!);
      expect(counters['textureUnit.requests']).toBe(counters['textureUnit.requestsLogged']);
    }
    // λ = 3 is exact and λ = 0 is magnified, so each probe reads one level: 8 passes instead of 1.
    const requests = wide.counters['textureUnit.requests']!;
    expect(plain.counters['textureUnit.requests']).toBe(requests);
    expect(wide.counters['textureUnit.cyclesBusy']!).toBeGreaterThan(
      4 * plain.counters['textureUnit.cyclesBusy']!,
    );
    expect(wide.counters['textureUnit.linesLogged']!).toBeGreaterThan(
      4 * plain.counters['textureUnit.linesLogged']!,
    );
  });
});
