/**
 * Plants of a meadow as cards: textured quads whose shape is the alpha of their texture. Lengths
 * are in meters.
 */
import { cos, PI, sin } from '../../math/deterministic-math.ts';
import { addVec3, normalizeVec3, scaleVec3, subtractVec3, type Vec3 } from '../../math/vector.ts';
import type { Mesh } from '../mesh.ts';
import { fractalNoise } from '../noise.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { PLANT_CELLS } from './meadow-textures.ts';

/** Half of the edge of the meadow. */
export const MEADOW_HALF_EDGE = 48;

/** Quad of a plant. */
export interface PlantCard {
  /** Middle of the lower edge. */
  readonly root: Vec3;
  /** From the root to the right end of the lower edge. */
  readonly right: Vec3;
  readonly up: Vec3;
  readonly normal: Vec3;
  readonly cell: number;
}

/** Tree: a trunk at a place, and the cards of its leaves. */
export interface MeadowTree {
  readonly root: Vec3;
  readonly height: number;
  readonly leaves: readonly PlantCard[];
}

/** Returns the height of the ground. */
export function meadowHeight(x: number, z: number, seed: number): number {
  return 5 * fractalNoise(x / 30 + 30, z / 30 + 30, seed, 3) - 2.5;
}

/**
 * Returns tufts of grass and flowers, each of three crossed cards. They are densest near the
 * viewer, who looks along −z, and a part of them is behind.
 */
export function makeGrass(seed: number, tufts: number, viewer: Vec3): PlantCard[] {
  const random = seededRandom(seed);
  const cards: PlantCard[] = [];
  while (cards.length < 3 * tufts) {
    const share = random.next();
    const distance = 2.4 + 66 * Math.sqrt(share) * (0.35 + 0.65 * share);
    const bearing = random.next() < 0.75 ? random.between(-1, 1) : random.between(-PI, PI);
    const [x, z] = [viewer[0] + distance * sin(bearing), viewer[2] - distance * cos(bearing)];
    if (Math.max(Math.abs(x), Math.abs(z)) >= MEADOW_HALF_EDGE) continue;
    const root: Vec3 = [x, meadowHeight(x, z, seed) - 0.05, z];
    // Flowers grow in groups.
    const isFlower = fractalNoise(x / 7 + 60, z / 7 + 60, seed + 5, 2) > 0.42;
    const cell = isFlower && random.next() < 0.6 ? 2 : random.next() < 0.7 ? 0 : 1;
    const height = random.between(0.5, 0.9) * (cell === 1 ? 1.4 : 1);
    const turn = random.between(0, PI);
    for (let side = 0; side < 3; side++) {
      const angle = turn + (side * PI) / 3;
      const half = 0.42 * height;
      cards.push({
        root,
        right: [half * cos(angle), 0, half * sin(angle)],
        up: [random.between(-0.1, 0.1), height, random.between(-0.1, 0.1)],
        normal: [0, 1, 0],
        cell,
      });
    }
  }
  return cards;
}

/** Returns trees, none nearer to the viewer than a few meters. */
export function makeTrees(
  seed: number,
  count: number,
  leavesPerTree: number,
  viewer: Vec3,
): MeadowTree[] {
  const random = seededRandom(seed + 77);
  const trees: MeadowTree[] = [];
  while (trees.length < count) {
    const x = random.between(-MEADOW_HALF_EDGE, MEADOW_HALF_EDGE);
    const z = random.between(-MEADOW_HALF_EDGE, MEADOW_HALF_EDGE);
    if ((x - viewer[0]) ** 2 + (z - viewer[2]) ** 2 < 81) continue;
    const root: Vec3 = [x, meadowHeight(x, z, seed) - 0.2, z];
    const height = random.between(5, 8.5);
    const leaves = Array.from({ length: leavesPerTree }, () => makeLeaf(random, root, height));
    trees.push({ root, height, leaves });
  }
  return trees;
}

/** Returns a card in the crown of a tree; its normal points away from the middle of the crown. */
function makeLeaf(random: SeededRandom, root: Vec3, height: number): PlantCard {
  const direction = normalizeVec3([
    random.between(-1, 1),
    random.between(-0.8, 1),
    random.between(-1, 1),
  ]);
  const crown = addVec3(root, [0, height, 0]);
  const radius = 0.36 * height * Math.sqrt(random.between(0.3, 1));
  const center = addVec3(crown, scaleVec3(direction, radius));
  const size = random.between(0.45, 0.8);
  const [turn, tilt] = [random.between(0, 2 * PI), random.between(-1, 1)];
  const right: Vec3 = [size * cos(turn), size * 0.4 * tilt, size * sin(turn)];
  const up: Vec3 = [
    -2 * size * sin(tilt) * sin(turn),
    2 * size * cos(tilt),
    2 * size * sin(tilt) * cos(turn),
  ];
  return {
    root: subtractVec3(center, scaleVec3(up, 0.5)),
    right,
    up,
    normal: normalizeVec3(addVec3(direction, [0, 0.35, 0])),
    cell: 3,
  };
}

/** Returns the mesh of cards in their order. */
export function meshOfCards(cards: readonly PlantCard[]): Mesh {
  const vertices = new Float32Array(cards.length * 4 * 8);
  const indices = new Uint32Array(cards.length * 6);
  cards.forEach(({ root, right, up, normal, cell }, i) => {
    for (const [corner, a, b] of [
      [0, -1, 0],
      [1, 1, 0],
      [2, 1, 1],
      [3, -1, 1],
    ] as const) {
      const position = addVec3(addVec3(root, scaleVec3(right, a)), scaleVec3(up, b));
      // Half a texel of the first levels stays clear of the next cell.
      const u = (cell + (a < 0 ? 0.02 : 0.98)) / PLANT_CELLS.length;
      const v = b === 0 ? 0.02 : 0.98;
      vertices.set([...position, ...normal, u, v], (4 * i + corner) * 8);
    }
    const first = 4 * i;
    indices.set([first, first + 1, first + 2, first, first + 2, first + 3], 6 * i);
  });
  return { vertices, indices };
}
