/** Part of the image that surfaces may cover. */
import type { RectPx } from '@tessera/frame';
import { BoundingBox } from '../math/bounding-box.ts';
import type { Matrix4 } from '../math/matrix.ts';

/** Size of an image. */
export interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Lowest and highest coordinate along one axis. */
export type Range = readonly [from: number, to: number];

/** Pixels are shaded at their centers, which may be beside the surface. */
const MARGIN_PX = 2;

/**
 * Returns the texture coordinates of an image that boxes may cover, along both axes, with a margin
 * of two pixels. They may be outside the image.
 */
export function projectBoxes(
  boxes: Iterable<BoundingBox>,
  viewProjection: Matrix4,
  { widthPx, heightPx }: ImageSize,
): readonly [Range, Range] {
  const covered = new BoundingBox();
  for (const box of boxes) {
    for (const [x, y, z] of box.corners()) {
      const [clipX, clipY, , w] = [0, 1, 2, 3].map(
        (row) =>
          viewProjection[row] * x +
          viewProjection[4 + row] * y +
          viewProjection[8 + row] * z +
          viewProjection[12 + row],
      );
      // A surface that reaches behind the viewer may cover anything.
      if (!(w! > 0)) {
        return [
          [0, 1],
          [0, 1],
        ];
      }
      covered.addPoint((clipX! / w!) * 0.5 + 0.5, (clipY! / w!) * 0.5 + 0.5, 0);
    }
  }
  const [marginX, marginY] = [MARGIN_PX / widthPx, MARGIN_PX / heightPx];
  return [
    [covered.min[0] - marginX, covered.max[0] + marginX],
    [covered.min[1] - marginY, covered.max[1] + marginY],
  ];
}

/** Returns the pixels that boxes may cover. It is empty if they cover nothing of the image. */
export function coveredRect(
  boxes: Iterable<BoundingBox>,
  viewProjection: Matrix4,
  size: ImageSize,
): RectPx {
  const [columns, rows] = projectBoxes(boxes, viewProjection, size);
  const [left, right] = pixelsOf(columns, size.widthPx);
  const [bottom, top] = pixelsOf(rows, size.heightPx);
  return { x: left, y: size.heightPx - top, width: right - left, height: top - bottom };
}

/** Returns the first pixel of a range of texture coordinates, and the one after its last. */
function pixelsOf([from, to]: Range, sizePx: number): Range {
  const first = Math.min(Math.max(Math.floor(from * sizePx), 0), sizePx);
  return [first, Math.min(Math.max(Math.ceil(to * sizePx), first), sizePx)];
}
