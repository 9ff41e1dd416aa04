/** A finished image. */
export interface Image {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Red, green, blue and alpha, 4 bytes per pixel, row by row from the top. */
  readonly rgba: Uint8Array;
}
