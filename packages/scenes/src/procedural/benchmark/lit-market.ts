/**
 * A square with arcades at night: columns and arches around it, stalls and statues in the middle,
 * and the lamps that light it. Lengths are in meters.
 */
import { cos, PI, sin } from '../../math/deterministic-math.ts';
import type { Vec3 } from '../../math/vector.ts';
import { type Mesh, makeFloor, makeSphere, makeTorusKnot } from '../mesh.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { MeshWriter, makeLathe } from './mesh-writer.ts';

/** Materials of the square, in the order in which they are drawn. */
export const MARKET_MATERIALS = ['paving', 'stone', 'cloth', 'metal', 'lamp'] as const;
/** Name of a material of {@link MARKET_MATERIALS}. */
export type MarketMaterial = (typeof MARKET_MATERIALS)[number];

/** Mesh in its place. */
export interface MarketBody {
  readonly mesh: Mesh;
  readonly material: MarketMaterial;
  readonly position: Vec3;
  readonly scale: number;
  /** Linear color that multiplies the material's texture. */
  readonly tint: Vec3;
}

/** Lamp: light that ends at a radius. */
export interface MarketLight {
  readonly position: Vec3;
  readonly radius: number;
  readonly color: Vec3;
}

/** The square. */
export interface Market {
  readonly bodies: readonly MarketBody[];
  readonly lights: readonly MarketLight[];
}

const HALF_EDGE = 26;
const COLUMNS_PER_SIDE = 12;
const LAMP_COLORS: readonly Vec3[] = [
  [1, 0.62, 0.28],
  [1, 0.74, 0.42],
  [1, 0.36, 0.2],
  [0.36, 0.6, 1],
  [0.9, 0.3, 0.75],
  [0.4, 1, 0.7],
];

/** Returns a square with as many lamps. */
export function makeMarket(seed: number, lightCount: number): Market {
  const random = seededRandom(seed);
  const bodies: MarketBody[] = [
    body(makeFloor(HALF_EDGE + 8, 40, 24), 'paving', [0, 0, 0], 1, [1, 1, 1]),
  ];
  addArcades(bodies);
  addStalls(bodies, random);
  addStatues(bodies, random);
  const lights = Array.from({ length: lightCount }, (_, i) => makeLight(random, i));
  const lamp = makeSphere(12, 8);
  for (const { position, color } of lights) bodies.push(body(lamp, 'lamp', position, 0.11, color));
  return { bodies, lights };
}

function body(
  mesh: Mesh,
  material: MarketMaterial,
  position: Vec3,
  scale: number,
  tint: Vec3,
): MarketBody {
  return { mesh, material, position, scale, tint };
}

function addArcades(bodies: MarketBody[]): void {
  const profile = [
    ...[0.62, 0.62, 0.5, 0.44, 0.42].map((radius, i) => [radius, 0.16 * i] as const),
    ...[0.42, 0.41, 0.4, 0.38, 0.36].map((radius, i) => [radius, 1 + i] as const),
    ...[0.36, 0.42, 0.52, 0.6, 0.6].map((radius, i) => [radius, 5.1 + 0.12 * i] as const),
  ];
  const column = makeLathe(profile, 20);
  const arch = makeArch();
  const pitch = (2 * HALF_EDGE) / COLUMNS_PER_SIDE;
  const stone: Vec3 = [0.9, 0.86, 0.78];
  for (let i = 0; i < COLUMNS_PER_SIDE; i++) {
    const along = -HALF_EDGE + (i + 0.5) * pitch;
    for (const [turn, position] of [
      [0, [along, 0, -HALF_EDGE]],
      [0, [along, 0, HALF_EDGE]],
      [1, [-HALF_EDGE, 0, along]],
      [1, [HALF_EDGE, 0, along]],
    ] as const) {
      bodies.push(body(column, 'stone', position, 1, stone));
      const writer = new MeshWriter();
      writer.addMesh(arch, { position: [0, 0, 0], scale: [1, 1, 1], turn: (turn * PI) / 2 });
      bodies.push(body(writer.build(), 'stone', position, 1, stone));
    }
  }
  const wall = new MeshWriter();
  for (const side of [-1, 1]) {
    const [near, far] = [HALF_EDGE + 5, HALF_EDGE + 6];
    const [low, high] = side < 0 ? [-far, -near] : [near, far];
    wall.addBox([-far, 0, low], [far, 12, high], 0.25);
    wall.addBox([low, 0, -far], [high, 12, far], 0.25);
  }
  bodies.push(body(wall.build(), 'stone', [0, 0, 0], 1, [0.7, 0.62, 0.55]));
}

/** Returns the wall over the space between two columns, along the x axis, with a round arch. */
function makeArch(): Mesh {
  const writer = new MeshWriter();
  const steps = 24;
  const half = HALF_EDGE / COLUMNS_PER_SIDE;
  const inner = half - 0.45;
  for (let step = 0; step < steps; step++) {
    const [a, b] = [step, step + 1].map((k) => {
      const angle = PI * (1 - k / steps);
      return [half + inner * cos(angle), 5.6 + 0.8 * inner * sin(angle)] as const;
    }) as [readonly [number, number], readonly [number, number]];
    const top = 8.4;
    for (const z of [-0.4, 0.4]) {
      // Two triangles would not be flat quads: columns of the wall stand on the lower end.
      const low = Math.min(a[1], b[1]);
      const right: Vec3 = [b[0] - a[0], 0, 0];
      const up: Vec3 = [0, top - low, 0];
      if (z > 0) writer.addQuad([a[0], low, z], right, up, 0.25);
      else writer.addQuad([b[0], low, z], [-right[0], 0, 0], up, 0.25);
    }
    writer.addQuad([a[0], a[1], -0.4], [b[0] - a[0], b[1] - a[1], 0], [0, 0, 0.8], 0.25);
  }
  writer.addBox([0, 8.4, -0.6], [2 * half, 8.9, 0.6], 0.25);
  return writer.build();
}

function addStalls(bodies: MarketBody[], random: SeededRandom): void {
  const ball = makeSphere(16, 10);
  for (let row = 0; row < 4; row++) {
    for (let place = 0; place < 5; place++) {
      const position: Vec3 = [-18 + place * 9 + random.between(-1, 1), 0, -16 + row * 9.5];
      const table = new MeshWriter();
      table.addBox([-1.8, 0, -0.7], [1.8, 0.9, 0.7], 0.5);
      for (const [x, z] of [
        [-1.7, -0.9],
        [1.7, -0.9],
        [-1.7, 0.9],
        [1.7, 0.9],
      ] as const) {
        table.addBox([x - 0.05, 0, z - 0.05], [x + 0.05, 2.5, z + 0.05], 0.5);
      }
      bodies.push(body(table.build(), 'metal', position, 1, [0.5, 0.34, 0.22]));
      const roof = new MeshWriter();
      roof.addQuad([-2, 2.4, 1.2], [4, 0, 0], [0, 0.7, -1.2], 0.5);
      roof.addQuad([2, 2.4, -1.2], [-4, 0, 0], [0, 0.7, 1.2], 0.5);
      roof.addQuad([2, 2.39, 1.2], [-4, 0, 0], [0, 0.7, -1.2], 0.5);
      roof.addQuad([-2, 2.39, -1.2], [4, 0, 0], [0, 0.7, 1.2], 0.5);
      const hue = random.pick<Vec3>([
        [0.8, 0.16, 0.12],
        [0.14, 0.3, 0.62],
        [0.85, 0.66, 0.2],
        [0.2, 0.5, 0.3],
      ]);
      bodies.push(body(roof.build(), 'cloth', position, 1, hue));
      for (let ware = 0; ware < 9; ware++) {
        const size = random.between(0.1, 0.2);
        const [x, z] = [random.between(-1.6, 1.6), random.between(-0.5, 0.5)];
        const at: Vec3 = [position[0] + x, 0.9 + size, position[2] + z];
        const tint: Vec3 = [random.between(0.2, 1), random.between(0.1, 0.8), random.next() * 0.4];
        bodies.push(body(ball, random.next() < 0.5 ? 'metal' : 'cloth', at, size, tint));
      }
    }
  }
}

function addStatues(bodies: MarketBody[], random: SeededRandom): void {
  for (const [x, z] of [
    [0, 2.2],
    [-12.5, 12],
    [12.5, 12],
    [-13, -7],
    [13, -7],
  ] as const) {
    const foot = new MeshWriter();
    foot.addBox([-1.1, 0, -1.1], [1.1, 0.3, 1.1], 0.5);
    foot.addBox([-0.8, 0.3, -0.8], [0.8, 1.3, 0.8], 0.5);
    bodies.push(body(foot.build(), 'stone', [x, 0, z], 1, [0.6, 0.6, 0.64]));
    const knot = makeTorusKnot(2, random.integer(1, 2) * 2 + 1, 0.2, 160, 14);
    bodies.push(body(knot, 'metal', [x, 2.3, z], 0.85, [0.95, 0.75, 0.45]));
  }
}

/** Returns a lamp: every third one under an arch, the others over the square. */
function makeLight(random: SeededRandom, index: number): MarketLight {
  const color = LAMP_COLORS[random.integer(0, LAMP_COLORS.length - 1)]!;
  if (index % 3 === 0) {
    const along = random.between(-HALF_EDGE, HALF_EDGE);
    const aside = (index % 2 === 0 ? 1 : -1) * (HALF_EDGE + random.between(1, 3));
    const position: Vec3 = index % 4 < 2 ? [along, 4.4, aside] : [aside, 4.4, along];
    return { position, radius: random.between(9, 12), color };
  }
  const edge = HALF_EDGE - 3;
  const position: Vec3 = [
    random.between(-edge, edge),
    random.between(2.6, 4.6),
    random.between(-edge, edge),
  ];
  return { position, radius: random.between(6, 10), color };
}
