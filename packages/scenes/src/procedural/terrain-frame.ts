/** A textured landscape that covers most of the image: the frame for speed measurements. */
import { type Frame, RenderError } from '@tessera/frame';
import { FrameBuilder } from '../build/frame-builder.ts';
import { IDENTITY } from '../math/matrix.ts';
import { normalizeVec3 } from '../math/vector.ts';
import { makeTexture } from './made-texture.ts';
import { addMesh, makeGridMesh } from './mesh.ts';
import { fractalNoise, valueNoise } from './noise.ts';
import { plainDraw, type SceneCamera } from './plain-draw.ts';

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
}

const DEFAULT_TRIANGLES = 100_352;
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

/** Returns a frame with one draw of one mesh. At 1280×720 it covers about 820,000 pixels. */
export function terrainFrame(options: TerrainOptions): Frame {
  const { widthPx, heightPx, triangles = DEFAULT_TRIANGLES, seed = 1 } = options;
  const cells = Math.round(Math.sqrt(triangles / 2));
  if (!(cells >= 1 && cells <= 4096)) {
    throw new RenderError('REQUEST_INVALID', `triangles: ${triangles} is not from 2 to 33554432`);
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
  builder.addDraw(plainDraw(builder, addMesh(builder, mesh), CAMERA, IDENTITY, textureIndex, size));
  return builder.build(widthPx, heightPx, { color: [0.53, 0.7, 0.87, 1], depth: 1, stencil: 0 });
}
