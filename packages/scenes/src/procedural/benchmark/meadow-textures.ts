/** Texture of plants: cells of grass, flowers, ferns and leaves, whose alpha is their shape. */
import type { TextureImage } from '../../build/frame-builder.ts';
import { cos, PI, sin } from '../../math/deterministic-math.ts';
import { valueNoise } from '../noise.ts';
import { seededRandom } from '../seeded-random.ts';

/** Cells of the texture from left to right. */
export const PLANT_CELLS = ['grass', 'tall grass', 'flowers', 'leaves'] as const;

const CELL_PX = 128;

/** Shape in a cell: coordinates from 0 at the lower left to 1. */
interface Shape {
  readonly contains: (x: number, y: number) => boolean;
  readonly color: readonly [red: number, green: number, blue: number];
}

/** Returns the texture, with mipmap levels that the chiplet generates. */
export function makePlantTexture(seed: number): TextureImage {
  const cells = [
    makeBlades(seed, 11, 0.75),
    makeBlades(seed + 1, 8, 0.98),
    [...makeBlades(seed + 2, 7, 0.7), ...makeBlossoms(seed + 3)],
    makeLeaves(seed + 4),
  ];
  const widthPx = CELL_PX * cells.length;
  const texels = new Uint8Array(widthPx * CELL_PX * 4);
  cells.forEach((shapes, cell) => {
    for (let y = 0; y < CELL_PX; y++) {
      for (let x = 0; x < CELL_PX; x++) {
        const [u, v] = [(x + 0.5) / CELL_PX, (y + 0.5) / CELL_PX];
        const shape = shapes.findLast(({ contains }) => contains(u, v));
        // Texels outside have a color near that of the plant, which filters mix in.
        const [red, green, blue] = shape?.color ?? [70, 104, 40];
        const grain = 0.8 + 0.3 * valueNoise(x / 3, y / 9, seed + 9);
        const light = grain * (cell === 3 ? 1 : 0.45 + 0.65 * v);
        texels.set(
          [red, green, blue].map((level) => Math.min(255, Math.floor(level * light))),
          (y * widthPx + cell * CELL_PX + x) * 4,
        );
        texels[(y * widthPx + cell * CELL_PX + x) * 4 + 3] = shape === undefined ? 0 : 255;
      }
    }
  });
  return {
    format: 'rgba8unorm-srgb',
    widthPx,
    heightPx: CELL_PX,
    levels: [texels],
    isMipmapGenerated: true,
  };
}

/** Returns blades of grass that bend to a side and end in a point. */
function makeBlades(seed: number, count: number, height: number): Shape[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const root = 0.12 + (0.76 * (i + 0.5)) / count;
    const bend = random.between(-0.22, 0.22);
    const top = height * random.between(0.6, 1);
    const halfWidth = random.between(0.02, 0.036);
    const shade = random.between(0.8, 1.15);
    return {
      contains: (x, y) => {
        const share = y / top;
        if (share > 1) return false;
        return Math.abs(x - root - bend * share * share) < halfWidth * (1.05 - share);
      },
      color: [96 * shade, 150 * shade, 52 * shade],
    };
  });
}

/** Returns blossoms on stems. */
function makeBlossoms(seed: number): Shape[] {
  const random = seededRandom(seed);
  return Array.from({ length: 6 }, (_, i): Shape[] => {
    const [centerX, centerY] = [
      0.15 + 0.14 * i + random.between(-0.04, 0.04),
      random.between(0.5, 0.93),
    ];
    const radius = random.between(0.03, 0.05);
    const isDaisy = i % 2 === 0;
    const squared = (x: number, y: number): number => (x - centerX) ** 2 + (y - centerY) ** 2;
    return [
      {
        contains: (x, y) => y < centerY && Math.abs(x - centerX) < 0.014,
        color: [84, 128, 48],
      },
      {
        contains: (x, y) => squared(x, y) < radius * radius,
        color: isDaisy ? [244, 238, 226] : [232, 84, 104],
      },
      {
        contains: (x, y) => squared(x, y) < (0.4 * radius) ** 2,
        color: [240, 196, 60],
      },
    ];
  }).flat();
}

/** Returns a bunch of pointed leaves. */
function makeLeaves(seed: number): Shape[] {
  const random = seededRandom(seed);
  return Array.from({ length: 34 }, () => {
    const [centerX, centerY] = [random.between(0.14, 0.86), random.between(0.14, 0.86)];
    const angle = random.between(0, 2 * PI);
    const [c, s] = [cos(angle), sin(angle)];
    const length = random.between(0.09, 0.13);
    const shade = random.between(0.6, 1.15);
    return {
      contains: (x, y) => {
        const along = ((x - centerX) * c + (y - centerY) * s) / length;
        const across = ((y - centerY) * c - (x - centerX) * s) / length;
        return Math.abs(along) < 1 && Math.abs(across) < 0.45 * (1 - along * along);
      },
      color: [92 * shade, 140 * shade, 48 * shade],
    };
  });
}
