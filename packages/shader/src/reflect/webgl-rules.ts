/**
 * The rules by which WebGL narrows GLSL ES, as options of the front end (WebGL 1.0, section 4; WebGL 2.0, section 4.3),
 * and the two steps of the API: a shader is checked when it is compiled, a program when it is linked.
 */
import { type CheckShaderOptions, checkShader } from '../glsl/check-shader.ts';
import { DEFAULT_SHADER_LIMITS, type ShaderLimits } from '../glsl/language/limits.ts';
import { checkLink } from '../glsl/link/check-link.ts';
import type { CheckedShader, ShaderStage } from '../tree/checked-tree.ts';
import { formatDiagnostics } from '../tree/diagnostics.ts';
import { describeInterface, type ProgramInterface } from './program-interface.ts';

export type WebGlVersion = 1 | 2;

const RULES: Readonly<Record<WebGlVersion, Omit<CheckShaderOptions, 'stage' | 'extensions'>>> = {
  // Appendix A of GLSL ES 1.00 is law, for shaders of that language in a WebGL 2 context as well.
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
    toldDrawBuffers: DEFAULT_SHADER_LIMITS.maxDrawBuffers,
  },
};

export interface WebGlShaderOptions {
  readonly version: WebGlVersion;
  /** Names as GLSL has them, such as `GL_OES_standard_derivatives`, of those that the context has enabled. */
  readonly extensions: readonly string[];
  readonly limits?: Partial<ShaderLimits>;
}

/** Checks a shader as `compileShader` does; one whose diagnostics have an error cannot be linked. */
export function checkWebGlShader(
  source: string,
  stage: ShaderStage,
  { version, extensions, limits }: WebGlShaderOptions,
): CheckedShader {
  return checkShader(source, {
    ...RULES[version],
    stage,
    extensions,
    ...(limits === undefined ? {} : { limits }),
  });
}

export interface WebGlLinkOptions {
  /** Locations that `bindAttribLocation` gave. */
  readonly attributeLocations?: Readonly<Record<string, number>>;
  readonly limits?: Partial<ShaderLimits>;
}

/** Links two shaders without errors as `linkProgram` does. `interface` is `null` where that fails. */
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
