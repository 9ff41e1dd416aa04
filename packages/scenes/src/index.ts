export { DEFAULT_GLTF_LIMITS, type GltfLimits } from './gltf/gltf-limits.ts';
export {
  type GltfSource,
  type ImportedModel,
  type ImportGltfOptions,
  importGltf,
} from './gltf/import-gltf.ts';
export type { GltfFiles } from './gltf/resolve-uri.ts';
export { type TerrainOptions, terrainFrame } from './procedural/terrain-frame.ts';
