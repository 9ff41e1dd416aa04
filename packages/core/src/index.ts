/**
 * Tessera as a library: a simulated GPU of chiplets in this process, frames for it, and images of
 * its results. Published as `@tessera-gpu/core`.
 *
 * @example
 * const gpu = new LocalGpu({ chipletCount: 4 });
 * const { image, report } = await gpu.render(firstFrame(), { timing: 'cycle' });
 * await writeFile('first.png', await encodePng(image));
 */
export {
  CHIPLET_PRESETS,
  type ChipletSpec,
  chipletPreset,
  DEFAULT_CHIPLET_SPEC,
  defineChipletSpec,
  readSpec,
  withSettings,
} from '@tessera/chiplet-spec';
export { readCapture } from '@tessera/experiments/read-capture';
export { readModel } from '@tessera/experiments/read-model';
export {
  COUNTERS,
  type Counters,
  DEFAULT_PLACEMENT,
  type ErrorCode,
  type Frame,
  type GridRequest,
  HEAT_METRICS,
  type HeatMap,
  type HeatMetricName,
  type Image,
  type PixelHistory,
  type Placement,
  type ProbedDraw,
  type ProgramSummary,
  RenderError,
  type Report,
  type ShaderProfile,
} from '@tessera/frame';
export { encodePng } from '@tessera/frame/png';
export {
  type FigureEstimate,
  type FrameOptions,
  type FrameProbe,
  LocalGpu,
  type LocalGpuOptions,
  type RenderOptions,
  type SampledSequenceOptions,
  type SampledSequenceReport,
  type SequenceOptions,
} from '@tessera/local-gpu';
export {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  type InterconnectSpec,
  POLICY_NAMES,
  parsePlacement,
  type RenderedFrame,
  type RenderedSequence,
} from '@tessera/multi-chiplet';
export {
  cubeFrame,
  firstFrame,
  type GltfSource,
  type ImportedModel,
  type ImportGltfOptions,
  importGltf,
  randomTrianglesFrame,
  terrainFrame,
  texturedQuadFrame,
} from '@tessera/scenes';
