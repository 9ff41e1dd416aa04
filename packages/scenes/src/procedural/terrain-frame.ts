/** A textured landscape that covers most of the image: the frame for speed measurements. */
import { type Frame, RenderError } from '@tessera/frame';
import { FrameBuilder } from '../build/frame-builder.ts';
import { IDENTITY } from '../math/matrix.ts';
import { normalizeVec3 } from '../math/vector.ts';
import { makeTexture } from './made-texture.ts';
import { addMesh, makeGridMesh } from './mesh.ts';
import { fractalNoise, valueNoise } from './noise.ts';
import { plainDraw, type SceneCamera } from './plain-draw.ts';
import { seededRandom } from './seeded-random.ts';

/** Size, seed and number of triangles. */
export interface TerrainOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * Number of triangles, rounded to the nearest 2 n²; 100,352 by default, which has 50,625
   * vertices.
   */
  readonly triangles?: number;
  /** Seed of hills and texture; 1 by default. */
  readonly seed?: number;
  /**
   * Number of patches along each edge, each a draw; 1 by default. Patches are drawn in a random
   * order of the seed, as programs that sort by material do.
   */
  readonly patches?: number;
}

const DEFAULT_TRIANGLES = 100_352;
/** Indices of the two triangles of a cell. */
const CELL_INDICES = 6;
const HALF_EDGE = 1.6;
const HILL_HEIGHT = 0.5;
const TEXTURE_EDGE_PX = 256;
const CAMERA: SceneCamera = {
  eye: [0, 1.25, 1.7],
  target: [0, 0.09, 0.2],
  tanHalfFovY: 0.44,
  near: 0.1,
  far: 10,
};

/**
 * Returns a frame of one mesh. At 1280×720 it covers about 820,000 pixels.
 *
 * @throws {RenderError} REQUEST_INVALID if numbers of triangles or patches are out of range.
 */
export function terrainFrame(options: TerrainOptions): Frame {
  const { widthPx, heightPx, triangles = DEFAULT_TRIANGLES, seed = 1, patches = 1 } = options;
  const cells = Math.round(Math.sqrt(triangles / 2));
  if (!(cells >= 1 && cells <= 4096)) {
    throw new RenderError('REQUEST_INVALID', `triangles: ${triangles} is not from 2 to 33554432`);
  }
  if (!(Number.isInteger(patches) && patches >= 1 && patches <= cells)) {
    throw new RenderError('REQUEST_INVALID', `patches: ${patches} is not from 1 to ${cells}`);
  }
  const heightAt = (x: number, z: number): number =>
    HILL_HEIGHT * fractalNoise(x * 1.7 + 10, z * 1.7 + 10, seed, 5);
  const step = (2 * HALF_EDGE) / cells;
  const mesh = makeGridMesh(cells, cells, (u, v) => {
    const x = (2 * u - 1) * HALF_EDGE;
    const z = (1 - 2 * v) * HALF_EDGE;
    const slopeX = (heightAt(x + step, z) - heightAt(x - step, z)) / (2 * step);
    const slopeZ = (heightAt(x, z + step) - heightAt(x, z - step)) / (2 * step);
    return {
      position: [x, heightAt(x, z), z],
      normal: normalizeVec3([-slopeX, 1, -slopeZ]),
      texCoord: [u * 8, v * 8],
    };
  });

  const builder = new FrameBuilder();
  const textureIndex = builder.addTexture(
    makeTexture(TEXTURE_EDGE_PX, 'rgba8unorm', false, (x, y) => {
      const grass = valueNoise(x / 16, y / 16, seed + 100);
      const grain = valueNoise(x / 2, y / 2, seed + 200);
      const light = 0.7 + 0.3 * grain;
      return [
        Math.floor((70 + 90 * grass) * light),
        Math.floor((120 + 50 * grass) * light),
        Math.floor((60 + 30 * grass) * light),
        255,
      ];
    }),
  );
  const size = { widthPx, heightPx };
  const { indices, counts } = cutGrid(mesh.indices, cells, patches);
  const sources = addMesh(builder, { vertices: mesh.vertices, indices });
  const draw = plainDraw(builder, sources, CAMERA, IDENTITY, textureIndex, size);
  let first = 0;
  const draws = counts.map((count) => {
    const patch = { ...draw, first, count };
    first += count;
    return patch;
  });
  for (const patch of shuffle(draws, seed)) builder.addDraw(patch);
  return builder.build(widthPx, heightPx, { color: [0.53, 0.7, 0.87, 1], depth: 1, stencil: 0 });
}

/** Sorts the indices of a grid, which are in rows of cells, by patches of nearly equal size. */
function cutGrid(
  indices: Uint32Array,
  cells: number,
  patches: number,
): { readonly indices: Uint32Array; readonly counts: readonly number[] } {
  const borders = Array.from({ length: patches + 1 }, (_, i) => Math.round((i * cells) / patches));
  const sorted = new Uint32Array(indices.length);
  const counts: number[] = [];
  let next = 0;
  for (let patch = 0; patch < patches * patches; patch++) {
    const start = next;
    const [row, column] = [Math.floor(patch / patches), patch % patches];
    for (let cellRow = borders[row]!; cellRow < borders[row + 1]!; cellRow++) {
      const firstCell = cellRow * cells;
      const [from, to] = [borders[column]!, borders[column + 1]!].map(
        (cell) => CELL_INDICES * (firstCell + cell),
      );
      sorted.set(indices.subarray(from, to), next);
      next += to! - from!;
    }
    counts.push(next - start);
  }
  return { indices: sorted, counts };
}

/** Returns a list in a random order (Fisher–Yates). */
function shuffle<T>(list: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
