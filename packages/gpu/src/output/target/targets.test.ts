import {
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  defaultPipelineState,
  type PassClear,
  RED_SPREADS,
  TEXTURE_FORMATS,
  type TextureFormat,
} from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDepth24 } from '../../records/depth-24.ts';
import { mergeOneQuad } from '../../testing/merge-harness.ts';
import { LINEAR16_BY_SRGB8 } from '../../texture/layout/srgb.ts';
import { makeMergeKey } from '../merge/merge-key.ts';
import { mergeColor } from '../merge/merge-reference.ts';
import { readBinTexels, writeBinTexels } from './bin-pixels.ts';
import { clearQuad, clearWords, fillTarget } from './clear.ts';
import { roundChannel } from './float-rounding.ts';
import { decodeSrgb, encodeSrgb } from './srgb-transfer.ts';
import { colorRangeOf, layOutTargets } from './target-layout.ts';

describe('clearing', () => {
  const plain = layOutTargets(['rgba8unorm']);
  const first = (clear: PassClear) => clearQuad(plain, clear)[0];

  it('converts to the words of the targets', () => {
    const clear: PassClear = { color: [1, 0.5, 0, 0.2], depth: 1, stencil: 200 };
    expect(first(clear)).toBe(0x330080ff);
    expect(clearWords(clear)).toStrictEqual({ depth: 0xffffff, stencil: 200 });
  });

  it('rounds a depth like one that a fragment writes', () => {
    const clear: PassClear = { color: [0, 0, 0, 0], depth: 0.3, stencil: 0 };
    expect(clearWords(clear).depth).toBe(toDepth24(Math.fround(0.3)));
    expect(clearWords(clear).depth).toBe(5033164);
  });

  it('clamps, and takes NaN as 0', () => {
    const clear: PassClear = { color: [-1, 2, Number.NaN, Infinity], depth: -0.5, stencil: 0 };
    expect(first(clear)).toBe(0xff00ff00 | 0);
    expect(clearWords(clear)).toStrictEqual({ depth: 0, stencil: 0 });
  });
});

describe('fillTarget', () => {
  it('fills the quads of the target and nothing else', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    fillTarget(memory, 64, 3, -2);
    const words = new Int32Array(memory.buffer, 0, 64);
    expect([...words.keys()].filter((index) => words[index] === -2)).toStrictEqual(
      Array.from({ length: 12 }, (_, index) => 16 + index),
    );
  });
});

describe('colorRangeOf', () => {
  const rangeOf = (format: TextureFormat) => colorRangeOf(layOutTargets([format]).targets[0]!);

  it('holds for normalised integers, which have no NaN', () => {
    expect(rangeOf('rgba8unorm')).toBe('unit');
    expect(rangeOf('rgba8unorm-srgb')).toBe('unit');
    expect(rangeOf('rgb10a2unorm')).toBe('unit');
    expect(rangeOf('rg8snorm')).toBe('signed');
  });

  it('does not hold where the bits of an output reach the target', () => {
    expect(rangeOf('rgba16float')).toBe('any');
    expect(rangeOf('rgba32uint')).toBe('any');
  });
});

describe('rows of a bin', () => {
  const formats = Object.keys(TEXTURE_FORMATS) as TextureFormat[];
  const targetFormats = formats.filter((format) => {
    const { isTarget, kind } = TEXTURE_FORMATS[format];
    return isTarget && kind !== 'depth';
  });

  /** Texels that every format represents exactly: finite floats, codes of all integers. */
  function makeTexels(format: TextureFormat, count: number): Uint8Array {
    const { bytesPerTexel } = TEXTURE_FORMATS[format];
    const bytes = new Uint8Array(count * bytesPerTexel);
    for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 37 + (at >> 3)) & 0x7b;
    return bytes;
  }

  it.each(targetFormats)(
    'of %s are written and read as they were, beside other targets',
    (format) => {
      const memory = new WebAssembly.Memory({ initial: 1 });
      const layout = layOutTargets(['rgba8unorm', null, format, 'r16float']);
      for (const [widthPx, heightPx] of [
        [6, 4],
        [5, 3],
        [1, 1],
      ] as const) {
        const size = { quadsPerRow: 3, widthPx, heightPx };
        const given = layout.targets.map((target) =>
          target === null ? null : makeTexels(target.format, widthPx * heightPx),
        );
        layout.targets.forEach((target, t) => {
          if (target !== null) writeBinTexels(memory, 64, layout, target, size, given[t]!);
        });
        layout.targets.forEach((target, t) => {
          if (target === null) return;
          expect(readBinTexels(memory, 64, layout, target, size)).toEqual(given[t]);
        });
      }
    },
  );
});

describe('targets of other formats', () => {
  const state = defaultPipelineState(6, 4);
  const factor = fc.constantFrom(...BLEND_FACTORS);
  const equation = fc.constantFrom(...BLEND_EQUATIONS);
  const channelState = fc.record({ equation, source: factor, destination: factor });
  const value = fc.oneof(
    fc.float({ min: -2, max: 3, noNaN: true }),
    fc.float({ min: -70_000, max: 70_000, noNaN: true }),
    fc.float({ min: Math.fround(-1e-6), max: Math.fround(1e-6), noNaN: true }),
  );
  const four = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one, one);

  it('are merged bit for bit as the reference does', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<TextureFormat>(
          ...(['r8unorm', 'rg8unorm', 'rgba8unorm-srgb', 'rgb10a2unorm', 'r16float'] as const),
          ...(['rgba16float', 'rgba32float', 'rg11b10ufloat', 'rgba8unorm'] as const),
          ...(['rgba8snorm', 'rg8snorm'] as const),
        ),
        fc.option(fc.record({ color: channelState, alpha: channelState }), { freq: 3 }),
        four(fc.boolean()),
        four(four(value)),
        four(fc.integer({ min: 0, max: 255 })),
        fc.constantFrom(undefined, ...RED_SPREADS),
        fc.boolean(),
        fc.boolean(),
        (format, blending, colorMask, colors, bytes, redSpread, isFirst, isSourceClamped) => {
          const layout = layOutTargets(['rgba8unorm', format]);
          const blend = blending && {
            ...blending,
            isEnabled: true,
            constant: [0.25, 2, -1, 0.5] as const,
          };
          const own = { colorMask, blend: blend ?? state.blend };
          const slots = [0, 1, 2, 3, 4, 5, 6, 7];
          const key = makeMergeKey(
            {
              ...state,
              // The state of a target replaces that of the draw.
              colorMask: isFirst ? colorMask : [false, false, false, false],
              blend: isFirst ? (blend ?? state.blend) : state.blend,
              colorTargets: [null, { ...(isFirst ? {} : own), redSpread, isSourceClamped }],
            },
            slots,
            false,
            layout,
          );
          const target = layout.targets[1]!;
          const isPacked = target.storage !== 'float';
          const stored = bytes.map((byte, c) => {
            if (isPacked) return c < target.channels ? byte : c === 3 ? 255 : 0;
            return c < target.channels ? roundChannel(format, c, byte / 255) : c === 3 ? 1 : 0;
          }) as unknown as readonly [number, number, number, number];
          const words = new Int32Array(layout.quadBytes / 4);
          const floats = new Float32Array(words.buffer);
          const at = target.offsetBytes / 4;
          if (isPacked) {
            const [r, g, b, a] = stored;
            words.fill(r | (g << 8) | (b << 16) | (a << 24), at, at + 4);
          } else {
            stored.forEach((held, c) => {
              floats.fill(held, at + 4 * c, at + 4 * c + 4);
            });
          }
          const merged = mergeOneQuad(key, [...colors, ...colors], words);
          const results = new Float32Array(merged.buffer);
          for (let lane = 0; lane < 4; lane++) {
            const outputs = [...colors, ...colors].map((lanes) => lanes[lane]!);
            const expected = mergeColor(key, 1, outputs, stored);
            const actual = [0, 1, 2, 3].map((c) =>
              isPacked ? (merged[at + lane]! >>> (8 * c)) & 255 : results[at + 4 * c + lane]!,
            );
            expect(actual.map((x) => x + 0)).toEqual(expected.map((x) => x + 0));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('of integers take outputs as they are, without blending', () => {
    const layout = layOutTargets(['rgba32sint']);
    const blend = { ...state.blend, isEnabled: true };
    const key = makeMergeKey({ ...state, blend }, [0, 1, 2, 3], false, layout);
    const bits = new Float32Array(Int32Array.of(-1, 7, 2 ** 30, -(2 ** 31)).buffer);
    const merged = mergeOneQuad(
      key,
      [...bits].map((value) => [value, value, value, value]),
      new Int32Array(16),
    );
    expect([...merged.filter((_, index) => index % 4 === 0)].slice(1)).toEqual([
      7,
      2 ** 30,
      -(2 ** 31),
    ]);
  });

  it('round to the nearest 16-bit float', () => {
    for (const value of [1e-8, 6e-8, 1 / 3, 65_504, 65_519, 65_520, -2.0009765625, 3e-5]) {
      expect(roundChannel('r16float', 0, value)).toBe(Math.f16round(Math.fround(value)));
    }
    expect(roundChannel('rg11b10ufloat', 0, 1e9)).toBe(65_024);
    expect(roundChannel('rg11b10ufloat', 2, 1e9)).toBe(64_512);
    expect(roundChannel('rg11b10ufloat', 0, -3)).toBe(0);
  });

  it('of sRGB are encoded within a step, and 8-bit values to themselves', () => {
    const exact = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
    for (let x = 0; x <= 1; x += 1 / 4099) {
      expect(Math.abs(encodeSrgb(x) - exact(x)) * 255).toBeLessThan(0.001);
    }
    for (let code = 0; code < 256; code++) {
      expect(Math.round(encodeSrgb(decodeSrgb(code / 255)) * 255)).toBe(code);
      expect(Math.abs(decodeSrgb(code / 255) * 65_535 - LINEAR16_BY_SRGB8[code]!)).toBeLessThan(
        0.6,
      );
    }
  });
});
