/** The shader compiler. */

export {
  type CheckedProgram,
  type CompileOptions,
  compileChecked,
  compileProgram,
} from './compile.ts';
export {
  type CompiledStage,
  compileStage,
  type StageCode,
  type StageName,
} from './compile-stage.ts';
export { type CheckShaderOptions, checkShader } from './glsl/check-shader.ts';
export { DEFAULT_SHADER_LIMITS, type ShaderLimits } from './glsl/language/limits.ts';
export type { GlslVersion } from './glsl/language/versions.ts';
export { checkLink } from './glsl/link/check-link.ts';
export { printIr } from './ir/print-ir.ts';
export { disassemble } from './isa/disassemble.ts';
export { type IsaStatistics, summarizeProgram } from './isa/statistics.ts';
export type { BlockLayout, BlockMember } from './reflect/block-layout.ts';
export {
  describeProgram,
  describeVertexOutputs,
  type ProgramDescription,
} from './reflect/describe-program.ts';
export type {
  InterfaceAttribute,
  InterfaceSampler,
  InterfaceValue,
  ProgramInterface,
} from './reflect/program-interface.ts';
export {
  checkWebGlShader,
  linkWebGlShaders,
  type WebGlLinkOptions,
  type WebGlShaderOptions,
  type WebGlVersion,
} from './reflect/webgl-rules.ts';
export type {
  CheckedShader,
  ConstantValue,
  Diagnostic,
  ShaderStage,
  SourcePosition,
  UniformBlock,
  VariableSymbol,
} from './tree/checked-tree.ts';
export { formatDiagnostics } from './tree/diagnostics.ts';
export type { GlslType, Precision, ScalarBase, StructField } from './tree/types.ts';
