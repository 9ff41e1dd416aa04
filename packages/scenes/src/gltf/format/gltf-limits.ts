/** Upper bounds on the sizes of one model. */
export interface GltfLimits {
  /** Size of the JSON part. */
  readonly maxJsonBytes: number;
  /** Number of elements of any array in the JSON, such as nodes, accessors or meshes. */
  readonly maxElements: number;
  /** Number of nodes on a path from a root to a leaf. */
  readonly maxNodeDepth: number;
  readonly maxDraws: number;
  /** Number of triangles, lines and points over all draws and instances. */
  readonly maxTriangles: number;
  readonly maxTextureEdgePx: number;
  /** Number of texels in level 0 of all images. */
  readonly maxTextureTexels: number;
  /** Approximate memory for decoding one image. */
  readonly maxDecodeBytes: number;
  /** Total size of all accessors, each of which the library expands to an array. */
  readonly maxExpandedBytes: number;
}

/** Limits that admit models of several million triangles and a dozen large textures. */
export const DEFAULT_GLTF_LIMITS: GltfLimits = Object.freeze({
  maxJsonBytes: 64 * 1024 * 1024,
  maxElements: 200_000,
  maxNodeDepth: 1024,
  maxDraws: 20_000,
  maxTriangles: 10_000_000,
  maxTextureEdgePx: 8192,
  maxTextureTexels: 64 * 1024 * 1024,
  maxDecodeBytes: 1280 * 1024 * 1024,
  maxExpandedBytes: 256 * 1024 * 1024,
});
