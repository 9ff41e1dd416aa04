export { DEFAULT_GLTF_LIMITS, type GltfLimits } from './gltf/format/gltf-limits.ts';
export type { GltfFiles } from './gltf/format/resolve-uri.ts';
export {
  type FrameImporter,
  type GltfSource,
  type ImportedModel,
  type ImportGltfOptions,
  importGltf,
  openGltf,
} from './gltf/import-gltf.ts';
export { type LookMaker, makeLook } from './gltf/make-look.ts';
export type { Background, EnvironmentLight, ModelLook } from './gltf/model-look.ts';
export {
  type ModelOptions,
  type ModelOptionTexts,
  parseModelOptions,
  pickModelOptions,
  turnCamera,
} from './gltf/model-options.ts';
export type { EnvironmentSource, FilteredEnvironment } from './lighting/environment-frame.ts';
export {
  type EnvironmentStore,
  filterEnvironment,
  type TextureRenderer,
} from './lighting/filter-environment.ts';
export type { RadianceImage } from './lighting/radiance-image.ts';
export { type RadianceLimits, readRadianceHdr } from './lighting/read-radiance-hdr.ts';
export { type AsteroidsOptions, asteroidsFrame } from './procedural/benchmark/asteroids-frame.ts';
export {
  BENCHMARK_SCENE_NAMES,
  BENCHMARK_SET,
  BENCHMARK_SET_VERSION,
  type BenchmarkScene,
  type BenchmarkSceneName,
  benchmarkFrame,
  countFrame,
  type FrameCounts,
  findBenchmarkScene,
} from './procedural/benchmark/benchmark-set.ts';
export { type CityOptions, cityCascadesFrame } from './procedural/benchmark/city-cascades-frame.ts';
export {
  type GalleryOptions,
  galleryDrawsFrame,
} from './procedural/benchmark/gallery-draws-frame.ts';
export {
  type MarketOptions,
  marketDeferredFrame,
} from './procedural/benchmark/market-deferred-frame.ts';
export { type MeadowOptions, meadowFrame } from './procedural/benchmark/meadow-frame.ts';
export { type ValleyOptions, valleyFrame } from './procedural/benchmark/valley-frame.ts';
export { cubeFrame, type SceneSize } from './procedural/cube-frame.ts';
export { firstFrame } from './procedural/first-frame.ts';
export {
  type RandomTrianglesOptions,
  randomTrianglesFrame,
} from './procedural/random-triangles-frame.ts';
export { type TerrainOptions, terrainFrame } from './procedural/terrain-frame.ts';
export { type TexturedQuadOptions, texturedQuadFrame } from './procedural/textured-quad-frame.ts';
