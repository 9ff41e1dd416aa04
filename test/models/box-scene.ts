/**
 * Boxes and balls of chosen places, sizes and materials, for tests of what surfaces hide from each
 * other.
 */
import { packGlb } from '@tessera/scenes/model-writer';
import { makeSphere, packArrays } from './model-parts.ts';

/** Axis-aligned box of a scene, or the ball in it. */
export interface SceneBox {
  readonly shape?: 'ball';
  readonly center: readonly [number, number, number];
  readonly size: readonly [number, number, number];
  /** Material of glTF; by default rough and white. */
  readonly material?: Readonly<Record<string, unknown>>;
}

const WHITE = { pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 } };

/**
 * Returns a model.
 *
 * @param images URIs of images, each of which is a texture.
 */
export function makeBoxScene(boxes: readonly SceneBox[], images: readonly string[] = []) {
  const meshes = [makeUnitBox(), makeBall()];
  const { binary, bufferViews } = packArrays(
    meshes.flatMap(({ positions, normals, indices }) => [positions, normals, indices]),
  );
  const accessors = meshes.flatMap(({ positions, indices }, mesh) => {
    const vectors = { componentType: 5126, count: positions.length / 3, type: 'VEC3' };
    return [
      { ...vectors, bufferView: 3 * mesh, min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] },
      { ...vectors, bufferView: 3 * mesh + 1 },
      { bufferView: 3 * mesh + 2, componentType: 5125, count: indices.length, type: 'SCALAR' },
    ];
  });
  const imageParts = {
    images: images.map((uri) => ({ uri })),
    textures: images.map((_uri, source) => ({ source })),
  };
  return packGlb(
    {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_materials_ior', 'KHR_materials_specular', 'KHR_materials_transmission'],
      buffers: [{ byteLength: binary.length }],
      bufferViews,
      accessors,
      ...(images.length === 0 ? {} : imageParts),
      materials: boxes.map(({ material }) => material ?? WHITE),
      meshes: boxes.map(({ shape }, material) => {
        const first = shape === 'ball' ? 3 : 0;
        const attributes = { POSITION: first, NORMAL: first + 1 };
        return { primitives: [{ attributes, indices: first + 2, material }] };
      }),
      nodes: boxes.map(({ center, size }, mesh) => ({ mesh, translation: center, scale: size })),
      scenes: [{ nodes: boxes.map((_box, i) => i) }],
      scene: 0,
    },
    binary,
  );
}

function makeBall() {
  const { positions, indices } = makeSphere(24);
  return {
    positions: Float32Array.from(positions, (value) => value / 2),
    normals: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
  };
}

/** Returns a box of edge 1, whose faces have corners of their own. */
function makeUnitBox() {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = side / 2;
        corner[(axis + 1) % 3] = a / 2;
        corner[(axis + 2) % 3] = (b * side) / 2; // counter-clockwise from outside
        positions.push(...corner);
        normals.push(...[0, 1, 2].map((i) => (i === axis ? side : 0)));
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
}
