/** Places of runs, pixels and textures in the memories that simulated chiplets share. */
import type { TextureResource } from './resources.ts';

/** Place of a run on machines that share their memories; the same on all of them. */
export interface RunPlace {
  /** Address space of the run's pass. */
  readonly space: number;
  /** Lines before the run's stream in the streams of its pass. */
  readonly streamLines: number;
  /** Place of the pixels that stay in memory; null if none do. */
  readonly pixels: PixelPlace | null;
}

/** Place of a bin's pixels at the end of the region of textures, in lines. */
export interface PixelPlace {
  /** Lines of the bins before, and of all bins of the pass. */
  readonly before: number;
  readonly total: number;
  readonly count: number;
  /** Whether pages are in the memories in turn. Otherwise the pixels are in local memory. */
  readonly isInterleaved: boolean;
}

/** Texture of a pass with the homes of its pixels. */
export interface PlacedTexture {
  /** Texture; its levels are not read. */
  readonly texture: TextureResource;
  /**
   * Homes by image; `interleaved` if pages are in the memories in turn; null if no pass drew the
   * texture. Images that are not listed are in the memory of chiplet 0, or generated from level 0.
   */
  readonly homes: readonly PlacedImage[] | 'interleaved' | null;
}

/** Homes of an image in cells of 4×4 texels, row by row; −1 if every chiplet knows the pixels. */
export interface PlacedImage {
  readonly level: number;
  readonly slice: number;
  readonly columns: number;
  readonly homes: Int32Array;
}
