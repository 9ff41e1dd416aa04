/** Axis-aligned boxes. */
import { type Matrix4, transformPoint } from './matrix.ts';
import type { Vec3 } from './vector.ts';

/** Smallest and largest coordinates; the empty box has `min` above `max`. */
export class BoundingBox {
  readonly min: [number, number, number] = [Infinity, Infinity, Infinity];
  readonly max: [number, number, number] = [-Infinity, -Infinity, -Infinity];

  isEmpty(): boolean {
    return !(this.min[0] <= this.max[0]);
  }

  /** Extends the box to contain a point. */
  addPoint(x: number, y: number, z: number): void {
    const { min, max } = this;
    if (x < min[0]) min[0] = x;
    if (y < min[1]) min[1] = y;
    if (z < min[2]) min[2] = z;
    if (x > max[0]) max[0] = x;
    if (y > max[1]) max[1] = y;
    if (z > max[2]) max[2] = z;
  }

  /** Extends the box to contain another one; an empty one has no effect. */
  addBox(box: BoundingBox): void {
    if (box.isEmpty()) return;
    this.addPoint(...box.min);
    this.addPoint(...box.max);
  }

  /** Returns the eight corners; none for an empty box. */
  corners(): Vec3[] {
    if (this.isEmpty()) return [];
    const sides = [this.min, this.max];
    const corners: Vec3[] = [];
    for (let i = 0; i < 8; i++) {
      corners.push([sides[i & 1][0], sides[(i >> 1) & 1][1], sides[i >> 2][2]]);
    }
    return corners;
  }

  center(): Vec3 {
    const { min, max } = this;
    return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  }

  /** Returns the bounding box of this box after an affine transformation. */
  transformed(matrix: Matrix4): BoundingBox {
    const image = new BoundingBox();
    for (const corner of this.corners()) image.addPoint(...transformPoint(matrix, corner));
    return image;
  }
}
