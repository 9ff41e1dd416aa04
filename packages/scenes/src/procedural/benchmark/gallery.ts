/**
 * An open-air gallery: rows of pedestals with sculptures of very different detail, some of them in
 * cases of glass. Lengths are in meters.
 */
import { cos, PI, sin } from '../../math/deterministic-math.ts';
import type { Vec3 } from '../../math/vector.ts';
import { type Mesh, makeFloor, makeSphere, makeTorusKnot } from '../mesh.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { type GallerySurface, OPAQUE_SURFACES } from './gallery-programs.ts';
import { MeshWriter, makeLathe, makeRock } from './mesh-writer.ts';

/** Number of textures that materials choose from. */
export const GALLERY_TEXTURES = 12;

/** Look of a body. */
export interface GalleryMaterial {
  readonly surface: GallerySurface;
  /** Index of the texture, below {@link GALLERY_TEXTURES}. */
  readonly texture: number;
  /** Linear red, green and blue; alpha of glass. */
  readonly tint: readonly [red: number, green: number, blue: number, alpha: number];
}

/** Mesh in its place. */
export interface GalleryBody {
  readonly mesh: Mesh;
  readonly material: GalleryMaterial;
  readonly position: Vec3;
  readonly scale: number;
  /** Angle about the y axis in radians. */
  readonly turn: number;
}

const PITCH = 3.6;
const PEDESTAL_HEIGHT = 1;
const MATERIALS = 36;

/**
 * Returns pedestals with sculptures and the dark stain around their feet, and cases of glass on
 * some of them.
 *
 * @param exhibits Number of pedestals; there are two opaque bodies and a stain for each.
 * @param cases Number of cases, at most that of the exhibits.
 * @param detail Factor on the number of triangles of sculptures, about.
 */
export function makeGallery(
  seed: number,
  exhibits: number,
  cases: number,
  detail: number,
): GalleryBody[] {
  const random = seededRandom(seed);
  const materials = Array.from({ length: MATERIALS }, (_, i) => makeMaterial(random, i, 0.65));
  const stones = Array.from({ length: MATERIALS / 3 }, (_, i) => makeMaterial(random, i, 0.12));
  const sculptures = makeSculptures(seed, Math.sqrt(detail));
  const pedestals = [makePedestal(1), makePedestal(3)];
  const glassCase = makeCase();
  const stain = makeFloor(1.25, 1, 1);
  const glassBall = makeSphere(24, 16);
  const columns = Math.ceil(Math.sqrt(exhibits));
  // Cases are spread evenly over the exhibits.
  const hasCase = (i: number): boolean =>
    Math.floor((i * cases) / exhibits) !== Math.floor(((i + 1) * cases) / exhibits);
  const bodies: GalleryBody[] = [];
  for (let i = 0; i < exhibits; i++) {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const x = (column - (columns - 1) / 2) * PITCH + random.between(-0.5, 0.5);
    const z = (row - (columns - 1) / 2) * PITCH + random.between(-0.5, 0.5);
    const turn = random.between(0, 2 * PI);
    const place = { scale: 1, turn };
    bodies.push({
      ...place,
      mesh: random.pick(pedestals),
      material: random.pick(stones),
      position: [x, 0, z],
    });
    bodies.push({
      ...place,
      mesh: stain,
      material: { surface: 'stain', texture: 0, tint: [0.02, 0.02, 0.03, 0.75] },
      position: [x, 0.012, z],
    });
    bodies.push({
      mesh: pickSculpture(random, sculptures),
      material: random.pick(materials),
      position: [x, PEDESTAL_HEIGHT + 0.62, z],
      scale: 0.58,
      turn: random.between(0, 2 * PI),
    });
    if (!hasCase(i)) continue;
    const tint = [random.between(0.3, 1), random.between(0.5, 1), random.between(0.6, 1), 0.12];
    const isBall = random.next() < 0.3;
    bodies.push({
      ...place,
      mesh: isBall ? glassBall : glassCase,
      material: { surface: 'glass', texture: 0, tint: tint as [number, number, number, number] },
      position: [x, PEDESTAL_HEIGHT + (isBall ? 0.7 : 0), z],
      scale: isBall ? 0.85 : 1,
    });
  }
  return bodies;
}

/** @param colorfulness 0 for grays to 1. */
function makeMaterial(random: SeededRandom, index: number, colorfulness: number): GalleryMaterial {
  const shade = random.between(0.3, 0.8);
  const share = random.next();
  const channel = (shift: number): number => {
    const wave = 0.5 + 0.5 * cos(2 * PI * (share - shift));
    return shade * (1 - colorfulness + colorfulness * wave);
  };
  return {
    surface: OPAQUE_SURFACES[index % OPAQUE_SURFACES.length]!,
    texture: random.integer(0, GALLERY_TEXTURES - 1),
    tint: [channel(0), channel(1 / 3), channel(2 / 3), 1],
  };
}

/** Returns sculptures of a radius of about 1 from the simplest to the most detailed. */
function makeSculptures(seed: number, detail: number): Mesh[] {
  const cells = (count: number): number => Math.max(3, Math.round(count * detail));
  const box = new MeshWriter();
  box.addBox([-0.8, -1, -0.8], [0.8, 0.6, 0.8], 0.5);
  const stack = new MeshWriter();
  for (let i = 0; i < 6; i++) {
    const half = 0.85 - 0.12 * i;
    stack.addBox([-half, -1 + 0.3 * i, -half], [half, -0.72 + 0.3 * i, half], 0.5);
  }
  const wave = Array.from({ length: cells(40) + 1 }, (_, i) => {
    const share = i / cells(40);
    return [0.35 + 0.3 * sin(7 * share) + 0.12 * sin(31 * share), -1 + 2 * share] as const;
  });
  return [
    box.build(),
    stack.build(),
    makeSphere(cells(10), cells(7)),
    makeRock(cells(14), cells(10), seed, 0.7),
    makeLathe(wave, cells(12)),
    makeSphere(cells(32), cells(20)),
    makeTorusKnot(1, 2, 0.28, cells(64), cells(10)),
    makeRock(cells(44), cells(30), seed + 1, 0.55),
    makeLathe(wave, cells(48)),
    makeTorusKnot(2, 3, 0.2, cells(160), cells(16)),
    makeRock(cells(110), cells(70), seed + 2, 0.8),
    makeTorusKnot(3, 7, 0.11, cells(520), cells(22)),
  ];
}

/** Picks a sculpture; detailed ones are rarer. */
function pickSculpture(random: SeededRandom, sculptures: readonly Mesh[]): Mesh {
  const share = random.next();
  return sculptures[Math.floor(share * share * sculptures.length)]!;
}

function makePedestal(steps: number): Mesh {
  const writer = new MeshWriter();
  for (let step = 0; step < steps; step++) {
    const half = 0.75 - 0.12 * step;
    const [low, high] = [step, step + 1].map((k) => (PEDESTAL_HEIGHT * k) / steps) as [
      number,
      number,
    ];
    writer.addBox([-half, low, -half], [half, high, half], 0.6);
  }
  return writer.build();
}

function makeCase(): Mesh {
  const writer = new MeshWriter();
  writer.addBox([-0.7, 0, -0.7], [0.7, 1.5, 0.7], 1);
  return writer.build();
}
