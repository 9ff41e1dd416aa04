/** Terrain of a valley in square tiles that share their indices. Lengths are in meters. */
import type { AttributeSource } from '@tessera/frame';
import { bytesOf, type FrameBuilder } from '../../build/frame-builder.ts';
import type { MeshSources } from '../mesh.ts';
import { fractalNoise } from '../noise.ts';

/** Edge of the terrain. */
export const VALLEY_EDGE = 1600;

/** Bytes of a vertex: position of 3 floats, normal of 3 signed bytes and one byte of padding. */
const VERTEX_BYTES = 16;

/** Returns the height of the ground. A valley runs along the z axis, with hills on both sides. */
export function groundHeight(x: number, z: number, seed: number): number {
  const bend = 140 * (fractalNoise(7.5, z / 420 + 20, seed + 50, 2) - 0.4);
  const aside = Math.abs(x - bend) / 420;
  const slope = Math.min(1, aside * aside);
  const hills = fractalNoise(x / 260 + 40, z / 260 + 40, seed, 6);
  const far = Math.max(0, -z / VALLEY_EDGE);
  return 34 * hills + slope * (70 + 300 * hills * (0.55 + 0.9 * far)) - 30;
}

/**
 * Adds the tiles of the terrain, each of `cells` × `cells` cells of two triangles.
 *
 * @param tiles Number of tiles along each edge.
 * @returns Parts of the draws of the tiles, row by row.
 */
export function addTerrainTiles(
  builder: FrameBuilder,
  seed: number,
  tiles: number,
  cells: number,
): MeshSources[] {
  const indices = {
    bufferIndex: builder.addBuffer(bytesOf(gridIndices(cells))),
    offsetBytes: 0,
    componentType: 'uint16',
  } as const;
  const step = VALLEY_EDGE / (tiles * cells);
  return Array.from({ length: tiles * tiles }, (_, tile) => {
    const firstX = (tile % tiles) * cells;
    const firstZ = Math.floor(tile / tiles) * cells;
    const bufferIndex = builder.addBuffer(tileVertices(seed, firstX, firstZ, cells, step));
    const source = (part: Pick<AttributeSource & { kind: 'buffer' }, AttributeField>) => ({
      ...({ kind: 'buffer', bufferIndex, strideBytes: VERTEX_BYTES, instanceDivisor: 0 } as const),
      ...part,
      componentCount: 3,
    });
    return {
      topology: 'triangles',
      first: 0,
      count: cells * cells * 6,
      indices,
      attributes: {
        a_position: source({ offsetBytes: 0, componentType: 'float32', isNormalized: false }),
        a_normal: source({ offsetBytes: 12, componentType: 'int8', isNormalized: true }),
      },
    };
  });
}

type AttributeField = 'offsetBytes' | 'componentType' | 'isNormalized';

/** Returns the vertices of a tile whose first corner is a vertex of the whole grid. */
function tileVertices(
  seed: number,
  firstX: number,
  firstZ: number,
  cells: number,
  step: number,
): Uint8Array {
  // Heights with a border of one vertex, for the slopes.
  const row = cells + 3;
  const heights = new Float64Array(row * row);
  const placeOf = (index: number): number => index * step - VALLEY_EDGE / 2;
  for (let j = 0; j < row; j++) {
    for (let i = 0; i < row; i++) {
      heights[j * row + i] = groundHeight(placeOf(firstX + i - 1), placeOf(firstZ + j - 1), seed);
    }
  }
  const bytes = new Uint8Array((cells + 1) * (cells + 1) * VERTEX_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let j = 1; j <= cells + 1; j++) {
    for (let i = 1; i <= cells + 1; i++) {
      const here = j * row + i;
      const slopeX = (heights[here + 1]! - heights[here - 1]!) / (2 * step);
      const slopeZ = (heights[here + row]! - heights[here - row]!) / (2 * step);
      const scale = 127 / Math.sqrt(slopeX * slopeX + 1 + slopeZ * slopeZ);
      view.setFloat32(at, placeOf(firstX + i - 1), true);
      view.setFloat32(at + 4, heights[here]!, true);
      view.setFloat32(at + 8, placeOf(firstZ + j - 1), true);
      view.setInt8(at + 12, Math.round(-slopeX * scale));
      view.setInt8(at + 13, Math.round(scale));
      view.setInt8(at + 14, Math.round(-slopeZ * scale));
      at += VERTEX_BYTES;
    }
  }
  return bytes;
}

/** Returns indices of a grid whose rows go along +x and then +z, counter-clockwise from above. */
function gridIndices(cells: number): Uint16Array {
  const indices = new Uint16Array(cells * cells * 6);
  let next = 0;
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const corner = row * (cells + 1) + column;
      const below = corner + cells + 1;
      indices.set([corner, below, below + 1, corner, below + 1, corner + 1], next);
      next += 6;
    }
  }
  return indices;
}
