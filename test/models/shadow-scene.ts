/** A ball above a floor, under one light. */
import { packGlb } from '@tessera/scenes/model-writer';
import { makeSphere, packArrays } from './model-parts.ts';

/** Place of the ball's center. Its radius is 0.5, and the floor is at y = 0. */
export const BALL: readonly [number, number, number] = [0, 1, 0];
/** Half of the edge of the floor. */
export const HALF_FLOOR = 4;

/** Light of the scene: glTF JSON, and its place or direction. */
export interface SceneLight {
  readonly light: Readonly<Record<string, unknown>>;
  readonly translation?: readonly [number, number, number];
  readonly rotation?: readonly [number, number, number, number];
}

/** Returns the model. */
export function makeShadowScene({ light, ...place }: SceneLight): Uint8Array {
  const ball = makeSphere(32);
  const positions = Float32Array.from(ball.positions, (value) => value * 0.5);
  const floor = Float32Array.of(-1, 0, 1, 1, 0, 1, 1, 0, -1, -1, 0, -1).map((x) => x * HALF_FLOOR);
  const { binary, bufferViews } = packArrays([
    positions,
    Uint32Array.from(ball.indices),
    floor,
    Uint32Array.of(0, 1, 2, 0, 2, 3),
  ]);
  const vectors = (bufferView: number, count: number, edge: number, height: number) => ({
    bufferView,
    componentType: 5126,
    count,
    type: 'VEC3',
    min: [-edge, -height, -edge],
    max: [edge, height, edge],
  });
  const numbers = (bufferView: number, count: number) => ({
    bufferView,
    componentType: 5125,
    count,
    type: 'SCALAR',
  });
  const material = { pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 } };
  return packGlb(
    {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_lights_punctual'],
      extensions: { KHR_lights_punctual: { lights: [light] } },
      buffers: [{ byteLength: binary.length }],
      bufferViews,
      accessors: [
        vectors(0, positions.length / 3, 0.5, 0.5),
        numbers(1, ball.indices.length),
        vectors(2, 4, HALF_FLOOR, 0),
        numbers(3, 6),
      ],
      materials: [material],
      meshes: [
        { primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] },
        { primitives: [{ attributes: { POSITION: 2 }, indices: 3, material: 0 }] },
      ],
      nodes: [
        { mesh: 0, translation: BALL },
        { mesh: 1 },
        { ...place, extensions: { KHR_lights_punctual: { light: 0 } } },
      ],
      scenes: [{ nodes: [0, 1, 2] }],
      scene: 0,
    },
    binary,
  );
}
