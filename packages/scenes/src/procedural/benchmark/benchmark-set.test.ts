import { type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { asteroidsFrame } from './asteroids-frame.ts';
import { benchmarkFrame, countFrame } from './benchmark-set.ts';
import { cityCascadesFrame } from './city-cascades-frame.ts';
import { galleryDrawsFrame } from './gallery-draws-frame.ts';
import { marketDeferredFrame } from './market-deferred-frame.ts';
import { meadowFrame } from './meadow-frame.ts';
import { valleyFrame } from './valley-frame.ts';

const SIZE = { widthPx: 64, heightPx: 36 } as const;
const MEADOW = { ...SIZE, seed: 1, tufts: 60, trees: 3, leavesPerTree: 10 } as const;
const VALLEY = { ...SIZE, seed: 1, tiles: 3, tileCells: 5, objects: 8, objectColumns: 4 } as const;

function lastDraws({ passes }: Frame) {
  return passes.at(-1)!.draws;
}

describe('generators of the benchmark set', () => {
  it('draw a city into four layers of depth and then to the screen', () => {
    const frame = cityCascadesFrame({ ...SIZE, seed: 1, columns: 2, rows: 3, shadowMapPx: 64 });
    validateFrame(frame);
    const slices = frame.passes.slice(0, -1).map(({ target }) => {
      return target?.kind === 'images' ? target.depthStencil?.slice : undefined;
    });
    expect(slices).toEqual([0, 1, 2, 3]);
    // Buildings and furniture of 6 blocks, the ground and the sky.
    expect(lastDraws(frame)).toHaveLength(2 * 6 + 2);
  });

  it('draw a market into three colors, light it, and map it to the screen', () => {
    const frame = marketDeferredFrame({ ...SIZE, seed: 1, lights: 5 });
    validateFrame(frame);
    const [surfaces, lighting] = frame.passes;
    expect(surfaces!.target).toMatchObject({ kind: 'images', colors: [{}, {}, {}] });
    expect(lighting!.draws[0]!.uniforms.u_lightCount).toEqual(Int32Array.of(5));
    expect(frame.passes).toHaveLength(6);
  });

  it('draw a gallery by program and texture, and what is blended last', () => {
    const frame = galleryDrawsFrame({ ...SIZE, seed: 1, exhibits: 30, cases: 7, detail: 0.05 });
    validateFrame(frame);
    const blended = lastDraws(frame).map(({ state }) => state.blend.isEnabled);
    // Two opaque draws for each exhibit, floor and sky; a stain for each exhibit, and the cases.
    expect(blended).toEqual([...new Array(62).fill(false), ...new Array(37).fill(true)]);
    const programs = lastDraws(frame).map(({ programIndex }) => programIndex);
    const changes = programs.filter((program, i) => program !== programs[i - 1]).length;
    expect(changes).toBe(new Set(programs).size);
  });

  it('draw as many triangles of terrain as there are cells, twice', () => {
    const frame = valleyFrame(VALLEY);
    validateFrame(frame);
    const tiles = lastDraws(frame).filter(({ indices }) => indices?.componentType === 'uint16');
    expect(tiles.map(({ count }) => count)).toEqual(new Array(9).fill(2 * 5 * 5 * 3));
    expect(lastDraws(frame)).toHaveLength(9 + 8 + 1);
    expect(() => valleyFrame({ ...VALLEY, tileCells: 255 })).toThrow('tileCells: 255');
  });

  it('draw all asteroids as instances, each once', () => {
    const frame = asteroidsFrame({ ...SIZE, seed: 1, instances: 500 });
    validateFrame(frame);
    const instanced = lastDraws(frame).filter(({ attributes }) => attributes.a_instancePlace);
    expect(instanced.reduce((sum, { instanceCount }) => sum + instanceCount, 0)).toBe(500);
  });

  it('draw the same plants in both orders', () => {
    const [sorted, shuffled] = (['front-to-back', 'random'] as const).map((order) =>
      meadowFrame({ ...MEADOW, order }),
    );
    validateFrame(sorted!);
    expect(countFrame(shuffled!)).toEqual(countFrame(sorted!));
    const sortedVertices = (frame: Frame) =>
      lastDraws(frame)
        .map(({ count }) => count)
        .sort((a, b) => a - b);
    expect(sortedVertices(shuffled!)).toEqual(sortedVertices(sorted!));
    expect(shuffled).not.toEqual(sorted);
  });

  it('differ from seed to seed', () => {
    const [a, b] = [1, 2].map((seed) => meadowFrame({ ...MEADOW, seed, order: 'random' }));
    expect(a!.buffers[0]!.sha256).not.toBe(b!.buffers[0]!.sha256);
  });
});

describe('the benchmark set', () => {
  it('refuses names that it does not have, with those that it has', () => {
    expect(() => benchmarkFrame('city', SIZE)).toThrow(
      "scene 'city' is not one of city-cascades, market-deferred",
    );
    expect(() => benchmarkFrame('toString', SIZE)).toThrow("scene 'toString' is not one of");
  });
});
