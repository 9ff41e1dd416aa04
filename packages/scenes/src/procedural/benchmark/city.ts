/**
 * A city: blocks of a regular grid of streets, each with buildings and the furniture of its
 * sidewalk. Lengths are in meters.
 */
import type { TextureImage } from '../../build/frame-builder.ts';
import type { Vec3 } from '../../math/vector.ts';
import { makeTexture } from '../made-texture.ts';
import { type Mesh, makeSphere } from '../mesh.ts';
import { hashGridPoint, valueNoise } from '../noise.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { MeshWriter, makeRock } from './mesh-writer.ts';
import { makePalette, type PaletteColors, paletteCoordinate } from './palette.ts';

/** Distance between the centers of two blocks. */
export const BLOCK_PITCH = 60;
/** Edge of a block with its sidewalk; the rest is street. */
const BLOCK_EDGE = 44;
const SIDEWALK = 4;
const FLOOR_HEIGHT = 3.5;
/** Windows of a facade texture in each direction; a texture spans that many floors. */
const WINDOWS = 4;
const FACADE_EDGE_PX = 128;

/** Fixed texture coordinate of the wall between windows. */
const WALL = [0.01, 0.01] as const;

/** Colors of the furniture: names are indices of {@link makeFurniturePalette}. */
const COLORS = {
  ...{ pavement: 0, trunk: 1, leaves: 2, darkLeaves: 3, steel: 4, lamp: 5, tires: 6, glass: 7 },
  ...{ firstCar: 8, lastCar: 15 },
};

/** Block of the city. */
export interface CityBlock {
  readonly center: Vec3;
  /** Index of the facade texture. */
  readonly facade: number;
  readonly tint: Vec3;
  readonly buildings: Mesh;
  readonly furniture: Mesh;
  /** Height of the highest building. */
  readonly height: number;
}

/** Returns the blocks of a city, row by row. */
export function makeCity(
  seed: number,
  columns: number,
  rows: number,
  facades: number,
): CityBlock[] {
  const blocks: CityBlock[] = [];
  const crowns = [makeRock(7, 5, seed, 0.5), makeRock(7, 5, seed + 1, 0.5)];
  const tank = makeSphere(10, 6);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const random = seededRandom(seed * 7919 + row * 101 + column);
      const center: Vec3 = [
        (column - (columns - 1) / 2) * BLOCK_PITCH,
        0,
        (row - (rows - 1) / 2) * BLOCK_PITCH,
      ];
      // Buildings are higher in the middle of the city.
      const middle = 1 - Math.abs(2 * (row / rows) - 0.7);
      const { mesh, height } = makeBuildings(random, 0.35 + 0.65 * Math.max(0, middle), tank);
      const shade = random.between(0.75, 1.1);
      blocks.push({
        center,
        facade: random.integer(0, facades - 1),
        tint: [shade, shade * random.between(0.9, 1), shade * random.between(0.8, 1)],
        buildings: mesh,
        furniture: makeFurniture(random, crowns),
        height,
      });
    }
  }
  return blocks;
}

function makeBuildings(
  random: SeededRandom,
  density: number,
  tank: Mesh,
): { readonly mesh: Mesh; readonly height: number } {
  const writer = new MeshWriter();
  const lots = random.integer(1, 3);
  const inner = BLOCK_EDGE - 2 * SIDEWALK;
  const lotEdge = inner / lots;
  let highest = 0;
  for (let lotZ = 0; lotZ < lots; lotZ++) {
    for (let lotX = 0; lotX < lots; lotX++) {
      if (lots === 3 && lotX === 1 && lotZ === 1) continue; // a yard
      const floors = Math.round(
        random.between(3, 4 + 22 * density * random.next() + 4 * (3 - lots)),
      );
      const x = -inner / 2 + (lotX + 0.5) * lotEdge;
      const z = -inner / 2 + (lotZ + 0.5) * lotEdge;
      const top = addTower(writer, random, x, z, lotEdge / 2 - random.between(0, 1.5), floors);
      if (random.next() < 0.5) {
        const position: Vec3 = [x + random.between(-3, 3), top + 2, z + random.between(-3, 3)];
        writer.addMesh(tank, { position, scale: [1.6, 2, 1.6], texCoord: WALL });
      }
      highest = Math.max(highest, top + 4);
    }
  }
  return { mesh: writer.build(), height: highest };
}

/** Adds a building in one to three steps, with a ledge on each floor. Returns its height. */
function addTower(
  writer: MeshWriter,
  random: SeededRandom,
  x: number,
  z: number,
  halfEdge: number,
  floors: number,
): number {
  const texture = 1 / (WINDOWS * FLOOR_HEIGHT);
  const steps = floors > 14 ? random.integer(2, 3) : 1;
  let half = halfEdge;
  let floor = 0;
  for (let step = 0; step < steps; step++) {
    const until = step === steps - 1 ? floors : Math.round((floors * (step + 1)) / steps);
    const [bottom, top] = [floor * FLOOR_HEIGHT, until * FLOOR_HEIGHT];
    writer.addBox([x - half, bottom, z - half], [x + half, top, z + half], texture);
    const out = half + 0.35;
    for (; floor < until; floor++) {
      const y = (floor + 1) * FLOOR_HEIGHT;
      const isRoof = floor === until - 1;
      const rise = isRoof ? 0.9 : 0.12;
      writer.addBox([x - out, y - 0.25, z - out], [x + out, y + rise, z + out], WALL);
    }
    half *= random.between(0.6, 0.85);
  }
  const top = floors * FLOOR_HEIGHT + 0.9;
  for (let box = random.integer(1, 4); box > 0; box--) {
    const [bx, bz] = [x + random.between(-0.6, 0.6) * half, z + random.between(-0.6, 0.6) * half];
    const [w, h] = [random.between(0.6, 1.8), random.between(0.8, 2.4)];
    writer.addBox([bx - w, top, bz - w], [bx + w, top + h, bz + w], WALL);
  }
  return top;
}

/** Returns the sidewalk, trees, lamps and parked cars of a block. */
function makeFurniture(random: SeededRandom, crowns: readonly Mesh[]): Mesh {
  const writer = new MeshWriter();
  const half = BLOCK_EDGE / 2;
  writer.addBox([-half, 0, -half], [half, 0.15, half], paletteCoordinate(COLORS.pavement));
  for (const [sideX, sideZ] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    /** Returns the point `along` the side, and `out` of the middle of the block. */
    const at = (along: number, out: number): readonly [x: number, z: number] => [
      sideX * out + sideZ * along,
      sideZ * out + sideX * along,
    ];
    for (let place = -2; place <= 2; place++) {
      const along = place * 8.5 + random.between(-1, 1);
      if (place % 2 === 0) addTree(writer, random, at(along, half - 1.2), crowns);
      else addLamp(writer, at(along, half - 0.7), [sideX, sideZ]);
      if (random.next() < 0.6) addCar(writer, random, at(along + 4, half + 1.6), sideX !== 0);
    }
  }
  return writer.build();
}

function addTree(
  writer: MeshWriter,
  random: SeededRandom,
  [x, z]: readonly [x: number, z: number],
  crowns: readonly Mesh[],
): void {
  const height = random.between(3, 5.5);
  const trunk = paletteCoordinate(COLORS.trunk);
  writer.addBox([x - 0.15, 0, z - 0.15], [x + 0.15, height, z + 0.15], trunk);
  const size = random.between(1.4, 2.2);
  writer.addMesh(random.pick(crowns), {
    position: [x, height + 0.7 * size, z],
    scale: [size, 1.3 * size, size],
    turn: random.between(0, 6),
    texCoord: paletteCoordinate(random.pick([COLORS.leaves, COLORS.darkLeaves])),
  });
}

function addLamp(
  writer: MeshWriter,
  [x, z]: readonly [x: number, z: number],
  [outX, outZ]: readonly [number, number],
): void {
  const steel = paletteCoordinate(COLORS.steel);
  writer.addBox([x - 0.08, 0, z - 0.08], [x + 0.08, 6, z + 0.08], steel);
  const [headX, headZ] = [x + 0.9 * outX, z + 0.9 * outZ];
  const lamp = paletteCoordinate(COLORS.lamp);
  writer.addBox([headX - 0.5, 5.9, headZ - 0.5], [headX + 0.5, 6.05, headZ + 0.5], lamp);
}

function addCar(
  writer: MeshWriter,
  random: SeededRandom,
  [x, z]: readonly [x: number, z: number],
  isAlongZ: boolean,
): void {
  const [halfX, halfZ] = isAlongZ ? [0.9, 2.2] : [2.2, 0.9];
  const paint = paletteCoordinate(random.integer(COLORS.firstCar, COLORS.lastCar));
  const [glass, tires] = [paletteCoordinate(COLORS.glass), paletteCoordinate(COLORS.tires)];
  writer.addBox([x - halfX, 0.05, z - halfZ], [x + halfX, 0.4, z + halfZ], tires);
  writer.addBox([x - halfX, 0.4, z - halfZ], [x + halfX, 0.95, z + halfZ], paint);
  const [cabinX, cabinZ] = isAlongZ ? [0.75, 1.1] : [1.1, 0.75];
  writer.addBox([x - cabinX, 0.95, z - cabinZ], [x + cabinX, 1.5, z + cabinZ], glass);
}

/** Returns the texture of the furniture. */
export function makeFurniturePalette(): TextureImage {
  const colors: PaletteColors = [
    ...([
      [150, 146, 140],
      [84, 62, 46],
      [88, 122, 58],
      [62, 98, 50],
    ] as const),
    ...([
      [70, 74, 78],
      [250, 244, 220],
      [26, 26, 28],
      [34, 44, 54],
    ] as const),
    ...([
      [178, 34, 38],
      [226, 226, 222],
      [40, 44, 52],
      [54, 88, 150],
    ] as const),
    ...([
      [236, 190, 52],
      [112, 118, 122],
      [46, 104, 84],
      [150, 92, 56],
    ] as const),
  ];
  return makePalette(colors, 24);
}

/** Returns a facade with windows of which some are lit from within. */
export function makeFacade(seed: number): TextureImage {
  const walls: readonly Vec3[] = [
    [176, 150, 128],
    [192, 188, 180],
    [150, 112, 98],
    [120, 132, 142],
    [208, 192, 160],
    [158, 162, 160],
  ];
  const wall = walls[seed % walls.length]!;
  const windowPx = FACADE_EDGE_PX / WINDOWS;
  const [marginX, marginY] = seed % 2 === 0 ? [7, 8] : [3, 9];
  return makeTexture(FACADE_EDGE_PX, 'rgba8unorm-srgb', true, (x, y) => {
    const [inX, inY] = [x % windowPx, y % windowPx];
    const isWindow =
      inX >= marginX && inX < windowPx - marginX && inY >= marginY && inY < windowPx - marginY;
    const grain = 0.88 + 0.12 * valueNoise(x / 2, y / 2, seed + 40);
    if (!isWindow) return [wall[0] * grain, wall[1] * grain, wall[2] * grain, 40];
    const cell = hashGridPoint(Math.floor(x / windowPx), Math.floor(y / windowPx), seed);
    if (cell < 0.12) return [214, 190, 140, 40];
    const pane = 0.7 + 0.5 * cell;
    return [44 * pane, 58 * pane, 74 * pane, 230];
  });
}

/** Returns the asphalt of one block and its streets, with markings in their middles. */
export function makeAsphalt(seed: number): TextureImage {
  const edgePx = 256;
  const perMeter = edgePx / BLOCK_PITCH;
  return makeTexture(edgePx, 'rgba8unorm-srgb', true, (x, y) => {
    const grain = 54 + 26 * valueNoise(x / 3, y / 3, seed) + 12 * hashGridPoint(x, y, seed);
    const isMarked = (across: number, along: number): boolean => {
      const meters = along / perMeter;
      const isDash = meters % 6 < 3.2 && meters > 9 && meters < BLOCK_PITCH - 9;
      return (across < 1 || across >= edgePx - 1) && isDash;
    };
    if (isMarked(x, y) || isMarked(y, x)) return [214, 206, 180, 20];
    return [grain, grain, grain * 1.04, 30];
  });
}
