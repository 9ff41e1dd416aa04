import { type GlslVersion, isEsVersion } from './versions.ts';

/** Implementation limits that shaders see as `gl_Max…` constants and that linking enforces. */
export interface ShaderLimits {
  readonly maxVertexAttribs: number;
  /** Number of four-component vectors for uniforms of the default block. */
  readonly maxVertexUniformVectors: number;
  readonly maxFragmentUniformVectors: number;
  /** Number of four-component vectors for varyings. */
  readonly maxVaryingVectors: number;
  readonly maxVertexTextureImageUnits: number;
  readonly maxTextureImageUnits: number;
  readonly maxCombinedTextureImageUnits: number;
  readonly maxDrawBuffers: number;
  /** Number of colors that may have a second source color. */
  readonly maxDualSourceDrawBuffers: number;
  /** Number of samples per pixel in multisampled targets. */
  readonly maxSamples: number;
  /** Number of views that a draw can have (OVR_multiview2). */
  readonly maxViews: number;
  readonly minProgramTexelOffset: number;
  readonly maxProgramTexelOffset: number;
  readonly maxClipDistances: number;
  readonly maxCullDistances: number;
  readonly maxCombinedClipAndCullDistances: number;
  /**
   * Number of lights of the fixed-function state of desktop OpenGL. The next three limits belong to
   * that state, too.
   */
  readonly maxLights: number;
  readonly maxClipPlanes: number;
  readonly maxTextureUnits: number;
  readonly maxTextureCoords: number;
}

/** Limits of current desktop hardware, each at least the minimum of the specifications. */
export const DEFAULT_SHADER_LIMITS: ShaderLimits = Object.freeze({
  maxVertexAttribs: 16,
  maxVertexUniformVectors: 1024,
  maxFragmentUniformVectors: 1024,
  maxVaryingVectors: 30,
  maxVertexTextureImageUnits: 16,
  maxTextureImageUnits: 16,
  maxCombinedTextureImageUnits: 32,
  maxDrawBuffers: 8,
  maxDualSourceDrawBuffers: 1,
  maxSamples: 4,
  maxViews: 4,
  minProgramTexelOffset: -8,
  maxProgramTexelOffset: 7,
  maxClipDistances: 8,
  maxCullDistances: 8,
  maxCombinedClipAndCullDistances: 8,
  maxLights: 8,
  maxClipPlanes: 8,
  maxTextureUnits: 8,
  maxTextureCoords: 8,
});

/**
 * Limits of desktop OpenGL that differ from those of OpenGL ES. They are those of Mesa's softpipe,
 * because captured programs use as much as their driver reported.
 */
const DESKTOP_SHADER_LIMITS: Partial<ShaderLimits> = Object.freeze({
  maxVaryingVectors: 32,
  maxVertexTextureImageUnits: 32,
  maxTextureImageUnits: 32,
  maxCombinedTextureImageUnits: 128,
});

/** Returns the limits of a version; `given` takes precedence. */
export function limitsOf(version: GlslVersion, given: Partial<ShaderLimits> = {}): ShaderLimits {
  const ofLanguage = isEsVersion(version) ? {} : DESKTOP_SHADER_LIMITS;
  return { ...DEFAULT_SHADER_LIMITS, ...ofLanguage, ...given };
}

/** Maximum nesting of brackets, expressions and statements. */
export const MAX_NESTING = 256;
/** Maximum nesting of structs inside structs. */
export const MAX_STRUCT_NESTING = 8;
/** Maximum nesting of structs in WebGL. */
export const MAX_WEBGL_STRUCT_NESTING = 4;
/** Maximum length of a name in characters, unless a caller sets less. */
export const MAX_IDENTIFIER_LENGTH = 1024;
/** Maximum number of scalars in one variable. */
export const MAX_VARIABLE_COMPONENTS = 1 << 16;
