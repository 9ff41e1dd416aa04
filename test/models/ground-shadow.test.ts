/** Soft shadow on the ground against sums of a Gaussian over the boxes that cast it. */
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { makeBoxScene, type SceneBox } from './box-scene.ts';

const SIZE = { widthPx: 240, heightPx: 180 };
const gpu = new LocalGpu({ chipletCount: 1 });
const bright = { widthPx: 8, heightPx: 4, rgb: new Float32Array(96).fill(1) };
const environment = filterEnvironment({ kind: 'panorama', image: bright }, (frame) =>
  gpu.renderNow(frame),
);

const OVERHEAD = { azimuthDegrees: 20, elevationDegrees: 50, distanceFactor: 1 };
const STEEP = { azimuthDegrees: 20, elevationDegrees: 80, distanceFactor: 0.5 };
const BELOW = { azimuthDegrees: 20, elevationDegrees: -30, distanceFactor: 1.2 };
const BLENDED = { alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 0.5] } };
const GLASS = { extensions: { KHR_materials_transmission: { transmissionFactor: 1 } } };

function importBoxes(
  boxes: readonly SceneBox[],
  hasGroundShadow: boolean,
  orbit = OVERHEAD,
  background: 'transparent' | 'environment' = 'transparent',
) {
  return importGltf(
    { kind: 'glb', bytes: makeBoxScene(boxes) },
    {
      ...SIZE,
      framing: { orbit },
      look: {
        environment: { kind: 'filtered', environment },
        background: { kind: background },
        exposure: 0.5,
        toneMapping: 'linear',
        hasShadows: false,
        hasGroundShadow,
        samples: 1,
      },
    },
  );
}

type Imported = Awaited<ReturnType<typeof importBoxes>>;

async function drawBoxes(...given: Parameters<typeof importBoxes>): Promise<Uint8Array> {
  const { frame } = await importBoxes(...given);
  return gpu.renderNow(frame).image!.rgba;
}

/** Two boxes at different heights above the lowest one, one partly above the other. */
const BOXES: readonly SceneBox[] = [
  { center: [-0.5, 0.5, 0], size: [1, 1, 1.5] },
  { center: [0.5, 1.3, 0.3], size: [1.4, 1, 0.6] },
];

/** Size of all boxes together. */
const [WIDTH, HEIGHT] = [2.2, 1.8];
const GROUND = -WIDTH / 1000;
/** 4 of 128 texels, of which 102 are the width of the model. */
const DEVIATION = (4 * WIDTH) / 102;

/** Integrals of a Gaussian that ends at three deviations, at steps of a hundredth of one. */
const INTEGRALS = (() => {
  const sums = [0];
  for (let i = 0; i < 600; i++) sums.push(sums[i]! + Math.exp(-(((i - 299.5) / 100) ** 2) / 2));
  return sums.map((sum) => sum / sums[600]!);
})();

/** Share of the Gaussian around a coordinate that is between two others. */
function shareBetween(at: number, from: number, to: number): number {
  const [low, high] = [from, to].map((end) => {
    const step = Math.min(600, Math.max(0, 300 + (100 * (end - at)) / DEVIATION));
    const below = INTEGRALS[Math.floor(step)]!;
    return below + (INTEGRALS[Math.ceil(step)]! - below) * (step - Math.floor(step));
  });
  return high! - low!;
}

/** Filtered darkness under the two boxes, of which the first is nearer to the ground. */
function expectedAlpha(x: number, z: number): number {
  const [low, high] = BOXES.map(({ center, size }) => ({
    darkness: Math.max(0, 1 - (center[1] - size[1] / 2 - GROUND) / (HEIGHT / 2)),
    x: [center[0] - size[0] / 2, center[0] + size[0] / 2] as const,
    z: [center[2] - size[2] / 2, center[2] + size[2] / 2] as const,
  })) as [Shade, Shade];
  const both = {
    x: [Math.max(low.x[0], high.x[0]), Math.min(low.x[1], high.x[1])] as const,
    z: [Math.max(low.z[0], high.z[0]), Math.min(low.z[1], high.z[1])] as const,
  };
  const share = (area: Pick<Shade, 'x' | 'z'>): number =>
    shareBetween(x, ...area.x) * shareBetween(z, ...area.z);
  const sum = low.darkness * share(low) + high.darkness * (share(high) - share(both));
  return 255 * 0.8 * sum;
}

/** Darkness of an area under a box. */
interface Shade {
  readonly darkness: number;
  readonly x: readonly [number, number];
  readonly z: readonly [number, number];
}

type Vec3 = readonly [number, number, number];

/** Whether a line from the eye meets one of the boxes, which are larger by a share. */
function isHit(eye: Vec3, ray: Vec3, boxes: readonly SceneBox[], share: number): boolean {
  const reach = (1 + share) / 2;
  return boxes.some(({ center, size }) => {
    let [enter, leave] = [0, Number.POSITIVE_INFINITY];
    for (let axis = 0; axis < 3; axis++) {
      const ends = [-reach, reach].map(
        (side) => (center[axis]! + side * size[axis]! - eye[axis]!) / ray[axis]!,
      );
      enter = Math.max(enter, Math.min(...ends));
      leave = Math.min(leave, Math.max(...ends));
    }
    return enter < leave;
  });
}

/** Lists the pixels in which nothing hides the ground, with their places on it. */
function groundPixels({ view }: Imported, share = 0.01) {
  const { viewMatrix: m, projectionMatrix, viewer } = view;
  const eye: Vec3 = [viewer[0], viewer[1], viewer[2]];
  const pixels: { offset: number; eye: Vec3; ray: Vec3; x: number; z: number }[] = [];
  for (let row = 0; row < SIZE.heightPx; row++) {
    for (let column = 0; column < SIZE.widthPx; column++) {
      const x = ((2 * (column + 0.5)) / SIZE.widthPx - 1) / projectionMatrix[0]!;
      const y = (1 - (2 * (row + 0.5)) / SIZE.heightPx) / projectionMatrix[5]!;
      const ray = [0, 1, 2].map(
        (i) => m[4 * i]! * x + m[4 * i + 1]! * y - m[4 * i + 2]!,
      ) as unknown as Vec3;
      const t = (GROUND - eye[1]) / ray[1];
      if (t <= 0 || isHit(eye, ray, BOXES, share)) continue;
      const offset = 4 * (row * SIZE.widthPx + column);
      pixels.push({ offset, eye, ray, x: eye[0] + ray[0] * t, z: eye[2] + ray[2] * t });
    }
  }
  return pixels;
}

describe('the shadow on the ground', () => {
  it('is as dark as the Gaussian sum over the boxes above it', async () => {
    const imported = await importBoxes(BOXES, true);
    const { rgba } = gpu.renderNow(imported.frame).image!;
    const pixels = groundPixels(imported);
    let [largest, sum, dark, empty] = [0, 0, 0, 0];
    for (const { offset, x, z } of pixels) {
      const expected = expectedAlpha(x, z);
      const error = Math.abs(rgba[offset + 3]! - expected);
      largest = Math.max(largest, error);
      sum += error;
      if (expected > 20) dark++;
      if (expected === 0) {
        empty++;
        expect(rgba[offset + 3]).toBe(0);
      }
      expect([...rgba.subarray(offset, offset + 3)]).toEqual([0, 0, 0]);
    }
    expect(largest).toBeLessThan(4); // a texel of 512 is a thirtieth of a deviation
    expect(sum / pixels.length).toBeLessThan(0.5);
    expect(dark).toBeGreaterThan(1000);
    expect(empty).toBeGreaterThan(5000);
  });

  it('darkens encoded colors of the background by its alpha', async () => {
    const alpha = await drawBoxes(BOXES, true);
    const shaded = await drawBoxes(BOXES, true, OVERHEAD, 'environment');
    const plain = await drawBoxes(BOXES, false, OVERHEAD, 'environment');
    const imported = await importBoxes(BOXES, true);
    for (const { offset } of groundPixels(imported)) {
      const expected = plain[offset]! * (1 - alpha[offset + 3]! / 255);
      expect(Math.abs(shaded[offset]! - expected)).toBeLessThanOrEqual(1);
    }
  });

  it('leaves the camera and the model as they are, and is invisible from below', async () => {
    const [on, off] = [await importBoxes(BOXES, true), await importBoxes(BOXES, false)];
    expect(on.view).toEqual(off.view);
    const below = await drawBoxes(BOXES, true, BELOW);
    expect(Buffer.compare(below, await drawBoxes(BOXES, false, BELOW))).toBe(0);
  });

  it('is cast by glass, but not by blended surfaces', async () => {
    const withMaterial = (material: SceneBox['material']) =>
      BOXES.map((box) => ({ ...box, material: material! }));
    const [opaque, glass, blended] = [
      await drawBoxes(BOXES, true),
      await drawBoxes(withMaterial(GLASS), true),
      await drawBoxes(withMaterial(BLENDED), true),
    ];
    expect(Buffer.compare(blended, await drawBoxes(withMaterial(BLENDED), false))).toBe(0);
    for (const { offset } of groundPixels(await importBoxes(BOXES, true))) {
      expect(glass[offset + 3]).toBe(opaque[offset + 3]);
    }
  });

  it('is as dark behind glass that neither bends nor reflects light', async () => {
    const material = {
      pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0 },
      extensions: {
        ...GLASS.extensions,
        KHR_materials_ior: { ior: 1 },
        KHR_materials_specular: { specularFactor: 0 },
      },
    };
    const sheet: SceneBox = { center: [0.1, 1.05, 0], size: [2.2, 0.01, 1.5], material };
    const imported = await importBoxes([...BOXES, sheet], true, STEEP, 'environment');
    const shaded = gpu.renderNow(imported.frame).image!.rgba;
    const plain = await drawBoxes([...BOXES, sheet], false, STEEP, 'environment');
    let [behind, dark] = [0, 0];
    for (const { offset, eye, ray, x, z } of groundPixels(imported, 0.06)) {
      if (!isHit(eye, ray, [sheet], -0.05)) continue;
      const alpha = expectedAlpha(x, z) / 255;
      behind++;
      if (alpha > 0.05) dark++;
      expect(Math.abs(shaded[offset]! - plain[offset]! * (1 - alpha))).toBeLessThan(4);
    }
    expect(behind).toBeGreaterThan(500);
    expect(dark).toBeGreaterThan(50);
  });

  it.each([3, 5])('has the same bytes on %i chiplets', async (chipletCount) => {
    const { frame } = await importBoxes(BOXES, true);
    const one = gpu.renderNow(frame).image!;
    const options = { timing: 'cycle', coupling: 'exact' } as const;
    const { image } = await new LocalGpu({ chipletCount }).render(frame, options);
    expect(Buffer.compare(image.rgba, one.rgba)).toBe(0);
  });
});
