/** Public names of the code generator: kernels and the data that their callers provide. */
export {
  LANES,
  type PackedFragments,
  PRIMITIVE_FLAGS,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  QUAD_RECORD,
  STAGE_STATUS,
  type StageStatus,
  vertexBuiltinPosition,
  vertexInputCount,
} from '../isa/stage-memory.ts';
export {
  EXECUTION_LOG,
  findLogSites,
  LOG_LINE_SHIFT,
  LOG_RECORD,
  type LogPlace,
  type LogSites,
  logBytesPerGroup,
} from './execution-log.ts';
export { generateKernel, type KernelOptions } from './generate-kernel.ts';
export { instantiateKernel, KernelCache, type KernelFunction } from './kernel-cache.ts';
export { SPENT_OFFSET_BYTES, scratchBytes } from './kernel-scratch.ts';
export { canPackFragments } from './packed-fragments.ts';
export type { TextureKernels } from './texture-kernels.ts';
