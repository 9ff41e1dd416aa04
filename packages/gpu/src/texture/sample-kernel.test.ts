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
import { ReferenceTextureReader } from './reference-texture-reader.ts';
import { makeQuadSampler } from './sample-harness.ts';
import { SampleKernels, type SampleOperation } from './sample-kernel.ts';
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

const NEAREST: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

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

/** Runs one operation in the kernel and in the reference; both as words. */
function runBoth(
  texture: TextureResource | null,
  sampler: SamplerState,
  operation: SampleOperation,
  operands: readonly Quad[],
) {
  const sampled = texture === null ? null : { texture: decodeTexture(texture), sampler };
  const reader = new ReferenceTextureReader([null, sampled]);
  const isInteger = operation === 'fetch';
  const lanes = operands.map((quad) =>
    isInteger ? new Float32Array(Int32Array.from(quad).buffer) : Float32Array.from(quad),
  );
  const actual = new Float32Array(makeQuadSampler(texture, sampler, operation)(operands).buffer);
  return { actual, expected: reader.sample(1, operation, '2d', false, lanes) };
}

function expectEqual(
  texture: TextureResource | null,
  sampler: SamplerState,
  operation: SampleOperation,
  operands: readonly Quad[],
): void {
  const { actual, expected } = runBoth(texture, sampler, operation, operands);
  expect([...actual]).toStrictEqual([...expected]);
}

describe('sample kernels', () => {
  it('give bit for bit what the reference gives at explicit levels', () => {
    const coordinates = quadOf(anyCoordinate);
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        fc.tuple(coordinates, coordinates, uniformOrNot(anyLod)),
        (texture, sampler, operands) => expectEqual(texture, sampler, 'lod', operands),
      ),
      { numRuns: 400 },
    );
  });

  it('derive the implicit level of a quad, and a biased one, as the reference does', () => {
    const coordinates = quadOf(anyCoordinate);
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        fc.tuple(coordinates, coordinates, uniformOrNot(anyLod)),
        (texture, sampler, operands) => {
          expectEqual(texture, sampler, 'implicit', operands.slice(0, 2));
          expectEqual(texture, sampler, 'bias', operands);
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
      fc.property(anyTexture, anySampler, operands, (texture, sampler, quads) =>
        expectEqual(texture, sampler, 'grad', quads),
      ),
      { numRuns: 200 },
    );
  });

  it('fetch single texels, and give sizes, as the reference does', () => {
    const position = quadOf(fc.integer({ min: -2, max: 20 }));
    const level = quadOf(fc.integer({ min: -1, max: 5 }));
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        fc.tuple(position, position, level),
        (texture, sampler, operands) => {
          expectEqual(texture, sampler, 'fetch', operands);
          const reader = new ReferenceTextureReader([
            null,
            { texture: decodeTexture(texture), sampler },
          ]);
          const levels = operands[2];
          const sizes = makeQuadSampler(texture, sampler, 'size')([levels]);
          expect([...sizes]).toStrictEqual([...reader.size(1, Int32Array.from(levels))]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('read one opaque black texel from a slot without texture', () => {
    const zeros: Quad = [0, 0, 0, 0];
    for (const operation of ['implicit', 'bias', 'lod', 'grad', 'fetch'] as const) {
      const { actual, expected } = runBoth(null, NEAREST, operation, [zeros, zeros]);
      expect([...actual]).toStrictEqual([...new Array(12).fill(0), 1, 1, 1, 1]);
      expect(expected).toStrictEqual(actual);
    }
    const size = makeQuadSampler(null, NEAREST, 'size')([zeros]);
    expect([...size]).toStrictEqual(new Array(12).fill(1));
    expect(new ReferenceTextureReader([]).size(0, new Int32Array(4))).toStrictEqual(size);
  });

  it('read no byte outside of the texture, whatever the coordinates', () => {
    // The pool starts at a page that holds nothing else; every other byte would be 0.
    const texture = makeTexture('rgba8unorm', 5, 3, true);
    const white = { ...texture, levels: [new Uint8Array(60).fill(255)] };
    const huge = [1e30, -1e30, 3e38, Number.NaN, Infinity, -Infinity, -1e-30, 16777217];
    for (const wrap of WRAP_MODES) {
      for (const magFilter of ['nearest', 'linear'] as const) {
        const sampler = { ...NEAREST, wrapS: wrap, wrapT: wrap, magFilter, minFilter: magFilter };
        const sample = makeQuadSampler(white, sampler, 'implicit');
        for (const s of huge) {
          const result = sample([
            [s, 0, s, 1],
            [0, s, s, -s],
          ]);
          expect([...new Float32Array(result.buffer)]).toStrictEqual(new Array(16).fill(1));
        }
      }
    }
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
