/** Filtered environments against brute force and arithmetic. */
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf, type ModelLook, type RadianceImage } from '@tessera/scenes';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { describe, expect, it } from 'vitest';
import { makeSphere } from './model-parts.ts';

const gpu = new LocalGpu({ chipletCount: 1 });
const filter = (image: RadianceImage) =>
  filterEnvironment({ kind: 'panorama', image }, (frame) => gpu.renderNow(frame));

/** Returns a panorama of this radiance by direction. */
function panorama(radianceOf: (x: number, y: number, z: number) => number): RadianceImage {
  const [widthPx, heightPx] = [128, 64];
  const rgb = new Float32Array(widthPx * heightPx * 3);
  for (let row = 0; row < heightPx; row++) {
    const latitude = Math.PI * (0.5 - (row + 0.5) / heightPx);
    for (let column = 0; column < widthPx; column++) {
      const longitude = 2 * Math.PI * ((column + 0.5) / widthPx - 0.5);
      const level = Math.cos(latitude);
      const radiance = radianceOf(
        level * Math.cos(longitude),
        Math.sin(latitude),
        level * Math.sin(longitude),
      );
      rgb.fill(radiance, (row * widthPx + column) * 3, (row * widthPx + column) * 3 + 3);
    }
  }
  return { widthPx, heightPx, rgb };
}

const floatsOf = (bytes: Uint8Array) => new Float16Array(bytes.slice().buffer);

/** Directions of the centers of the faces +x, −x, +y, −y, +z, −z. */
const CENTERS = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const;

/** Returns red around the center of a face of a level. */
function centerOf(level: Uint8Array, face: number): number {
  const texels = floatsOf(level);
  const edge = Math.sqrt(texels.length / 24);
  const middle = edge / 2;
  let sum = 0;
  for (const [x, y] of [
    [middle - 1, middle - 1],
    [middle, middle - 1],
    [middle - 1, middle],
    [middle, middle],
  ]) {
    sum += texels[((face * edge + y!) * edge + x!) * 4]!;
  }
  return sum / 4;
}

describe('a filtered environment', () => {
  const sky = (x: number, y: number, z: number) => 2 + 0.5 * x + y + 0.25 * z * z;

  it('has the irradiance that integration over all directions gives, over π', () => {
    const levels = filter(panorama(sky)).radiance.levels;
    CENTERS.forEach(([nx, ny, nz], face) => {
      let sum = 0;
      const steps = 400;
      for (let row = 0; row < steps; row++) {
        const cos = 1 - (2 * (row + 0.5)) / steps;
        const sin = Math.sqrt(1 - cos * cos);
        for (let column = 0; column < steps; column++) {
          const angle = (2 * Math.PI * (column + 0.5)) / steps;
          const [x, y, z] = [sin * Math.cos(angle), cos, sin * Math.sin(angle)];
          sum += sky(x, y, z) * Math.max(nx * x + ny * y + nz * z, 0);
        }
      }
      const expected = (sum * 4 * Math.PI) / (steps * steps) / Math.PI;
      expect(centerOf(levels.at(-1)!, face)).toBeCloseTo(expected, 1);
      expect(Math.abs(centerOf(levels.at(-1)!, face) / expected - 1)).toBeLessThan(0.01);
    });
  });

  it('has the radiance of each direction in level 0', () => {
    const [level] = filter(panorama(sky)).radiance.levels;
    CENTERS.forEach(([x, y, z], face) => {
      expect(Math.abs(centerOf(level!, face) / sky(x, y, z) - 1)).toBeLessThan(0.005);
    });
  });

  it('keeps uniform light in all levels, and reflects no more than all of it', () => {
    const { radiance, reflectance } = filter(panorama(() => 0.75));
    for (const level of radiance.levels) {
      const texels = floatsOf(level);
      for (let i = 0; i < texels.length; i += 4) {
        if (Math.abs(texels[i]! - 0.75) > 0.001) expect(texels[i]).toBe(0.75);
      }
    }
    const table = floatsOf(reflectance.levels[0]!);
    for (let i = 0; i < table.length; i += 2) {
      const whole = table[i]! + table[i + 1]!;
      if (!(whole > 0.3 && whole < 1.005)) expect(whole, `entry ${i / 2}`).toBe(1);
    }
  });
});

describe('a white sphere under uniform light', () => {
  // A white body that absorbs nothing is as bright as the light around it (the furnace test).
  it.each([
    [0.1, 1],
    [0.5, 1],
    [1, 1],
    [0.3, 0],
    [1, 0],
  ])('of roughness %d and metalness %d disappears', async (roughness, metallic) => {
    const environment = filter(panorama(() => 0.5));
    const look: ModelLook = {
      environment: { kind: 'filtered', environment },
      background: { kind: 'environment' },
      exposure: 1,
      toneMapping: 'linear',
      hasShadows: true,
      samples: 1,
    };
    const { positions, indices } = makeSphere(24);
    const bytes = await makeModelGlb({
      positions,
      normals: positions,
      indices,
      baseColor: [1, 1, 1, 1],
      edit: (document) =>
        document
          .getRoot()
          .listMaterials()[0]!
          .setRoughnessFactor(roughness)
          .setMetallicFactor(metallic),
    });
    const { frame } = await importGltf({ kind: 'glb', bytes }, { widthPx: 64, heightPx: 64, look });
    const { rgba } = gpu.renderNow(frame).image!;
    const background = rgba[0]!;
    expect(background).toBe(188); // 0.5, encoded
    const largest = rgba.reduce(
      (most, value, i) => (i % 4 === 3 ? most : Math.max(most, Math.abs(value - background))),
      0,
    );
    expect(largest).toBeLessThanOrEqual(3);
  });
});
