/**
 * Restrictions of WebGL on GLSL ES as options of the front end (WebGL 1.0, section 4; WebGL 2.0,
 * section 4.3), and the two steps of the API: a shader is checked when it is compiled, a program
 * when it is linked.
 */
import { type CheckShaderOptions, checkShader } from '../glsl/check-shader.ts';
import { DEFAULT_SHADER_LIMITS, type ShaderLimits } from '../glsl/language/limits.ts';
import { checkLink } from '../glsl/link/check-link.ts';
import type { CheckedShader, ShaderStage } from '../tree/checked-tree.ts';
import { formatDiagnostics } from '../tree/diagnostics.ts';
import { describeInterface, type ProgramInterface } from './program-interface.ts';

/** Major version of a WebGL context. */
export type WebGlVersion = 1 | 2;

const RULES: Readonly<Record<WebGlVersion, Omit<CheckShaderOptions, 'stage' | 'extensions'>>> = {
  // Appendix A of GLSL ES 1.00 is mandatory, also for shaders of that language in a WebGL 2
  // context.
  1: {
    defaultVersion: 100,
    allowedVersions: [100],
    isWebGl: true,
    restrictLoops: true,
    maxIdentifierLength: 256,
  },
  2: {
    defaultVersion: 100,
    allowedVersions: [100, 300],
    isWebGl: true,
    restrictLoops: true,
  },
};

/** Properties of the context that a shader is compiled in. */
export interface WebGlShaderOptions {
  readonly version: WebGlVersion;
  /**
   * GLSL names of the extensions that the context has enabled, such as
   * `GL_OES_standard_derivatives`. Default: all, for a source whose pragma names them.
   */
  readonly extensions?: readonly string[];
  /**
   * Whether `gl_MaxDrawBuffers` is the limit of the context in shaders of GLSL ES 1.00 without
   * `#extension`: in WebGL 2, and once WEBGL_draw_buffers is enabled. Default: it is 1, unless a
   * pragma in the source sets it.
   */
  readonly hasDrawBufferLimit?: boolean;
  readonly limits?: Partial<ShaderLimits>;
}

/**
 * Checks a shader as `compileShader` does. A shader with errors in its diagnostics cannot be
 * linked.
 */
export function checkWebGlShader(
  source: string,
  stage: ShaderStage,
  { version, extensions, hasDrawBufferLimit = false, limits }: WebGlShaderOptions,
): CheckedShader {
  return checkShader(source, {
    ...RULES[version],
    stage,
    ...(extensions === undefined ? {} : { extensions }),
    ...(hasDrawBufferLimit
      ? { maxDrawBuffersWithoutExtension: DEFAULT_SHADER_LIMITS.maxDrawBuffers }
      : {}),
    ...(limits === undefined ? {} : { limits }),
  });
}

/** Properties of the context and program that two shaders are linked in. */
export interface WebGlLinkOptions {
  /** Locations set by `bindAttribLocation`, by attribute name. */
  readonly attributeLocations?: Readonly<Record<string, number>>;
  readonly limits?: Partial<ShaderLimits>;
}

/**
 * Links two shaders without errors as `linkProgram` does. `interface` is `null` if linking fails.
 */
export function linkWebGlShaders(
  vertex: CheckedShader,
  fragment: CheckedShader,
  options: WebGlLinkOptions = {},
): { readonly log: string; readonly interface: ProgramInterface | null } {
  const diagnostics = checkLink(vertex, fragment, { ...options, isWebGl: true });
  const isFailed = diagnostics.some(({ severity }) => severity === 'error');
  return {
    log: formatDiagnostics(diagnostics),
    interface: isFailed ? null : describeInterface(vertex, fragment),
  };
}
