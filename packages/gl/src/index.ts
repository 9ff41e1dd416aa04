export { GL, nameOfEnum } from './constants.ts';
export {
  type ArrayLocation,
  GlContext,
  type GlContextOptions,
  type GlDialect,
} from './gl-context.ts';
export {
  type DefaultGlslVersion,
  type ProgramReflection,
  type ReflectedProgram,
  reflectByCompiling,
} from './program-reflection.ts';
export type { DrawingBufferAttributes } from './record/drawing-buffer.ts';
export type { FrameRenderer } from './record/residency.ts';
export type { GlErrorRecord } from './state/gl-errors.ts';
export type { PackLayout, ReadFormat } from './state/read-formats.ts';
export type { ParameterValue } from './state/read-parameters.ts';
export { SharedObjects } from './state/shared-objects.ts';
export type { Upload } from './state/texture-uploads.ts';
