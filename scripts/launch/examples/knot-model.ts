/** Example of a model: a knotted tube. */
import { makeModelGlb } from '@tessera/scenes/model-writer';

type Vec3 = readonly [number, number, number];

const SEGMENTS = 192;
const SIDES = 24;
const TUBE_RADIUS = 0.28;
/** Number of times the curve winds around the axis and around the ring. */
const WINDS_AXIS = 2;
const WINDS_RING = 3;

/** Returns the model as .glb. */
export async function makeKnotModel(): Promise<Uint8Array> {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < SEGMENTS; i++) {
    const angle = (2 * Math.PI * i) / SEGMENTS;
    const center = curvePoint(angle);
    const along = normalize(subtract(curvePoint(angle + 0.01), curvePoint(angle - 0.01)));
    // A coordinate frame that turns with the curve: the direction away from the axis, made
    // orthogonal to the tangent.
    const side = normalize(cross(along, center));
    const up = cross(side, along);
    for (let j = 0; j < SIDES; j++) {
      const turn = (2 * Math.PI * j) / SIDES;
      const normal = combine(side, Math.cos(turn), up, Math.sin(turn));
      normals.push(...normal);
      positions.push(...combine(center, 1, normal, TUBE_RADIUS));
      const nextSegment = ((i + 1) % SEGMENTS) * SIDES;
      const nextSide = (j + 1) % SIDES;
      const [a, b] = [i * SIDES + j, i * SIDES + nextSide];
      const [c, d] = [nextSegment + j, nextSegment + nextSide];
      indices.push(a, c, b, b, c, d);
    }
  }
  return makeModelGlb({
    positions,
    normals,
    indices,
    baseColor: [0.85, 0.45, 0.12, 1],
    edit: (document) => {
      for (const material of document.getRoot().listMaterials()) {
        material.setMetallicFactor(0).setRoughnessFactor(0.4);
      }
    },
  });
}

function curvePoint(angle: number): Vec3 {
  const ring = 1 + 0.45 * Math.cos(WINDS_RING * angle);
  return [
    ring * Math.cos(WINDS_AXIS * angle),
    ring * Math.sin(WINDS_AXIS * angle),
    0.45 * Math.sin(WINDS_RING * angle),
  ];
}

function subtract(a: Vec3, b: Vec3): Vec3 {
  return combine(a, 1, b, -1);
}

function combine(a: Vec3, weightA: number, b: Vec3, weightB: number): Vec3 {
  return [
    weightA * a[0] + weightB * b[0],
    weightA * a[1] + weightB * b[1],
    weightA * a[2] + weightB * b[2],
  ];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalize(v: Vec3): Vec3 {
  return combine(v, 1 / Math.hypot(...v), v, 0);
}
