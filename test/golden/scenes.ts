import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '@tessera/frame';
import {
  cubeFrame,
  firstFrame,
  importGltf,
  randomTrianglesFrame,
  terrainFrame,
  texturedQuadFrame,
} from '@tessera/scenes';

const SIZE = { widthPx: 320, heightPx: 240 } as const;

async function importModel(name: string, timeSeconds = 0): Promise<Frame> {
  const bytes = readFileSync(join(import.meta.dirname, 'models', `${name}.glb`));
  return (await importGltf({ kind: 'glb', bytes }, { ...SIZE, timeSeconds })).frame;
}

/** Returns random triangles with a query of each draw and one of both. */
function queriedFrame(): Frame {
  const frame = randomTrianglesFrame({ ...SIZE, seed: 11, count: 200 });
  const queries = [
    { firstDraw: 0, drawCount: 1 },
    { firstDraw: 1, drawCount: 1 },
    { firstDraw: 0, drawCount: 2 },
  ];
  return { ...frame, passes: frame.passes.map((pass) => ({ ...pass, queries })) };
}

/** Frames by name. They are small, and each covers a part of the pipeline. */
export const GOLDEN_SCENES: Readonly<Record<string, () => Frame | Promise<Frame>>> = {
  'box-vertex-colors': () => importModel('BoxVertexColors'),
  'texture-linear-interpolation': () => importModel('TextureLinearInterpolationTest'),
  'animated-morph-cube': () => importModel('AnimatedMorphCube', 1.2),
  cube: () => cubeFrame(SIZE),
  'textured-quad': () => texturedQuadFrame(SIZE),
  'occlusion-queries': queriedFrame,
  'random-triangles': () => randomTrianglesFrame({ ...SIZE, seed: 7, count: 300 }),
  terrain: () => terrainFrame({ ...SIZE, triangles: 5000 }),
  first: () => firstFrame(SIZE),
};
