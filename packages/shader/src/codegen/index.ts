/** Public names of the code generator: kernels and the data that their callers provide. */
export {
  addCost,
  type IssueCost,
  NO_COST,
  type OperationTimings,
  UNIT_TIMINGS,
} from '../isa/operation-timings.ts';
export { isSampleShaded, readsSampleMask } from '../isa/sample-shading.ts';
export {
  AT_SAMPLE,
  HAS_EIGHT_SAMPLES,
  LANES,
  type PackedFragments,
  PRIMITIVE_FLAGS,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  QUAD_RECORD,
  SAMPLE_MASK_SHIFT,
  SAMPLE_NUMBER_SHIFT,
  STAGE_STATUS,
  type StageStatus,
  vertexBuiltinPosition,
  vertexInputCount,
} from '../isa/stage-memory.ts';
export {
  EXECUTION_LOG,
  LOG_LINE_SHIFT,
  LOG_RECORD,
  type LogOptions,
  type LogPlace,
  logBytesPerGroup,
} from './execution-log.ts';
export { generateKernel, type KernelOptions } from './generate-kernel.ts';
export type { HelperLookups } from './helper-lookups.ts';
export { instantiateKernel, KernelCache, type KernelFunction } from './kernel-cache.ts';
export { SPENT_OFFSET_BYTES, scratchBytes } from './kernel-scratch.ts';
export { findInstructionPlaces, findLogSites, type LogSite, type LogSites } from './log-sites.ts';
export { canPackFragments } from './packed-fragments.ts';
export { ALL_CHANNELS, type TextureKernels } from './texture-kernels.ts';
