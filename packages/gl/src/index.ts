export { GL, nameOfEnum } from './api/constants.ts';
export type { GlErrorRecord } from './api/gl-errors.ts';
export { GlContext } from './context.ts';
export { DEFAULT_DRAWING_BUFFER, type GlContextOptions } from './context-options.ts';
export type { DrawOptions } from './draw/draw-calls.ts';
export {
  type ProgramReflection,
  type ReflectedProgram,
  reflectByCompiling,
} from './objects/programs/program-reflection.ts';
export type { Upload } from './objects/textures/texture-uploads.ts';
export type { ParameterValue } from './parameters/parameter-state.ts';
export { readParameter, readTargetParameter } from './parameters/read-parameters.ts';
export type { FrameRenderer } from './recording/pass-renderer.ts';
export type { DrawingBufferAttributes } from './recording/passes/drawing-buffer.ts';
export { RecordedFrames } from './recording/recorded-frames.ts';
export type { ApiRules, DefaultGlslVersion, GlDialect } from './rules/api-rules.ts';
export { RULES_BY_DIALECT } from './rules/rules-by-dialect.ts';
export {
  FEATURE_EXTENSIONS,
  type Feature,
  type NeededExtension,
  type WebGLRules,
} from './rules/webgl-rules.ts';
export { SharedObjects } from './shared-objects.ts';
export {
  areWholeBlocks,
  type CompressedFormat,
  compressedBytes,
  compressedFormatOf,
  isBptc,
  isInsideLevel,
} from './texels/compressed/compressed-formats.ts';
export type { PackLayout, ReadFormat } from './texels/read-formats.ts';
