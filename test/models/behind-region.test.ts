/** The drawn part of what is behind glass: reading it gives what reading all of it gives. */

import type { Frame, RectPx } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf, readRadianceHdr } from '@tessera/scenes';
import { packGlb } from '@tessera/scenes/model-writer';
import { describe, expect, it } from 'vitest';
import { makePanorama } from './material-grid.ts';
import { makeSphere, packArrays } from './model-parts.ts';

const SIZE = { widthPx: 203, heightPx: 158 };
const gpu = new LocalGpu({ chipletCount: 1 });
const image = readRadianceHdr(makePanorama(), { maxPixels: 4096 });
const environment = filterEnvironment({ kind: 'panorama', image }, (frame) => gpu.renderNow(frame));

/** Glass of the ball, and the size of its mesh. */
interface Glass {
  readonly roughness: number;
  readonly ior: number;
  readonly thickness: number;
  readonly radius: number;
}

/** Makes a glass ball before many colored ones. */
function makeScene({ roughness, ior, thickness, radius }: Glass): Uint8Array {
  const { positions, indices } = makeSphere(12);
  const { binary, bufferViews } = packArrays([
    Float32Array.from(positions),
    Uint32Array.from(indices),
  ]);
  const opaque = Array.from({ length: 36 }, (_, i) => ({
    mesh: 1 + (i % 3),
    scale: [0.35, 0.35, 0.35],
    translation: [(i % 6) - 2.5, Math.floor(i / 6) - 2.5, -1.5],
  }));
  const glass = {
    pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: roughness },
    extensions: {
      KHR_materials_transmission: { transmissionFactor: 1 },
      KHR_materials_volume: { thicknessFactor: thickness },
      KHR_materials_ior: { ior },
    },
  };
  const colors = [0, 1, 2].map((c) => ({
    pbrMetallicRoughness: {
      baseColorFactor: [0, 1, 2, 3].map((channel) => (channel === c || channel === 3 ? 1 : 0.05)),
    },
    emissiveFactor: [0.1, 0.2 * c, 0.1],
  }));
  return packGlb(
    {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_materials_transmission', 'KHR_materials_volume', 'KHR_materials_ior'],
      buffers: [{ byteLength: binary.length }],
      bufferViews,
      accessors: [
        {
          bufferView: 0,
          componentType: 5126,
          count: positions.length / 3,
          type: 'VEC3',
          min: [-1, -1, -1],
          max: [1, 1, 1],
        },
        { bufferView: 1, componentType: 5125, count: indices.length, type: 'SCALAR' },
      ],
      materials: [glass, ...colors],
      meshes: [0, 1, 2, 3].map((material) => ({
        primitives: [{ attributes: { POSITION: 0, NORMAL: 0 }, indices: 1, material }],
      })),
      nodes: [
        { mesh: 0, scale: [radius, radius, radius * 0.7], translation: [0.7, 0.4, 0.3] },
        ...opaque,
      ],
      scenes: [{ nodes: [0, ...opaque.keys()].map((node, i) => (i === 0 ? 0 : node + 1)) }],
      scene: 0,
    },
    binary,
  );
}

interface Orbit {
  readonly azimuthDegrees: number;
  readonly elevationDegrees: number;
  readonly distanceFactor: number;
}

async function importScene(glass: Glass, orbit: Orbit): Promise<Frame> {
  const { frame } = await importGltf(
    { kind: 'glb', bytes: makeScene(glass) },
    {
      ...SIZE,
      framing: { orbit },
      look: {
        environment: { kind: 'filtered', environment },
        background: { kind: 'environment' },
        exposure: 1,
        toneMapping: 'neutral',
        hasShadows: false,
        hasGroundShadow: false,
        samples: 4,
      },
    },
  );
  return frame;
}

function scissorsOf({ passes }: Frame): RectPx[] {
  return passes.flatMap(({ draws }) => draws.flatMap(({ state }) => state.scissor ?? []));
}

/** Returns the frame with all of what is behind glass. */
function withoutScissors(frame: Frame): Frame {
  const passes = frame.passes.map((pass) => ({
    ...pass,
    draws: pass.draws.map((draw) => ({ ...draw, state: { ...draw.state, scissor: null } })),
  }));
  return { ...frame, passes };
}

const FRONT: Orbit = { azimuthDegrees: 0, elevationDegrees: 0, distanceFactor: 1 };

describe('what is behind glass', () => {
  it.each<[string, Glass, Orbit]>([
    ['small and clear', { roughness: 0, ior: 1.5, thickness: 0, radius: 0.3 }, FRONT],
    [
      'thick',
      { roughness: 0.05, ior: 1.8, thickness: 3, radius: 0.4 },
      { ...FRONT, azimuthDegrees: 40 },
    ],
    [
      'rough',
      { roughness: 0.4, ior: 1.3, thickness: 1, radius: 0.4 },
      { ...FRONT, elevationDegrees: 30 },
    ],
    ['very rough', { roughness: 1, ior: 1.5, thickness: 0.5, radius: 0.3 }, FRONT],
    [
      'near the edge',
      { roughness: 0.1, ior: 1.4, thickness: 1, radius: 0.5 },
      { ...FRONT, distanceFactor: 0.4 },
    ],
    [
      'around the viewer',
      { roughness: 0, ior: 1.2, thickness: 2, radius: 6 },
      { ...FRONT, distanceFactor: 0.2 },
    ],
  ])('of a ball that is %s is drawn where it is read', async (_name, glass, orbit) => {
    const frame = await importScene(glass, orbit);
    const [part, whole] = [frame, withoutScissors(frame)].map((each) => gpu.renderNow(each).image!);
    expect(scissorsOf(frame).length).toBeGreaterThan(0);
    expect(Buffer.compare(part!.rgba, whole!.rgba)).toBe(0);
  });

  it('is a small part for a small ball of clear glass, and all of it for a rough one', async () => {
    const clear = { roughness: 0, ior: 1.5, thickness: 0, radius: 0.3 };
    const areaOf = async (glass: Glass) => {
      const { width, height } = scissorsOf(await importScene(glass, FRONT))[0]!;
      return (width * height) / (SIZE.widthPx * SIZE.heightPx);
    };
    expect(await areaOf(clear)).toBeLessThan(0.35);
    expect(await areaOf({ ...clear, roughness: 1 })).toBe(1);
  });
});
