/** Shadows of punctual lights against rays from the floor to the light. */
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { BALL, HALF_FLOOR, makeShadowScene, type SceneLight } from './shadow-scene.ts';

type Vec3 = readonly [number, number, number];

const SIZE = { widthPx: 320, heightPx: 240 };
const gpu = new LocalGpu({ chipletCount: 1 });
const dim = { widthPx: 8, heightPx: 4, rgb: new Float32Array(96).fill(0.05) };
const environment = filterEnvironment({ kind: 'panorama', image: dim }, (frame) =>
  gpu.renderNow(frame),
);

function importScene(scene: SceneLight, hasShadows: boolean) {
  return importGltf(
    { kind: 'glb', bytes: makeShadowScene(scene) },
    {
      ...SIZE,
      framing: { orbit: { azimuthDegrees: 20, elevationDegrees: 40, distanceFactor: 0.7 } },
      look: {
        environment: { kind: 'filtered', environment },
        background: { kind: 'transparent' },
        exposure: 1,
        toneMapping: 'linear',
        hasShadows,
        samples: 1,
      },
    },
  );
}

/** Distance of a line from the center of the ball; infinite if the ball is behind its start. */
function distanceFromBall(start: Vec3, direction: Vec3): number {
  const length = Math.hypot(...direction);
  const along = BALL.reduce((sum, b, i) => sum + (b - start[i]!) * direction[i]!, 0) / length;
  if (along <= 0) return Number.POSITIVE_INFINITY;
  const squared = BALL.reduce((sum, b, i) => sum + (b - start[i]!) ** 2, 0);
  return Math.sqrt(Math.max(squared - along * along, 0));
}

const SUN = { axis: [0.3, 0.8, 0.4] as Vec3 };
/** Rotation that turns +z to the direction of the sun. */
const SUN_ROTATION = rotationTo(SUN.axis);

function rotationTo(direction: Vec3): [number, number, number, number] {
  const length = Math.hypot(...direction);
  const [x, y, z] = direction.map((value) => value / length) as [number, number, number];
  const raw = [-y, x, 0, 1 + z] as const; // z × direction, and 1 + their cosine
  const norm = Math.hypot(...raw);
  return raw.map((value) => value / norm) as [number, number, number, number];
}

const SPOT = { outerConeAngle: 0.9, innerConeAngle: 0.8 };
const HALF_TURN = Math.SQRT1_2;

describe('shadows', () => {
  it.each<[string, SceneLight, (from: Vec3) => Vec3]>([
    [
      'of a sun',
      { light: { type: 'directional', intensity: 2 }, rotation: SUN_ROTATION },
      () => SUN.axis,
    ],
    [
      'of a spot',
      {
        light: { type: 'spot', intensity: 40, spot: SPOT },
        translation: [0.5, 4, 0],
        rotation: [-HALF_TURN, 0, 0, HALF_TURN],
      },
      ([x, y, z]) => [0.5 - x, 4 - y, -z],
    ],
    [
      'of a point',
      { light: { type: 'point', intensity: 30 }, translation: [1.5, 3, 1] },
      ([x, y, z]) => [1.5 - x, 3 - y, 1 - z],
    ],
  ])('%s are where the ball hides the light', async (_name, scene, towardLight) => {
    const shadowed = await importScene(scene, true);
    const plain = await importScene(scene, false);
    const [on, off] = [shadowed, plain].map(({ frame }) => gpu.renderNow(frame).image!.rgba);
    const { viewMatrix: m, projectionMatrix, viewer } = shadowed.view;
    const eye: Vec3 = [viewer[0], viewer[1], viewer[2]];
    let [dark, wrong, lit] = [0, 0, 0];
    for (let row = 0; row < SIZE.heightPx; row++) {
      for (let column = 0; column < SIZE.widthPx; column++) {
        const x = ((2 * (column + 0.5)) / SIZE.widthPx - 1) / projectionMatrix[0]!;
        const y = (1 - (2 * (row + 0.5)) / SIZE.heightPx) / projectionMatrix[5]!;
        const ray = [0, 1, 2].map(
          (i) => m[4 * i]! * x + m[4 * i + 1]! * y - m[4 * i + 2]!,
        ) as unknown as Vec3;
        const t = -eye[1] / ray[1];
        const at: Vec3 = [eye[0] + ray[0] * t, 0, eye[2] + ray[2] * t];
        const isFloor = t > 0 && Math.max(Math.abs(at[0]), Math.abs(at[2])) < 0.99 * HALF_FLOOR;
        if (!isFloor || distanceFromBall(eye, ray) < 0.52) continue;
        const offset = (row * SIZE.widthPx + column) * 4;
        const toLight = towardLight(at);
        if (off![offset]! < 100) continue; // the light does not reach the place anyway
        const isDark = on![offset]! < off![offset]! - 30;
        const expected = distanceFromBall(at, toLight);
        if (Math.abs(expected - 0.5) < 0.04) continue; // the edge, which is soft
        if (expected < 0.5) dark++;
        else lit++;
        if (isDark !== expected < 0.5) wrong++;
        if (!isDark && expected > 0.5) expect(on![offset]).toBe(off![offset]);
      }
    }
    expect(dark).toBeGreaterThan(100);
    expect(lit).toBeGreaterThan(1000);
    expect(wrong).toBe(0);
  });

  it('have the same bytes on five chiplets', async () => {
    const scene = { light: { type: 'point', intensity: 30 }, translation: [1.5, 3, 1] } as const;
    const { frame } = await importScene(scene, true);
    const one = gpu.renderNow(frame).image!;
    const options = { timing: 'cycle', coupling: 'exact' } as const;
    const { image } = await new LocalGpu({ chipletCount: 5 }).render(frame, options);
    expect(Buffer.compare(image.rgba, one.rgba)).toBe(0);
  });
});
