/** Images of radiance, which are not limited to 0…1. */

/** Panorama of all directions: an equirectangular image of linear radiance. */
export interface RadianceImage {
  /** Width of the panorama in pixels; column 0 begins at −x and the columns turn toward −z. */
  readonly widthPx: number;
  /** Height in pixels; row 0 is the top (+y). */
  readonly heightPx: number;
  /** Red, green and blue of each pixel, row by row, linear, sRGB primaries. */
  readonly rgb: Float32Array;
}
