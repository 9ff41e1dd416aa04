import {
  type SamplerState,
  TEXTURE_DIMENSIONS,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
  type TextureResource,
  WRAP_MODES,
} from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleLane } from '../../testing/reference-texture-reader.ts';
import { makeLineLogger } from '../../testing/sample-harness.ts';
import { TexelRecorder } from '../../testing/texel-recorder.ts';
import {
  coordinateCountOf,
  type SampleOperation,
  spatialCountOf,
  splitOperands,
} from './lookup-operands.ts';
import { samplingStateOf } from './sampling-state.ts';

const LANES = [0, 1, 2, 3] as const;

/** Texture with a known dimension. */
type ShapedTexture = TextureResource & { readonly dimension: TextureDimension };

const filter = fc.constantFrom('nearest', 'linear');
const wrapMode = fc.constantFrom(...WRAP_MODES);
const anySampler: fc.Arbitrary<SamplerState> = fc.record({
  wrapS: wrapMode,
  wrapT: wrapMode,
  wrapR: wrapMode,
  magFilter: filter,
  minFilter: filter,
  mipmapFilter: fc.constantFrom('none', 'nearest', 'linear'),
  isCubeEdgeHard: fc.boolean(),
  maxAnisotropy: fc.constantFrom(1, 2, 5, 16),
});
const formats: readonly TextureFormat[] = [
  'rgba8unorm',
  'rgba8unorm-srgb',
  'r8unorm',
  'rgba16float',
  'rgba32float',
];
const anyTexture = fc
  .record({
    format: fc.constantFrom(...formats),
    dimension: fc.constantFrom<TextureDimension>(...TEXTURE_DIMENSIONS),
    widthPx: fc.integer({ min: 1, max: 37 }),
    height: fc.integer({ min: 1, max: 29 }),
    slices: fc.integer({ min: 1, max: 5 }),
    isMipmapGenerated: fc.boolean(),
  })
  .map(({ format, dimension, widthPx, height, slices, isMipmapGenerated }): ShapedTexture => {
    const heightPx = dimension === 'cube' ? widthPx : height;
    const sliceCount = dimension === '2d' ? 1 : dimension === 'cube' ? 6 : slices;
    const { bytesPerTexel } = TEXTURE_FORMATS[format];
    const levels = [new Uint8Array(widthPx * heightPx * sliceCount * bytesPerTexel)];
    const shape = { dimension, widthPx, heightPx, sliceCount };
    return { sha256: 'any', format, ...shape, levels, isMipmapGenerated };
  });
const anyCoordinate = fc.oneof(
  { weight: 6, arbitrary: fc.float({ min: -3, max: 4, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: -40, max: 40 }).map((n) => Math.fround(n / 16)) },
  { weight: 1, arbitrary: fc.float() },
);
const anyLod = fc.float({ min: -2, max: 6, noNaN: true });
const quadOf = (lane: fc.Arbitrary<number>) => fc.tuple(lane, lane, lane, lane);
const oneOrFour = (lane: fc.Arbitrary<number>) =>
  fc.oneof(
    lane.map((value): [number, number, number, number] => [value, value, value, value]),
    quadOf(lane),
  );
const anyLanes = fc.integer({ min: 0, max: 15 });

const inOrder = (lines: Iterable<number>): number[] => [...new Set(lines)].sort((a, b) => a - b);

/** Returns the logged lines by lane. */
function linesByLane(logged: Int32Array): number[][] {
  return LANES.map((lane) =>
    inOrder(logged.filter((line, index) => index % 4 === lane && line !== -1)),
  );
}

/**
 * Compares the kernel's log of a lookup with the lines that the reference sampler reads for the
 * live lanes.
 */
function expectFootprint(
  resource: ShapedTexture,
  sampler: SamplerState,
  operation: SampleOperation,
  operands: readonly Float32Array[],
  lanes: number,
): void {
  const { dimension } = resource;
  const recorder = new TexelRecorder(resource);
  const state = samplingStateOf(resource.format, sampler, dimension);
  const split = splitOperands(operation, dimension, false, operands);
  const expected = LANES.map((lane) => {
    if ((lanes & (1 << lane)) === 0) return [];
    sampleLane({ texture: recorder.texture, state }, operation, split, lane);
    return inOrder(recorder.take().map((offset) => offset >> 6));
  });
  const log = makeLineLogger(resource, sampler, operation, operands.length);
  const dead = Int32Array.from(LANES, (lane) => ((lanes & (1 << lane)) === 0 ? -1 : 0));
  expect(linesByLane(log(operands, dead))).toEqual(expected);
}

describe('logged lines', () => {
  it('are those that the reference sampler reads, for every texture, wrap mode, filter and level', () => {
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        fc.array(quadOf(anyCoordinate), { minLength: 3, maxLength: 3 }),
        oneOrFour(anyLod),
        anyLanes,
        (texture, sampler, coordinates, lods, lanes) => {
          const count = coordinateCountOf(texture.dimension);
          const operands = coordinates.slice(0, count).map((quad) => Float32Array.from(quad));
          const lod = Float32Array.from(lods);
          expectFootprint(texture, sampler, 'implicit', operands, lanes);
          expectFootprint(texture, sampler, 'lod', [...operands, lod], lanes);
          expectFootprint(texture, sampler, 'bias', [...operands, lod], lanes);
        },
      ),
      { numRuns: 120, seed: 51 },
    );
  });

  it('are those of explicit derivatives and of single texels, none outside the texture', () => {
    fc.assert(
      fc.property(
        anyTexture,
        anySampler,
        fc.array(quadOf(anyCoordinate), { minLength: 3, maxLength: 3 }),
        fc.array(oneOrFour(fc.float({ min: -1, max: 1 })), { minLength: 6, maxLength: 6 }),
        fc.array(quadOf(fc.integer({ min: -2, max: 40 })), { minLength: 3, maxLength: 3 }),
        quadOf(fc.integer({ min: -1, max: 4 })),
        anyLanes,
        (texture, sampler, coordinates, derivatives, positions, levels, lanes) => {
          const count = coordinateCountOf(texture.dimension);
          const operands = coordinates.slice(0, count).map((quad) => Float32Array.from(quad));
          const steps = derivatives.slice(0, 2 * spatialCountOf(texture.dimension));
          const gradients = steps.map((quad) => Float32Array.from(quad));
          expectFootprint(texture, sampler, 'grad', [...operands, ...gradients], lanes);
          if (texture.dimension === 'cube') return;
          const integers = [...positions.slice(0, count), levels].map(
            (quad) => new Float32Array(Int32Array.from(quad).buffer),
          );
          expectFootprint(texture, sampler, 'fetch', integers, lanes);
        },
      ),
      { numRuns: 120, seed: 52 },
    );
  });

  it('are one for each block of 4×4 texels of 4 bytes', () => {
    const [widthPx, heightPx] = [16, 8];
    const texture: TextureResource = {
      ...{
        sha256: 'blocks',
        format: 'rgba8unorm',
        dimension: '2d',
        widthPx,
        heightPx,
        sliceCount: 1,
      },
      levels: [new Uint8Array(widthPx * heightPx * 4)],
      isMipmapGenerated: false,
    };
    const nearest: SamplerState = {
      ...{ wrapS: 'repeat', wrapT: 'repeat', magFilter: 'nearest', minFilter: 'nearest' },
      mipmapFilter: 'none',
    };
    const log = makeLineLogger(texture, nearest, 'implicit', 2);
    for (let y = 0; y < heightPx; y++) {
      for (let x = 0; x < widthPx; x++) {
        const operands = [(x + 0.5) / widthPx, (y + 0.5) / heightPx].map((at) =>
          new Float32Array(4).fill(at),
        );
        const line = (y >> 2) * 4 + (x >> 2);
        const lines = log(operands, new Int32Array(4));
        expect([...lines]).toEqual([line, line, line, line]);
      }
    }
  });
});
