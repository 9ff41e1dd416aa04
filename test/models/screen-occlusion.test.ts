/** Occlusion by what the image shows against rays from the surfaces into all of the scene. */

import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { makeBoxScene, type SceneBox } from './box-scene.ts';
import { firstHit, tracedVisibility, type Vec3 } from './trace-boxes.ts';

const SIZE = { widthPx: 240, heightPx: 180 };
const gpu = new LocalGpu({ chipletCount: 1 });
const bright = { widthPx: 8, heightPx: 4, rgb: new Float32Array(96).fill(1) };
const environment = filterEnvironment({ kind: 'panorama', image: bright }, (frame) =>
  gpu.renderNow(frame),
);

/** Reflects all light diffusely. */
const DIFFUSE = {
  pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 },
  extensions: { KHR_materials_specular: { specularFactor: 0 } },
};
/** Lets all light pass, straight on. */
const CLEAR = {
  pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0 },
  extensions: {
    KHR_materials_specular: { specularFactor: 0 },
    KHR_materials_ior: { ior: 1 },
    KHR_materials_transmission: { transmissionFactor: 1 },
  },
};
const BLENDED = { ...DIFFUSE, alphaMode: 'BLEND' };
const FRAMING = { orbit: { azimuthDegrees: 30, elevationDegrees: 35, distanceFactor: 1 } };

const FLOOR: SceneBox = { center: [0, -0.05, 0], size: [3, 0.1, 3] };
const BOX: SceneBox = { center: [0, 0.4, 0], size: [0.8, 0.8, 0.8] };
const WALL: SceneBox = { center: [0, 1.45, -1.5], size: [3, 2.9, 0.1] };
/**
 * Distance at which rays stop to count, for scenes as wide as the floor. Their weight falls to 0
 * from half of it on. It is 0.8 of the radius of the shader, in which a horizon fades sooner.
 */
const RAY_LENGTH = 3 * 0.25 * 0.8;

type Imported = Awaited<ReturnType<typeof importBoxes>>;

function importBoxes(
  boxes: readonly SceneBox[],
  hasScreenOcclusion: boolean,
  options: Partial<{
    samples: number;
    framing: Parameters<typeof importGltf>[1]['framing'];
    images: readonly string[];
  }> = {},
) {
  const { samples = 1, framing = FRAMING, images } = options;
  const bytes = makeBoxScene(
    boxes.map((box) => ({ material: DIFFUSE, ...box })),
    images,
  );
  return importGltf(
    { kind: 'glb', bytes },
    {
      ...SIZE,
      framing,
      look: {
        environment: { kind: 'filtered', environment },
        background: { kind: 'transparent' },
        exposure: 0.9,
        toneMapping: 'linear',
        hasShadows: false,
        hasScreenOcclusion,
        samples,
      },
    },
  );
}

/** Returns decoded red of each pixel, row by row from the top. */
function radianceOf({ frame }: Imported): Float64Array {
  const { rgba } = gpu.renderNow(frame).image!;
  return Float64Array.from({ length: rgba.length / 4 }, (_, i) => {
    const share = rgba[4 * i]! / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

/** Returns the visibility of each pixel, row by row from the top, as the passes computed it. */
function visibilityOf({ frame }: Imported): Float64Array {
  const { u_visibility } = frame.passes.at(-1)!.draws[0]!.textures;
  const { levels } = gpu.renderNow(frame).drawnTextures.get(u_visibility!.textureIndex)!;
  const values = new Float32Array(levels[0]!.slice().buffer);
  const { widthPx, heightPx } = SIZE;
  return Float64Array.from({ length: widthPx * heightPx }, (_, i) => {
    const [row, column] = [Math.floor(i / widthPx), i % widthPx];
    const at = 2 * ((heightPx - 1 - row) * widthPx + column);
    // Without a surface z is 0.
    return values[at + 1] === 0 ? 1 : values[at]!;
  });
}

/** Lists every n-th pixel that shows a box, with the place and its normal. */
function listPixels({ view }: Imported, boxes: readonly SceneBox[], every = 1) {
  const { viewMatrix: m, projectionMatrix, viewer } = view;
  const eye: Vec3 = [viewer[0], viewer[1], viewer[2]];
  const pixels: { index: number; place: Vec3; normal: Vec3; box: SceneBox }[] = [];
  for (let row = 0; row < SIZE.heightPx; row += every) {
    for (let column = 0; column < SIZE.widthPx; column += every) {
      const x = ((2 * (column + 0.5)) / SIZE.widthPx - 1) / projectionMatrix[0]!;
      const y = (1 - (2 * (row + 0.5)) / SIZE.heightPx) / projectionMatrix[5]!;
      const ray = [0, 1, 2].map(
        (i) => m[4 * i]! * x + m[4 * i + 1]! * y - m[4 * i + 2]!,
      ) as unknown as Vec3;
      const { distance, normal, box } = firstHit(boxes, eye, ray);
      if (box === null) continue;
      const place = eye.map((value, i) => value + ray[i]! * distance) as unknown as Vec3;
      pixels.push({ index: row * SIZE.widthPx + column, place, normal, box });
    }
  }
  return pixels;
}

describe('occlusion by the screen', () => {
  it.each([
    ['a box on a floor', [FLOOR, BOX]],
    ['a floor and a wall', [FLOOR, WALL]],
  ] as const)('of %s is that of rays', async (_name, boxes) => {
    const imported = await importBoxes(boxes, true);
    const visibility = visibilityOf(imported);
    const pixels = listPixels(imported, boxes, 3);
    const errors: number[] = [];
    let occluded = 0;
    for (const { index, place, normal } of pixels) {
      const expected = tracedVisibility(boxes, place, normal, RAY_LENGTH);
      if (expected < 0.95) occluded++;
      errors.push(Math.abs(visibility[index]! - expected));
    }
    errors.sort((a, b) => a - b);
    expect(occluded).toBeGreaterThan(100);
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.01);
    expect(errors[Math.floor(0.95 * errors.length)]).toBeLessThan(0.05);
    expect(errors[Math.floor(0.99 * errors.length)]).toBeLessThan(0.1);
  });

  it('is a half in the corner of two planes', async () => {
    const framing = {
      orbit: { azimuthDegrees: 20, elevationDegrees: 40, distanceFactor: 0.15 },
      target: [0, 0, -1.45],
    } as const;
    const boxes = [FLOOR, WALL];
    const imported = await importBoxes(boxes, true, { framing });
    const visibility = visibilityOf(imported);
    const corner = listPixels(imported, boxes).filter(
      ({ place: [x, y, z] }) => Math.abs(x) < 0.2 && Math.max(y, z + 1.45) < 0.02,
    );
    const sum = corner.reduce((total, { index }) => total + visibility[index]!, 0);
    expect(corner.length).toBeGreaterThan(200);
    expect(Math.abs(sum / corner.length - 0.5)).toBeLessThan(0.05);
    for (const { index } of corner) expect(Math.abs(visibility[index]! - 0.5)).toBeLessThan(0.1);
  });

  it.each([
    ['ball', { ...BOX, shape: 'ball' }],
    ['box', BOX],
  ] as const)('leaves a convex %s visible', async (_shape, box) => {
    const imported = await importBoxes([box], true);
    const visibility = visibilityOf(imported);
    expect(Math.min(...visibility)).toBeGreaterThan(0.97);
    const [on, off] = [radianceOf(imported), radianceOf(await importBoxes([box], false))];
    expect(on.filter((value, i) => value < off[i]! * 0.97)).toHaveLength(0);
    expect(off.filter((value) => value > 0.8).length).toBeGreaterThan(2000);
  });

  it.each([
    ['glass', CLEAR],
    ['blended', BLENDED],
  ])('is not by %s surfaces', async (_name, material) => {
    const visibility = visibilityOf(await importBoxes([FLOOR, { ...BOX, material }], true));
    expect(Math.min(...visibility)).toBeGreaterThan(0.99999);
  });

  it('is a factor of diffuse light', async () => {
    const boxes = [FLOOR, BOX];
    const imported = await importBoxes(boxes, true);
    const [on, off] = [radianceOf(imported), radianceOf(await importBoxes(boxes, false))];
    const visibility = visibilityOf(imported);
    const errors = listPixels(imported, boxes).map(({ index }) =>
      Math.abs(on[index]! - off[index]! * visibility[index]!),
    );
    expect(errors.length).toBeGreaterThan(5000);
    expect(Math.max(...errors)).toBeLessThan(0.01); // a step of 255 near white
  });

  it('is combined with occlusion textures by the darker one', async () => {
    const gray = { widthPx: 1, heightPx: 1, rgba: Uint8Array.of(179, 179, 179, 255) };
    const png = Buffer.from(await encodePng(gray)).toString('base64');
    const images = [`data:image/png;base64,${png}`];
    const material = { ...DIFFUSE, occlusionTexture: { index: 0 } };
    const boxes = [FLOOR, BOX].map((box) => ({ ...box, material }));
    const imported = await importBoxes(boxes, true, { images });
    const [on, off] = [radianceOf(imported), radianceOf(await importBoxes([FLOOR, BOX], false))];
    const visibility = visibilityOf(imported);
    let darker = 0;
    for (const { index } of listPixels(imported, boxes)) {
      if (visibility[index]! < 179 / 255) darker++;
      const expected = off[index]! * Math.min(visibility[index]!, 179 / 255);
      expect(Math.abs(on[index]! - expected)).toBeLessThan(0.01);
    }
    expect(darker).toBeGreaterThan(100);
  });

  it('is visible behind glass', async () => {
    // A sheet in front of the box, inside of the bounding box of the scene.
    const boxes = [FLOOR, { ...BOX, center: [0, 0.4, 0.8] as const }];
    const sheet: SceneBox = { center: [0, 0.4, 1.3], size: [2.4, 0.8, 0.02], material: CLEAR };
    const through = await importBoxes([...boxes, sheet], true);
    const [on, off] = [
      radianceOf(through),
      radianceOf(await importBoxes([...boxes, sheet], false)),
    ];
    const visibility = visibilityOf(through);
    let [glassy, occluded] = [0, 0];
    for (const { index, box } of listPixels(through, [...boxes, sheet])) {
      if (box !== sheet) continue;
      glassy++;
      if (visibility[index]! < 0.8) occluded++;
      // The filter of the image behind blurs edges by a texel.
      const around = [-2, -1, 0, 1, 2].flatMap((row) =>
        [-2, -1, 0, 1, 2].map((column) => visibility[index + row * SIZE.widthPx + column]!),
      );
      expect(on[index]).toBeGreaterThan(off[index]! * Math.min(...around) - 0.02);
      expect(on[index]).toBeLessThan(off[index]! * Math.max(...around) + 0.02);
    }
    expect(glassy).toBeGreaterThan(1000);
    expect(occluded).toBeGreaterThan(50);
  });

  it.each([4, 8])('is that of the surfaces of a pixel with %i samples', async (samples) => {
    const boxes = [FLOOR, BOX];
    const imported = await importBoxes(boxes, true, { samples });
    const plain = await importBoxes(boxes, false, { samples });
    const [on, off, visibility] = [radianceOf(imported), radianceOf(plain), visibilityOf(imported)];
    for (const { index } of listPixels(imported, boxes)) {
      const around = [-SIZE.widthPx, 0, SIZE.widthPx].flatMap((row) =>
        [-1, 0, 1].map((column) => visibility[index + row + column] ?? 1),
      );
      expect(on[index]).toBeGreaterThanOrEqual(off[index]! * Math.min(...around) - 0.01);
      expect(on[index]).toBeLessThanOrEqual(off[index]! * Math.max(...around) + 0.01);
    }
  });

  it.each([3, 5])('has the same bytes on %i chiplets', async (chipletCount) => {
    const { frame } = await importBoxes([FLOOR, BOX], true, { samples: 4 });
    const one = gpu.renderNow(frame).image!;
    const options = { timing: 'cycle', coupling: 'exact' } as const;
    const { image } = await new LocalGpu({ chipletCount }).render(frame, options);
    expect(Buffer.compare(image.rgba, one.rgba)).toBe(0);
  });
});
