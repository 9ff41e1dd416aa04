/**
 * Compiler for WebGL contexts. It checks GLSL by WebGL's rules and returns equivalent sources that
 * a frame can carry without those rules.
 */
import { type ProgramSource, RenderError } from '@tessera/frame';
import type { ProgramReflection, ReflectedProgram } from '@tessera/gl';
import {
  type CheckedProgram,
  type CheckedShader,
  checkWebGlShader,
  DEFAULT_SHADER_LIMITS,
  formatDiagnostics,
  linkWebGlShaders,
  type ShaderLimits,
  type ShaderStage,
  type WebGlVersion,
} from '@tessera/shader';

/** Options of {@link createShaderReflection}. */
export interface ShaderReflectionOptions {
  readonly version: WebGlVersion;
  /** GLSL names of the enabled extensions, read at each `compileShader`. */
  readonly extensions: ReadonlySet<string>;
  /**
   * Complete compiler that draws use.
   *
   * @param source Sources that a frame carries.
   * @param checked The same shaders, checked.
   * @throws {RenderError} SHADER_COMPILE_FAILED with the log.
   */
  readonly compile: (source: ProgramSource, checked: CheckedProgram) => unknown;
  readonly limits?: Partial<ShaderLimits>;
}

/**
 * Maximum number of checked shaders in the cache. A link checks a shader again if it is not in the
 * cache.
 */
const MAX_CHECKED = 512;
const NOTHING = { attributes: [], uniforms: [], samplers: [] };
const VERSION_LINE = /^[ \t]*#[ \t]*version\b[^\r\n]*(\r\n|\r|\n|$)/m;

/** Creates the compiler of one context. */
export function createShaderReflection(
  options: ShaderReflectionOptions,
): Required<Omit<ProgramReflection, 'describeOutputs'>> {
  const { version, extensions, compile, limits } = options;
  const checked = new Map<string, CheckedShader>();
  const shared = limits === undefined ? {} : { limits };

  return {
    compile(stage, source) {
      const offered = [...extensions];
      const hasDrawBufferLimit = version === 2 || offered.includes('GL_EXT_draw_buffers');
      const options = { version, extensions: offered, hasDrawBufferLimit, ...shared };
      const shader = checkWebGlShader(source, stage, options);
      const isCompiled = !shader.diagnostics.some(({ severity }) => severity === 'error');
      const stated = stateContext(source, offered, hasDrawBufferLimit);
      if (isCompiled) {
        if (checked.size >= MAX_CHECKED) checked.clear();
        checked.set(`${stage} ${stated}`, shader);
      }
      return { isCompiled, log: formatDiagnostics(shader.diagnostics), source: stated };
    },
    reflect(vertexSource, fragmentSource, _version, locations = new Map()): ReflectedProgram {
      const find = (stage: ShaderStage, source: string): CheckedShader =>
        checked.get(`${stage} ${source}`) ??
        // The pragma in the source limits the extensions that it can enable.
        checkWebGlShader(source, stage, { version, ...shared });
      const attributeLocations = Object.fromEntries(locations);
      const vertex = find('vertex', vertexSource);
      const fragment = find('fragment', fragmentSource);
      const linked = linkWebGlShaders(vertex, fragment, { attributeLocations, ...shared });
      if (linked.interface === null) return { isLinked: false, log: linked.log, ...NOTHING };
      try {
        compile({ vertexSource, fragmentSource }, { vertex, fragment });
      } catch (error) {
        if (!(error instanceof RenderError) || error.code !== 'SHADER_COMPILE_FAILED') throw error;
        return { isLinked: false, log: error.message, ...NOTHING };
      }
      return { isLinked: true, log: linked.log, ...linked.interface };
    },
  };
}

/** Pragma that sets `gl_MaxDrawBuffers`, which is 1 otherwise. */
const DRAW_BUFFERS = `#pragma tessera_draw_buffers(${DEFAULT_SHADER_LIMITS.maxDrawBuffers})`;

/**
 * Adds the version, the draw buffer pragma and the available extensions to a source. Line numbers
 * stay the same.
 */
function stateContext(
  source: string,
  extensions: readonly string[],
  hasDrawBufferLimit: boolean,
): string {
  const line = VERSION_LINE.exec(source);
  const isEs100 = line?.[0].includes('300') !== true;
  const told = isEs100 && hasDrawBufferLimit ? `${DRAW_BUFFERS}\n` : '';
  const offer = `${told}#pragma tessera_extensions(${extensions.join(' ')})`;
  if (line === null) return `#version 100\n${offer}\n#line 1\n${source}`;
  const end = line.index + line[0].length;
  const lineCount = source.slice(0, end).split(/\r\n|\r|\n/).length;
  const head = line[1] === '' ? `${source.slice(0, end)}\n` : source.slice(0, end);
  return `${head}${offer}\n#line ${lineCount}\n${source.slice(end)}`;
}
