/** The implementation limits that shaders see as `gl_Max…` constants and that linking holds them to. */

export interface ShaderLimits {
  readonly maxVertexAttribs: number;
  /** Uniforms of the default block, in vectors of four components. */
  readonly maxVertexUniformVectors: number;
  readonly maxFragmentUniformVectors: number;
  /** Varyings, in vectors of four components. */
  readonly maxVaryingVectors: number;
  readonly maxVertexTextureImageUnits: number;
  readonly maxTextureImageUnits: number;
  readonly maxCombinedTextureImageUnits: number;
  readonly maxDrawBuffers: number;
  readonly minProgramTexelOffset: number;
  readonly maxProgramTexelOffset: number;
  /** Fixed-function state of desktop OpenGL. */
  readonly maxLights: number;
  readonly maxClipPlanes: number;
  readonly maxTextureUnits: number;
  readonly maxTextureCoords: number;
}

/** Generous figures of current desktop hardware; all are at least what the specifications demand. */
export const DEFAULT_SHADER_LIMITS: ShaderLimits = Object.freeze({
  maxVertexAttribs: 16,
  maxVertexUniformVectors: 1024,
  maxFragmentUniformVectors: 1024,
  maxVaryingVectors: 30,
  maxVertexTextureImageUnits: 16,
  maxTextureImageUnits: 16,
  maxCombinedTextureImageUnits: 32,
  maxDrawBuffers: 8,
  minProgramTexelOffset: -8,
  maxProgramTexelOffset: 7,
  maxLights: 8,
  maxClipPlanes: 6,
  maxTextureUnits: 8,
  maxTextureCoords: 8,
});

/** Nesting of brackets, expressions and statements; deeper sources are refused. */
export const MAX_NESTING = 256;
/** Structs inside structs; WebGL allows four. */
export const MAX_STRUCT_NESTING = 8;
export const MAX_WEBGL_STRUCT_NESTING = 4;
/** Characters of a name, unless a caller has less. */
export const MAX_IDENTIFIER_LENGTH = 1024;
/** Scalars in one variable. */
export const MAX_VARIABLE_COMPONENTS = 1 << 16;
