/**
 * The benchmark set: frames of the kinds that games draw today, under names that publications can
 * cite. They are generated from fixed seeds, and dedicated to the public domain (CC0 1.0).
 *
 * A name and {@link BENCHMARK_SET_VERSION} determine a frame of a size to the byte. A change to any
 * frame needs a new version; docs/benchmark-set.md shows this table.
 */
import { type Frame, primitiveCountOf, RenderError, type Sha256 } from '@tessera/frame';
import type { SceneSize } from '../cube-frame.ts';
import { asteroidsFrame } from './asteroids-frame.ts';
import { cityCascadesFrame } from './city-cascades-frame.ts';
import { galleryDrawsFrame } from './gallery-draws-frame.ts';
import { marketDeferredFrame } from './market-deferred-frame.ts';
import { type MeadowOptions, meadowFrame } from './meadow-frame.ts';
import { valleyFrame } from './valley-frame.ts';

/** Version of all frames of the set. */
export const BENCHMARK_SET_VERSION = 1;

/** Numbers of what a frame submits, over all passes. */
export interface FrameCounts {
  readonly passes: number;
  readonly draws: number;
  /** Triangles of all draws and instances. */
  readonly triangles: number;
}

/** Frame of the set. Its numbers are those of images of 16:9. */
export interface BenchmarkScene extends FrameCounts {
  /** Kind of work that the frame has. */
  readonly exercises: string;
  /** SHA-256 of the frame at 1280×720, as reports have it. */
  readonly frameSha256: Sha256;
  readonly make: (size: SceneSize) => Frame;
}

const MEADOW: Omit<MeadowOptions, 'order' | keyof SceneSize> = {
  ...{ seed: 1, tufts: 10_000, trees: 32, leavesPerTree: 320 },
};

/** The set by name, in the order of its document. */
export const BENCHMARK_SET = Object.freeze({
  'city-cascades': {
    exercises: 'four shadow cascades in layers of a depth array, then a lit pass with 3×3 lookups',
    passes: 5,
    draws: 804,
    triangles: 886_289,
    frameSha256: '3d16b2aa292a1d332bdc98bbb959cc882e9bcae199a5c8f8da5f0d6a7a9c0e9f',
    make: (size) =>
      cityCascadesFrame({ ...size, seed: 3, columns: 12, rows: 12, shadowMapPx: 1024 }),
  },
  'market-deferred': {
    exercises:
      'a G-buffer of three colors and depth, 72 lamps for every pixel, glow, and tone mapping',
    passes: 6,
    draws: 405,
    triangles: 132_601,
    frameSha256: 'f8d9a0e408c919ba0ef410bfda6576e3868488820556ca993ac87ae1605985aa',
    make: (size) => marketDeferredFrame({ ...size, seed: 2, lights: 72 }),
  },
  'gallery-draws': {
    exercises:
      'a thousand draws of up to 22,880 triangles, by program and texture; 400 blended ones at the end',
    passes: 1,
    draws: 1002,
    triangles: 773_631,
    frameSha256: '1b69959626e7b1f6ec7fb984d76a5ce9b1f9b09a95f7b58e64dfe2ef5f8fdde0',
    make: (size) => galleryDrawsFrame({ ...size, seed: 1, exhibits: 300, cases: 100, detail: 1 }),
  },
  'valley-1m': {
    exercises: 'a million triangles of terrain tiles, groves and boulders',
    passes: 1,
    draws: 385,
    triangles: 997_377,
    frameSha256: '1471c120ae987c51f9185844a86c88734c24f4f4fcf4907b8595c6354b0e713c',
    make: (size) =>
      valleyFrame({ ...size, seed: 1, tiles: 16, tileCells: 40, objects: 128, objectColumns: 12 }),
  },
  'valley-10m': {
    exercises: 'the same valley with ten million triangles, most visible ones smaller than a pixel',
    passes: 1,
    draws: 385,
    triangles: 9_994_753,
    frameSha256: '94018bf18f06df2b4a0bc104a93a79e70ec325779585dd19c4fbf50d9a6b7e6f',
    make: (size) =>
      valleyFrame({ ...size, seed: 1, tiles: 16, tileCells: 129, objects: 128, objectColumns: 36 }),
  },
  'asteroids-instanced': {
    exercises: '8,000 instances of five meshes in three levels of detail, two thirds out of view',
    passes: 1,
    draws: 16,
    triangles: 1_248_273,
    frameSha256: '4ec1017b1ae1884c902dd9a6c82e0a7577c92e6111bb0baf97a2ef1ef9c98b1c',
    make: (size) => asteroidsFrame({ ...size, seed: 1, instances: 8000 }),
  },
  'meadow-sorted': {
    exercises: 'plants with discarded fragments, twenty deep, from the nearest to the farthest',
    passes: 1,
    draws: 291,
    triangles: 101_217,
    frameSha256: '7344eb3b844a0357cd9459ed7fbdefda020b74b258da70652a62577cd497c6d5',
    make: (size) => meadowFrame({ ...size, ...MEADOW, order: 'front-to-back' }),
  },
  'meadow-shuffled': {
    exercises: 'the same plants in random order',
    passes: 1,
    draws: 291,
    triangles: 101_217,
    frameSha256: '98db2219a74d7f1eddd5c02048741bf608f9e7943c717f8a3719bc37f0cbf110',
    make: (size) => meadowFrame({ ...size, ...MEADOW, order: 'random' }),
  },
} as const satisfies Readonly<Record<string, BenchmarkScene>>);

/** Name of a frame of {@link BENCHMARK_SET}. */
export type BenchmarkSceneName = keyof typeof BENCHMARK_SET;

/** Names of the set. */
export const BENCHMARK_SCENE_NAMES = Object.keys(BENCHMARK_SET) as readonly BenchmarkSceneName[];

/**
 * Returns the entry of a name.
 *
 * @throws {RenderError} REQUEST_INVALID if the set has no such name.
 */
export function findBenchmarkScene(name: string): BenchmarkScene {
  if (!Object.hasOwn(BENCHMARK_SET, name)) {
    const names = BENCHMARK_SCENE_NAMES.join(', ');
    throw new RenderError('REQUEST_INVALID', `scene '${name}' is not one of ${names}`);
  }
  return BENCHMARK_SET[name as BenchmarkSceneName];
}

/** Returns a frame of the set. @throws {RenderError} As {@link findBenchmarkScene}. */
export function benchmarkFrame(name: string, size: SceneSize): Frame {
  return findBenchmarkScene(name).make(size);
}

/** Returns what a frame submits. */
export function countFrame({ passes }: Frame): FrameCounts {
  const draws = passes.flatMap((pass) => pass.draws);
  return {
    passes: passes.length,
    draws: draws.length,
    triangles: draws.reduce((sum, draw) => sum + primitiveCountOf(draw), 0),
  };
}
