import {
  RenderError,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureFormat,
  type TextureResource,
  WRAP_MODES,
} from '@tessera/frame';
import { WasmModuleBuilder } from '@tessera/shader/wasm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelOfDetail } from './level-of-detail.ts';
import { makeQuadSampler, type Operands } from './sample-harness.ts';
import { SampleKernels } from './sample-kernel.ts';
import {
  fetchReference,
  quadLevelOfDetailOf,
  type RgbaValue,
  type SampledTexture,
  sampleReference,
} from './sample-reference.ts';
import { decodeTexture } from './texel-levels.ts';

type Quad = [number, number, number, number];
const { fround } = Math;

/** A texture of random texels, the same for the same arguments. */
function makeTexture(
  format: TextureFormat,
  widthPx: number,
  heightPx: number,
  isMipmapGenerated: boolean,
): TextureResource {
  const bytes = new Uint8Array(widthPx * heightPx * TEXTURE_FORMATS[format].bytesPerTexel);
  let seed = widthPx * 8191 + heightPx;
  for (let index = 0; index < bytes.length; index++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    bytes[index] = seed >>> 24;
  }
  const sha256 = `${format} ${widthPx} ${heightPx} ${isMipmapGenerated}`;
  return { sha256, format, widthPx, heightPx, levels: [bytes], isMipmapGenerated };
}

const filter = fc.constantFrom('nearest', 'linear');
const anySampler: fc.Arbitrary<SamplerState> = fc.record({
  wrapS: fc.constantFrom(...WRAP_MODES),
  wrapT: fc.constantFrom(...WRAP_MODES),
  magFilter: filter,
  minFilter: filter,
  mipmapFilter: fc.constantFrom('none', 'nearest', 'linear'),
});
const anyTexture = fc
  .tuple(
    fc.constantFrom<TextureFormat>('r8unorm', 'rg8unorm', 'rgba8unorm', 'rgba8unorm-srgb'),
    fc.integer({ min: 1, max: 19 }),
    fc.integer({ min: 1, max: 19 }),
    fc.boolean(),
  )
  .map((shape) => makeTexture(...shape));
const anyCoordinate = fc.oneof(
  { weight: 6, arbitrary: fc.float({ min: -3, max: 4, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: -40, max: 40 }).map((n) => fround(n / 16)) },
  { weight: 1, arbitrary: fc.float() },
);
const anyLod = fc.oneof(
  { weight: 4, arbitrary: fc.float({ min: -2, max: 6, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: -2, max: 12 }).map((n) => n / 2) },
  { weight: 1, arbitrary: fc.float() },
);
const quadOf = (lane: fc.Arbitrary<number>) => fc.tuple(lane, lane, lane, lane);
const uniformOrNot = (lane: fc.Arbitrary<number>) =>
  fc.oneof(
    lane.map((value): Quad => [value, value, value, value]),
    quadOf(lane),
  );

/** Result words per lane as floats. */
function lanesOf(words: Int32Array): RgbaValue[] {
  const floats = new Float32Array(words.buffer);
  return [0, 1, 2, 3].map((lane) => [
    floats[lane]!,
    floats[4 + lane]!,
    floats[8 + lane]!,
    floats[12 + lane]!,
  ]);
}

function expectLanes(
  texture: TextureResource,
  sampler: SamplerState,
  operation: 'implicit' | 'bias' | 'lod' | 'grad',
  operands: Operands,
  lodOf: (sampled: SampledTexture, lane: number) => number,
): void {
  const sampled = { texture: decodeTexture(texture), sampler };
  const actual = lanesOf(makeQuadSampler(texture, sampler, operation)(operands));
  const expected = [0, 1, 2, 3].map((lane) =>
    sampleReference(sampled, operands[0]![lane]!, operands[1]![lane]!, lodOf(sampled, lane)),
  );
  expect(actual).toStrictEqual(expected);
}

describe('sample kernels', () => {
  it('give bit for bit what the reference gives at explicit levels', () => {
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        quadOf(anyCoordinate),
        quadOf(anyCoordinate),
        uniformOrNot(anyLod),
        (texture, sampler, s, t, lod) => {
          expectLanes(texture, sampler, 'lod', [s, t, lod], (_, lane) => lod[lane]!);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('derive the implicit level of a quad, and a biased one, as the reference does', () => {
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        quadOf(anyCoordinate),
        quadOf(anyCoordinate),
        uniformOrNot(anyLod),
        (texture, sampler, s, t, bias) => {
          const lodOf = ({ texture: levels }: SampledTexture) => quadLevelOfDetailOf(levels, s, t);
          expectLanes(texture, sampler, 'implicit', [s, t], lodOf);
          expectLanes(texture, sampler, 'bias', [s, t, bias], (sampled, lane) =>
            fround(lodOf(sampled) + bias[lane]!),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('derive levels from explicit derivatives as the reference does', () => {
    const coordinates = quadOf(anyCoordinate);
    const derivative = uniformOrNot(fc.float({ min: -1, max: 1 }));
    const operands = fc.tuple(
      coordinates,
      coordinates,
      derivative,
      derivative,
      derivative,
      derivative,
    );
    fc.assert(
      fc.property(anyTexture, anySampler, operands, (texture, sampler, quads) => {
        const [, , dsdx, dtdx, dsdy, dtdy] = quads;
        expectLanes(texture, sampler, 'grad', quads, (_, lane) =>
          levelOfDetail(
            texture.widthPx,
            texture.heightPx,
            { s: dsdx[lane]!, t: dtdx[lane]! },
            { s: dsdy[lane]!, t: dtdy[lane]! },
          ),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('fetch single texels, and zeros outside', () => {
    const sampler: SamplerState = {
      wrapS: 'repeat',
      wrapT: 'repeat',
      magFilter: 'nearest',
      minFilter: 'nearest',
      mipmapFilter: 'none',
    };
    const position = quadOf(fc.integer({ min: -2, max: 20 }));
    const level = quadOf(fc.integer({ min: -1, max: 5 }));
    fc.assert(
      fc.property(anyTexture, position, position, level, (texture, x, y, levels) => {
        const decoded = decodeTexture(texture);
        const fetched = makeQuadSampler(texture, sampler, 'fetch')([x, y, levels]);
        const expected = [0, 1, 2, 3].map((lane) =>
          fetchReference(decoded, x[lane]!, y[lane]!, levels[lane]!),
        );
        expect(lanesOf(fetched)).toStrictEqual(expected);
        const sizes = makeQuadSampler(texture, sampler, 'size')([levels]);
        const last = decoded.levels.length - 1;
        const sizeAt = (lane: number) => {
          const wanted = levels[lane]!;
          return decoded.levels[wanted < 0 ? last : Math.min(wanted, last)]!;
        };
        expect([...sizes]).toStrictEqual([
          ...[0, 1, 2, 3].map((lane) => sizeAt(lane).widthPx),
          ...[0, 1, 2, 3].map((lane) => sizeAt(lane).heightPx),
          ...[1, 1, 1, 1],
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('read one opaque black texel from a slot without texture', () => {
    const sampler = fc.sample(anySampler, { numRuns: 1, seed: 1 })[0]!;
    const zeros: Quad = [0, 0, 0, 0];
    for (const operation of ['implicit', 'bias', 'lod', 'grad', 'fetch'] as const) {
      const quad = lanesOf(makeQuadSampler(null, sampler, operation)([zeros, zeros]));
      expect(quad).toStrictEqual(Array.from({ length: 4 }, () => [0, 0, 0, 1]));
    }
    expect([...makeQuadSampler(null, sampler, 'size')([zeros])]).toStrictEqual(
      new Array(12).fill(1),
    );
  });

  it('refuse samplers of other dimensions by name', () => {
    const sampler = { name: 'sky', isShadow: false, arrayLength: 1, firstSlot: 0 };
    expect(() => new SampleKernels([null], [{ ...sampler, dimension: 'cube' }])).toThrow(
      new RenderError('FRAME_UNSUPPORTED', 'sampler sky: cube textures are not supported, only 2d'),
    );
    const kernels = new SampleKernels([null], [{ ...sampler, dimension: '2d' }]);
    const emit = () => kernels.emitSampleFunction(new WasmModuleBuilder(), 0, 'implicit', '3d');
    expect(emit).toThrow('only 2d textures');
  });
});
