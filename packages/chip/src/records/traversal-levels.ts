/** Levels of tile traversal: tiles of 128 pixels first, 2×2 at last. */
export const LEVEL_COUNT = 7;
