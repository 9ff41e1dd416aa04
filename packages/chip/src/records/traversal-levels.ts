/** Number of levels of tile traversal: from tiles of 128 pixels to quads of 2×2. */
export const LEVEL_COUNT = 7;
