/** Images that repeat as a fill style (HTML, section 4.12.5.1.11). */
import type { Pixels } from '../../pixels/pixels.ts';
import { samplePixels } from '../images/sample-pixels.ts';
import { IDENTITY, invert, type Matrix, transformPoint } from '../paths/matrix.ts';
import { type MatrixInit, readMatrix } from './dom-matrix.ts';

/** Axes along which an image repeats, by the name of the repetition. */
const REPEATS: Readonly<Record<string, readonly [x: boolean, y: boolean]>> = {
  '': [true, true],
  repeat: [true, true],
  'repeat-x': [true, false],
  'repeat-y': [false, true],
  'no-repeat': [false, false],
};

/** Pattern of an image. */
export class CanvasPattern {
  readonly #image: Pixels;
  readonly #repeats: readonly [boolean, boolean];
  #inverse: Matrix | null = IDENTITY;

  /**
   * @param image Image with straight alpha.
   * @throws {DOMException} SyntaxError if the repetition is unknown.
   */
  constructor(image: Pixels, repetition: string) {
    const repeats = REPEATS[repetition];
    if (repeats === undefined) {
      const message = `createPattern: ${repetition} is not one of ${Object.keys(REPEATS).slice(1).join(', ')}`;
      throw new DOMException(message, 'SyntaxError');
    }
    this.#image = image;
    this.#repeats = repeats;
  }

  setTransform(matrix: MatrixInit = {}): void {
    this.#inverse = invert(readMatrix(matrix));
  }

  /** Writes the color at a point in the coordinates of the canvas; transparent outside. */
  colorAt(x: number, y: number, isSmooth: boolean, out: Float64Array): void {
    out.fill(0);
    if (this.#inverse === null) return;
    const { widthPx, heightPx } = this.#image;
    const [ownX, ownY] = transformPoint(this.#inverse, x, y);
    const isAt = (place: number, edge: number, axis: 0 | 1) =>
      this.#repeats[axis] || (place >= 0 && place < edge);
    if (!isAt(ownX, widthPx, 0) || !isAt(ownY, heightPx, 1)) return;
    const wrap = (place: number, edge: number) => ((place % edge) + edge) % edge;
    samplePixels(this.#image, wrap(ownX, widthPx), wrap(ownY, heightPx), isSmooth, out);
  }
}
