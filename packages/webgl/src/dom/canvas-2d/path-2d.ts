/** `Path2D` (HTML, section 4.12.5.1.5): a path that a program keeps. */
import { Path } from '../paths/path.ts';
import { addRoundedRectangle, type Radii } from '../paths/rounded-rectangle.ts';
import { addPathData } from '../paths/svg-path-data.ts';
import { type MatrixInit, readMatrix } from './dom-matrix.ts';

/** Path of a program, without a transform. */
export class Path2D extends Path {
  /** @param from Path to copy, or path data of SVG. */
  constructor(from?: Path2D | string) {
    super();
    if (from instanceof Path2D) this.append(from);
    else if (from !== undefined) addPathData(this, String(from));
  }

  addPath(path: Path2D, matrix: MatrixInit = {}): void {
    this.append(path, readMatrix(matrix));
  }

  arc(x: number, y: number, radius: number, start: number, end: number, isBack = false): void {
    this.ellipse(x, y, radius, radius, 0, start, end, isBack);
  }

  roundRect(x: number, y: number, width: number, height: number, radii?: Radii): void {
    addRoundedRectangle(this, x, y, width, height, radii);
  }
}
