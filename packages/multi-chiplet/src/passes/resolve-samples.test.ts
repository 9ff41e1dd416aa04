import type { TextureFormat } from '@tessera/frame';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveSamples } from './resolve-samples.ts';

const bytesOf = (view: ArrayBufferView) =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

describe('resolveSamples', () => {
  it('rounds the mean of bytes to the nearest, ties up', () => {
    expect([...resolveSamples(Uint8Array.of(0, 0, 0, 1), 'r8unorm', 4)]).toEqual([0]);
    expect([...resolveSamples(Uint8Array.of(0, 0, 1, 1), 'r8unorm', 4)]).toEqual([1]);
    const two = Uint8Array.of(10, 200, 20, 100, 30, 100, 41, 0, 255, 1, 255, 1, 255, 1, 255, 1);
    expect([...resolveSamples(two, 'rg8unorm', 4)]).toEqual([25, 100, 255, 1]);
  });

  it('takes four channels together, at any address', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 33, maxLength: 33 }), (bytes) => {
        const samples = bytes.subarray(1);
        const mean = (texel: number, c: number) =>
          [0, 1, 2, 3].reduce((sum, sample) => sum + samples[16 * texel + 4 * sample + c]!, 0) / 4;
        const expected = Array.from({ length: 8 }, (_, at) =>
          Math.floor(mean(at >> 2, at % 4) + 0.5),
        );
        expect([...resolveSamples(samples, 'rgba8unorm', 4)]).toEqual(expected);
      }),
      { seed: 4 },
    );
  });

  it('keeps texels whose samples are all equal, in every format', () => {
    const formats = {
      rgba8unorm: 4,
      'rgba8unorm-srgb': 4,
      rgb10a2unorm: 4,
      rg11b10ufloat: 4,
      rgba8uint: 4,
      r32uint: 4,
      rgba16sint: 8,
      'depth24unorm-stencil8': 4,
    } as const satisfies Partial<Record<TextureFormat, number>>;
    for (const [format, bytesPerTexel] of Object.entries(formats)) {
      const anyTexel = fc.uint8Array({ minLength: bytesPerTexel, maxLength: bytesPerTexel });
      fc.assert(
        fc.property(anyTexel, (texel) => {
          // A NaN need not keep its bits.
          const word = texel[0]! | (texel[1]! << 8) | (texel[2]! << 16) | (texel[3]! << 24);
          const exponents = [word >>> 6, word >>> 17, word >>> 27].map((field) => field & 31);
          fc.pre(format !== 'rg11b10ufloat' || !exponents.includes(31));
          const samples = Uint8Array.from(
            { length: 4 * bytesPerTexel },
            (_, i) => texel[i % bytesPerTexel]!,
          );
          expect(resolveSamples(samples, format as TextureFormat, 4)).toEqual(texel);
        }),
        { numRuns: 100, seed: 3 },
      );
    }
  });

  it('takes the mean of sRGB in linear light, of alpha as it is', () => {
    const samples = Uint8Array.of(255, 0, 188, 255, 0, 0, 188, 0, 255, 0, 188, 255, 0, 0, 188, 0);
    // Half of the light is 188 of 255.
    expect([...resolveSamples(samples, 'rgba8unorm-srgb', 4)]).toEqual([188, 0, 188, 128]);
  });

  it('takes the mean of floats and packed channels', () => {
    const halves = Float16Array.of(1, 0.5, 2, 4);
    const mean = resolveSamples(bytesOf(halves), 'r16float', 4);
    expect(new Float16Array(mean.buffer)[0]).toBe(1.875);
    const floats = Float32Array.of(1e30, -1e30, 3, 1);
    expect(new Float32Array(resolveSamples(bytesOf(floats), 'r32float', 4).buffer)[0]).toBe(1);
    const tens = Uint32Array.of(1023 | (3 << 30), 0, 1023 << 10, 0);
    const [packed] = new Uint32Array(resolveSamples(bytesOf(tens), 'rgb10a2unorm', 4).buffer);
    expect([packed! & 1023, (packed! >>> 10) & 1023, packed! >>> 30]).toEqual([256, 256, 1]);
    // 1.0 is an exponent of 15: of four samples one has it, in the first channel.
    const small = Uint32Array.of(15 << 6, 0, 0, 0);
    const [quarter] = new Uint32Array(resolveSamples(bytesOf(small), 'rg11b10ufloat', 4).buffer);
    expect(quarter).toBe(13 << 6);
  });

  it('takes the first sample of integers, depth and stencil', () => {
    const words = Uint32Array.of(7, 8, 9, 10, 0xff00_0001, 2, 3, 4);
    for (const format of ['r32uint', 'depth24unorm-stencil8'] as const) {
      const first = resolveSamples(bytesOf(words), format, 4);
      expect([...new Uint32Array(first.buffer)]).toEqual([7, 0xff00_0001]);
    }
  });
});
