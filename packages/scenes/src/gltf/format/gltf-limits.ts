/** What one model may ask for at most. */
export interface GltfLimits {
  /** Bytes of the JSON part. */
  readonly maxJsonBytes: number;
  /** Elements of any array of the JSON: nodes, accessors, meshes … */
  readonly maxElements: number;
  /** Nodes on the way from a root to a leaf. */
  readonly maxNodeDepth: number;
  readonly maxDraws: number;
  /** Triangles, lines and points over all draws and instances. */
  readonly maxTriangles: number;
  readonly maxTextureEdgePx: number;
  /** Texels of level 0 over all images. */
  readonly maxTextureTexels: number;
  /** Bytes of memory that decoding one image takes, about. */
  readonly maxDecodeBytes: number;
  /** Bytes of all accessors of the file: the library makes an array of each. */
  readonly maxExpandedBytes: number;
}

/** Fits models of some million triangles and a dozen large textures. */
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
