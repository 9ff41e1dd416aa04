export {
  type ActivityTracks,
  requireTimelineCycles,
  TIMELINE_CYCLES,
} from './activity-tracks.ts';
export {
  type BinResult,
  type BinSummary,
  type Chiplet,
  type ChipletId,
  type ChipletMode,
  type Crosslink,
  type FrameBroadcast,
  type FrameId,
  MAX_ALTERNATIVE_SPECS,
  MAX_CHIPLETS,
  MAX_UNIT_SPANS,
  type RenderBinRequest,
  type UnitSpan,
  type VisibilitySummary,
} from './chiplet.ts';
export {
  type CoarseBinGrid,
  type CoarseBinId,
  chooseCoarseBinGrid,
  chooseGridShape,
  coarseBinCount,
  coarseBinRect,
  DEFAULT_FINE_BIN_PX,
  type GridRequest,
  isPartOfBin,
  MAX_COARSE_BINS,
  makeCoarseBinGrid,
  parseGridRequest,
} from './coarse-bin-grid.ts';
export type { CopyEngineWork, CopySize, CopyTiming } from './copy-engine-work.ts';
export {
  addCounters,
  COUNTER_NAMES,
  COUNTERS,
  type CounterInfo,
  type CounterName,
  type Counters,
  TIMED_UNITS,
  type TimedUnit,
} from './counters.ts';
export { DEFAULT_OPTIONS } from './default-options.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export { RenderError } from './errors.ts';
export { escapeControls, escapeControlsInLines } from './escape-controls.ts';
export {
  type AttributeSource,
  COMPONENT_TYPES,
  type ComponentType,
  type Draw,
  type EdgeFlagSource,
  type Frame,
  type IndexSource,
  MAX_COLOR_TARGETS,
  MAX_PASS_QUERIES,
  type Pass,
  type PassClear,
  type PassQuery,
  type PassTarget,
  type ProgramSource,
  TARGET_ASPECTS,
  type TargetAspect,
  type TargetCopy,
  type TargetImage,
  type TextureBinding,
  type TextureImage,
  type UniformValue,
} from './frame.ts';
export {
  type DescribedHeatMap,
  HEAT_METRICS,
  type HeatMap,
  type HeatMetric,
  type HeatMetricName,
  PIXEL_COUNTS,
  type PixelCount,
} from './heat-metrics.ts';
export type { Image } from './image.ts';
export { IndexRanges } from './index-ranges.ts';
export type { PixelPlace, PlacedImage, PlacedTexture, RunPlace } from './machine-places.ts';
export type { MemorySharing } from './memory-sharing.ts';
export {
  type HashParts,
  NATIVE_FRAME_VERSION,
  type NamedContents,
  readNativeFrame,
  toNativeJson,
  writeNativeFrame,
} from './native-frame.ts';
export { type ReferencingFrame, toReferencingNativeJson } from './native-references.ts';
export {
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  type BlendChannelState,
  type BlendEquation,
  type BlendFactor,
  type BlendState,
  CLIP_DEPTHS,
  CLIP_ORIGINS,
  type ClipDepth,
  type ClipOrigin,
  COMPARE_FUNCTIONS,
  type ColorTargetState,
  type CompareFunction,
  type CullMode,
  type DepthState,
  defaultPipelineState,
  LINE_MODES,
  type LineMode,
  type MultisampleState,
  type PipelineState,
  POINT_CLIPS,
  POINT_MODES,
  POLYGON_MODES,
  type PointMode,
  type PolygonMode,
  type PolygonModeState,
  type PolygonOffsetState,
  RED_SPREADS,
  type RectPx,
  type RedSpread,
  STENCIL_OPERATIONS,
  type StencilFaceState,
  type StencilOperation,
  type StencilState,
  TOPOLOGIES,
  type Topology,
} from './pipeline-state.ts';
export {
  type DepthTest,
  FRAGMENT_OUTCOMES,
  type FragmentOutcome,
  MAX_PIXEL_EVENTS,
  type PixelEvent,
  type PixelHistory,
  type SampleHistory,
  type StencilTest,
  type TargetPixel,
} from './pixel-history.ts';
export {
  DEFAULT_PLACEMENT,
  PLACEMENTS,
  type Placement,
  type PlacementName,
  RESOURCE_CLASSES,
  type RemoteTraffic,
  type ResourceClass,
  TARGET_CLASSES,
  TARGET_PLACEMENTS,
  type TargetClass,
  type TargetPlacementName,
} from './placement.ts';
export {
  DEFAULT_VISIBILITY_SWITCHES,
  type FrameCommands,
  type PassLink,
  type PreparedAttribute,
  type PreparedDraw,
  type PreparedFrame,
  type PreparedPass,
  primitivesPerInstance,
  type TargetContents,
  VISIBILITY_SHADERS,
  type VisibilityShader,
  type VisibilitySwitches,
} from './prepared-frame.ts';
export type { DrawCounts, ProbedDraw } from './probed-draw.ts';
export {
  DEFAULT_RECORD_BYTES,
  type IssueCost,
  type LogSite,
  type LogSites,
  MAX_RUN_BYTES,
  type ProgramKeys,
  type RecordedRun,
  type VertexLog,
} from './recorded-run.ts';
export {
  type BinReport,
  type ChannelReport,
  type ChipletReport,
  COUPLINGS,
  type Coupling,
  DEFAULT_COUPLING,
  LINK_TRANSFER_KINDS,
  type LinkTransferKind,
  type MemoryBandwidth,
  type PassReport,
  type RemoteLines,
  type RemoteReport,
  type Report,
  type SpecSummary,
  TIMINGS,
  type Timing,
  type TransferReport,
} from './report.ts';
export {
  BLOCK_BYTES,
  type BufferResource,
  blockBytesOf,
  drawnFormatOf,
  type FilterMode,
  fullLevelCountOf,
  levelSizeOf,
  MAX_ANISOTROPY,
  MAX_TEXTURE_LEVELS,
  type PlainWrapMode,
  readsLevel,
  SAMPLE_COUNTS,
  type SamplerState,
  type Sha256,
  SWIZZLE_SOURCES,
  type SwizzleSource,
  TEXTURE_DIMENSIONS,
  type TexelBlocks,
  type TextureDimension,
  type TextureResource,
  texelBytesOf,
  unmirrored,
  WRAP_MODES,
  type WrapMode,
} from './resources.ts';
export {
  countRunBytes,
  type MapArray,
  mapRunArrays,
  type RunArray,
  refuseLargeRun,
  runInSharedMemory,
} from './run-arrays.ts';
export { MULTISAMPLE_COUNT, SAMPLE_X, SAMPLE_Y } from './sample-positions.ts';
export type { SequenceFrameReport, SequenceReport, SteadyState } from './sequence-report.ts';
export { sha256Hex } from './sha256.ts';
export {
  type DrawPlace,
  type IssueCounts,
  PROGRAM_STAGES,
  type ProfiledInstruction,
  type ProgramStage,
  type ProgramSummary,
  type ShaderProfile,
  type StageProfile,
} from './shader-profile.ts';
export {
  type AttributeInfo,
  FRAGMENT_DEPTH_SLOT,
  type IsaProgram,
  OUTSIDE_SLOT,
  POINT_SIZE_SLOT,
  POSITION_SLOT,
  SAMPLE_MASK_SLOT,
  type SamplerInfo,
  type ShaderProgram,
  type ShaderScalarType,
  type UniformInfo,
  VARYING_SLOT,
  type VaryingInfo,
} from './shader-program.ts';
export { type FrameStop, STOP_PAGES, STOP_WORDS, StopWords } from './stop-words.ts';
export { TEXTURE_FORMATS, type TextureFormat } from './texture-formats.ts';
export { DEFAULT_FRAME_LIMITS, type FrameLimits, validateFrame } from './validate-frame.ts';
export { findTextureProblem } from './validate-texture.ts';
export {
  decodeVisibilityBin,
  encodeVisibilityBin,
  VISIBILITY_STREAM_VERSION,
  type VisibilityStream,
  type VisibleDraw,
} from './visibility-stream.ts';
