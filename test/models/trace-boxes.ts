/** Rays in scenes of axis-aligned boxes. */
import type { SceneBox } from './box-scene.ts';

/** Place or direction. */
export type Vec3 = readonly [number, number, number];

/** Returns where a ray meets the boxes first, with the normal there. */
export function firstHit(boxes: readonly SceneBox[], start: Vec3, ray: Vec3) {
  let distance = Number.POSITIVE_INFINITY;
  let normal: Vec3 = [0, 0, 0];
  let hit: SceneBox | null = null;
  for (const box of boxes) {
    let [enter, leave, enterAxis] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let axis = 0; axis < 3; axis++) {
      const ends = [-0.5, 0.5].map(
        (side) => (box.center[axis]! + side * box.size[axis]! - start[axis]!) / ray[axis]!,
      );
      if (Math.min(...ends) > enter) {
        enter = Math.min(...ends);
        enterAxis = axis;
      }
      leave = Math.min(leave, Math.max(...ends));
    }
    if (enter >= leave || enter < 1e-6 || enter > distance) continue;
    distance = enter;
    hit = box;
    normal = [0, 1, 2].map((axis) =>
      axis === enterAxis ? -Math.sign(ray[axis]!) : 0,
    ) as unknown as Vec3;
  }
  return { distance, normal, box: hit };
}

const RAYS = 512;

/**
 * Returns the visibility of a place on a box, weighted by the cosine: the golden spiral on a disk,
 * raised to the hemisphere. Hits count fully up to half of the length, and less beyond.
 */
export function tracedVisibility(
  boxes: readonly SceneBox[],
  place: Vec3,
  normal: Vec3,
  length: number,
): number {
  const axis = normal.findIndex((value) => value !== 0);
  let occlusion = 0;
  for (let i = 0; i < RAYS; i++) {
    const away = Math.sqrt((i + 0.5) / RAYS);
    const turn = i * Math.PI * (3 - Math.sqrt(5));
    const ray = [0, 0, 0];
    ray[axis] = Math.sqrt(1 - away * away) * normal[axis]!;
    ray[(axis + 1) % 3] = away * Math.cos(turn);
    ray[(axis + 2) % 3] = away * Math.sin(turn);
    const { distance } = firstHit(boxes, place, ray as unknown as Vec3);
    occlusion += Math.min(1, Math.max(0, 2 - (2 * distance) / length));
  }
  return 1 - occlusion / RAYS;
}
