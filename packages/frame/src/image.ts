/** A finished picture. */
export interface Image {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Red, green, blue, alpha, row by row from the top; 4 bytes a pixel. */
  readonly rgba: Uint8Array;
}
