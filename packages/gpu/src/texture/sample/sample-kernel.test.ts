import {
  COMPARE_FUNCTIONS,
  levelSizeOf,
  type SamplerState,
  SWIZZLE_SOURCES,
  TEXTURE_DIMENSIONS,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
  type TextureResource,
  WRAP_MODES,
} from '@tessera/frame';
import { WasmModuleBuilder } from '@tessera/shader/wasm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReferenceTextureReader } from '../../testing/reference-texture-reader.ts';
import { makeQuadSampler } from '../../testing/sample-harness.ts';
import {
  coordinateCountOf,
  type SampleOperation,
  spatialCountOf,
} from '../filter/lookup-operands.ts';
import { samplingStateOf } from '../filter/sampling-state.ts';
import { decodeTexture } from '../layout/texel-levels.ts';
import { SampleKernels } from './sample-kernel.ts';

type Quad = [number, number, number, number];
const { fround } = Math;

interface Shape {
  readonly format: TextureFormat;
  readonly dimension: TextureDimension;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly slices: number;
  readonly isMipmapGenerated: boolean;
}

/** Returns a texture of random texels, equal for equal arguments. */
function makeTexture({ format, dimension, slices, ...shape }: Shape): TextureResource {
  const { widthPx } = shape;
  const heightPx = dimension === 'cube' ? widthPx : shape.heightPx;
  const sliceCount = dimension === '2d' ? 1 : dimension === 'cube' ? 6 : slices;
  const isMipmapGenerated = shape.isMipmapGenerated && TEXTURE_FORMATS[format].kind === 'float';
  const texelCount = widthPx * heightPx * sliceCount;
  const bytes = new Uint8Array(texelCount * TEXTURE_FORMATS[format].bytesPerTexel);
  let seed = widthPx * 8191 + heightPx;
  for (let index = 0; index < bytes.length; index++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    bytes[index] = seed >>> 24;
  }
  if (format === 'depth32float') {
    new Float32Array(bytes.buffer).forEach((_, index, depths) => {
      depths[index] = ((index * 7) % 11) / 8;
    });
  }
  const sha256 = `${format} ${dimension} ${widthPx} ${heightPx} ${slices} ${isMipmapGenerated}`;
  return {
    ...{ sha256, format, dimension, widthPx, heightPx, sliceCount, isMipmapGenerated },
    levels: [bytes],
  };
}

const NEAREST: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
};

const filter = fc.constantFrom('nearest', 'linear');
const wrapMode = fc.constantFrom(...WRAP_MODES);
const swizzleSource = fc.constantFrom(...SWIZZLE_SOURCES);
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
const anySampler: fc.Arbitrary<SamplerState> = fc.record({
  wrapS: wrapMode,
  wrapT: wrapMode,
  wrapR: wrapMode,
  magFilter: filter,
  minFilter: filter,
  mipmapFilter: fc.constantFrom('none', 'nearest', 'linear'),
  compare: sometimes(fc.constantFrom(...COMPARE_FUNCTIONS)),
  lodBias: sometimes(fc.integer({ min: -8, max: 8 }).map((n) => n / 4)),
  minLod: sometimes(fc.integer({ min: -4, max: 4 }).map((n) => n / 2)),
  maxLod: sometimes(fc.integer({ min: 0, max: 8 }).map((n) => n / 2)),
  borderColor: sometimes(fc.constant([0.25, 1, 0.5, 0.75] as const)),
  swizzle: sometimes(fc.tuple(swizzleSource, swizzleSource, swizzleSource, swizzleSource)),
  isCubeEdgeHard: sometimes(fc.boolean()),
  maxAnisotropy: sometimes(fc.integer({ min: 1, max: 16 })),
});
const allFormats = Object.keys(TEXTURE_FORMATS) as TextureFormat[];
const anyFormat = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<TextureFormat>('rgba8unorm', 'rgba16float') },
  { weight: 3, arbitrary: fc.constantFrom(...allFormats) },
);
const anyShape = (formats: fc.Arbitrary<TextureFormat> = anyFormat): fc.Arbitrary<Shape> =>
  fc.record({
    format: formats,
    dimension: fc.constantFrom(...TEXTURE_DIMENSIONS),
    widthPx: fc.integer({ min: 1, max: 19 }),
    heightPx: fc.integer({ min: 1, max: 19 }),
    slices: fc.integer({ min: 1, max: 5 }),
    isMipmapGenerated: fc.boolean(),
  });
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
const vectors = (lane: fc.Arbitrary<number>, count = 3) =>
  fc.array(uniformOrNot(lane), { minLength: count, maxLength: count });
const coordinates = fc.array(quadOf(anyCoordinate), { minLength: 3, maxLength: 3 });
const offsets = fc.option(vectors(fc.integer({ min: -8, max: 7 })), { nil: [] });
const reference = quadOf(fc.integer({ min: -1, max: 9 }).map((n) => n / 8));

const floats = (quads: readonly Quad[]) => quads.map((quad) => Float32Array.from(quad));
const integers = (quads: readonly Quad[]) =>
  quads.map((quad) => new Float32Array(Int32Array.from(quad).buffer));

/**
 * Runs one operation in the kernel and in the reference, and compares words. All NaNs are equal.
 */
function expectEqual(
  texture: TextureResource | null,
  sampler: SamplerState,
  operation: SampleOperation,
  operands: readonly Float32Array[],
  isShadow = false,
): void {
  const dimension = texture?.dimension ?? '2d';
  const sampled = texture && {
    texture: decodeTexture(texture),
    state: samplingStateOf(texture.format, sampler, dimension),
  };
  const reader = new ReferenceTextureReader([null, sampled]);
  const sample = makeQuadSampler(texture, sampler, operation, operands.length, isShadow);
  const actual = sample(operands);
  const expected = reader.sample(1, operation, dimension, isShadow, operands);
  if (texture !== null && ['sint', 'uint'].includes(TEXTURE_FORMATS[texture.format].kind)) {
    expect([...actual]).toStrictEqual([...new Int32Array(expected.buffer)]);
  } else {
    // Adding 0 turns −0 into 0.
    expect([...new Float32Array(actual.buffer)].map((x) => x + 0)).toStrictEqual(
      [...expected].map((x) => x + 0),
    );
  }
}

/** Returns the operands of a lookup in the texture. */
function takeOperands(
  { dimension = '2d' }: TextureResource,
  of: {
    coordinates: readonly Quad[];
    levelOfDetail?: readonly Quad[];
    reference?: Quad | undefined;
    offsets?: readonly Quad[];
  },
): Float32Array[] {
  const count = spatialCountOf(dimension);
  const { levelOfDetail = [] } = of;
  const perAxis = levelOfDetail.length === 6;
  return [
    ...floats(of.coordinates.slice(0, coordinateCountOf(dimension))),
    ...floats(
      perAxis
        ? [...levelOfDetail.slice(0, count), ...levelOfDetail.slice(3, 3 + count)]
        : levelOfDetail,
    ),
    ...floats(of.reference === undefined ? [] : [of.reference]),
    ...(dimension === 'cube' ? [] : integers((of.offsets ?? []).slice(0, count))),
  ];
}

describe('sample kernels', () => {
  it('give bit for bit what the reference gives at explicit levels', () => {
    fc.assert(
      fc.property(
        anyShape(),
        anySampler,
        coordinates,
        vectors(anyLod, 1),
        offsets,
        (shape, sampler, at, levelOfDetail, offset) => {
          const texture = makeTexture(shape);
          const operands = { coordinates: at, levelOfDetail, offsets: offset };
          expectEqual(texture, sampler, 'lod', takeOperands(texture, operands));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('give the same at levels of lanes between the same two', () => {
    const fractions = quadOf(fc.constantFrom(0, 1 / 64, 0.25, 0.5, 0.875, fround(1 - 2 ** -20)));
    const trilinear = filter.map((each) => ({ magFilter: each, minFilter: each }) as const);
    // Random bytes are infinite or no number in some texels of floats.
    const formats = fc.constantFrom<TextureFormat>('rgba16float', 'rgba8unorm', 'rgba32float');
    fc.assert(
      fc.property(
        anyShape(formats),
        anySampler,
        trilinear,
        coordinates,
        fc.integer({ min: -1, max: 4 }),
        fractions,
        (shape, sampler, filters, at, level, parts) => {
          const texture = makeTexture(shape);
          const levelOfDetail = [parts.map((part) => fround(level + part)) as Quad];
          const own = {
            ...sampler,
            ...filters,
            mipmapFilter: 'linear',
            compare: undefined,
          } as const;
          expectEqual(
            texture,
            own,
            'lod',
            takeOperands(texture, { coordinates: at, levelOfDetail }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('derive the implicit level of a quad, and a biased one, as the reference does', () => {
    fc.assert(
      fc.property(
        anyShape(),
        anySampler,
        coordinates,
        vectors(anyLod, 1),
        (shape, sampler, at, levelOfDetail) => {
          const texture = makeTexture(shape);
          const biased = { coordinates: at, levelOfDetail };
          expectEqual(texture, sampler, 'implicit', takeOperands(texture, { coordinates: at }));
          expectEqual(texture, sampler, 'bias', takeOperands(texture, biased));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('derive levels from explicit derivatives as the reference does', () => {
    const derivatives = vectors(fc.float({ min: -1, max: 1 }), 6);
    fc.assert(
      fc.property(
        anyShape(),
        anySampler,
        coordinates,
        derivatives,
        offsets,
        (shape, sampler, at, levelOfDetail, offset) => {
          const texture = makeTexture(shape);
          const operands = { coordinates: at, levelOfDetail, offsets: offset };
          expectEqual(texture, sampler, 'grad', takeOperands(texture, operands));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('compare depths before they filter them, as the reference does', () => {
    const depth = fc.constantFrom<TextureFormat>(
      'depth16unorm',
      'depth24unorm-stencil8',
      'depth32float',
      'rgba8unorm',
    );
    fc.assert(
      fc.property(
        anyShape(depth),
        anySampler,
        coordinates,
        vectors(anyLod, 1),
        reference,
        offsets,
        (shape, sampler, at, levelOfDetail, ref, offset) => {
          const texture = makeTexture(shape);
          const shared = { coordinates: at, reference: ref, offsets: offset };
          expectEqual(texture, sampler, 'implicit', takeOperands(texture, shared), true);
          const lod = takeOperands(texture, { ...shared, levelOfDetail });
          expectEqual(texture, sampler, 'lod', lod, true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('fetch single texels, and give sizes, as the reference does', () => {
    const position = vectors(fc.integer({ min: -2, max: 20 }));
    const level = quadOf(fc.integer({ min: -1, max: 5 }));
    fc.assert(
      fc.property(anyShape(), anySampler, position, level, (shape, sampler, at, levels) => {
        const texture = makeTexture(shape);
        const { dimension = '2d' } = texture;
        const operands = [...at.slice(0, coordinateCountOf(dimension)), levels];
        if (dimension !== 'cube') expectEqual(texture, sampler, 'fetch', integers(operands));
        const decoded = decodeTexture(texture);
        const state = samplingStateOf(texture.format, sampler, dimension);
        const reader = new ReferenceTextureReader([null, { texture: decoded, state }]);
        const sizes = makeQuadSampler(texture, sampler, 'size', 1)(integers([levels]));
        expect([...sizes]).toStrictEqual([...reader.size(1, Int32Array.from(levels))]);
      }),
      { numRuns: 120 },
    );
  });

  it('read one opaque black texel from a slot without texture', () => {
    const operandCounts = { implicit: 2, bias: 3, lod: 3, grad: 6, fetch: 3 };
    for (const operation of ['implicit', 'bias', 'lod', 'grad', 'fetch'] as const) {
      const zeros = Array.from({ length: operandCounts[operation] }, () => new Float32Array(4));
      expectEqual(null, NEAREST, operation, zeros);
      const sample = makeQuadSampler(null, NEAREST, operation, zeros.length);
      const result = new Float32Array(sample(zeros).buffer);
      expect([...result]).toStrictEqual([...new Array(12).fill(0), 1, 1, 1, 1]);
    }
    const size = makeQuadSampler(null, NEAREST, 'size', 1)([new Int32Array(4)]);
    expect([...size]).toStrictEqual(new Array(12).fill(1));
    expect(new ReferenceTextureReader([]).size(0, new Int32Array(4))).toStrictEqual(size);
  });

  it('read no byte outside of the texture, whatever the coordinates', () => {
    // Texels and border are white and all other memory is 0, so a stray read would not be white.
    const huge = [1e30, -1e30, 3e38, Number.NaN, Infinity, -Infinity, -1e-30, 16777217];
    for (const dimension of TEXTURE_DIMENSIONS) {
      const texture = makeTexture({
        ...{ format: 'rgba8unorm', dimension, widthPx: 5, heightPx: 3, slices: 3 },
        isMipmapGenerated: true,
      });
      const white = { ...texture, levels: [new Uint8Array(texture.levels[0]!.length).fill(255)] };
      for (const wrap of WRAP_MODES) {
        for (const magFilter of ['nearest', 'linear'] as const) {
          const wraps = {
            wrapS: wrap,
            wrapT: wrap,
            wrapR: wrap,
            borderColor: [1, 1, 1, 1],
          } as const;
          const sampler = { ...NEAREST, ...wraps, magFilter, minFilter: magFilter };
          const count = coordinateCountOf(dimension);
          const sample = makeQuadSampler(white, sampler, 'implicit', count);
          for (const s of huge) {
            const quads: Quad[] = [
              [s, 0, s, 1],
              [0, s, s, -s],
              [s, -s, s, 0.5],
            ];
            const result = sample(floats(quads.slice(0, count)));
            expect([...new Float32Array(result.buffer)]).toStrictEqual(new Array(16).fill(1));
          }
        }
      }
    }
  });

  it('throw where texture and instruction are of different dimensions', () => {
    const kernels = new SampleKernels([samplingStateOf('rgba8unorm', NEAREST, 'cube')]);
    const emit = () =>
      kernels.emitSampleFunction(new WasmModuleBuilder(), 0, 'implicit', '3d', false, 3);
    expect(emit).toThrow('texture slot 0: the texture is cube, but the shader reads 3d');
    expect(levelSizeOf({ dimension: '3d', widthPx: 8, heightPx: 4, sliceCount: 3 }, 1)).toEqual({
      widthPx: 4,
      heightPx: 2,
      sliceCount: 1,
    });
  });
});
