/** What linking needs to know of GLSL; whoever makes a context brings the compiler's view of it. */
import {
  type AttributeInfo,
  type ProgramSource,
  RenderError,
  type SamplerInfo,
  type ShaderProgram,
  type UniformInfo,
} from '@tessera/frame';

/** GLSL version of a source without `#version`: 1.00 in OpenGL ES, 1.10 on the desktop. */
export type DefaultGlslVersion = 100 | 110;

export interface ReflectedProgram {
  /** Whether the pair compiles and links. The lists are empty otherwise. */
  readonly isLinked: boolean;
  /** The compiler's messages. */
  readonly log: string;
  readonly attributes: readonly Pick<
    AttributeInfo,
    'name' | 'scalarType' | 'componentCount' | 'locationCount'
  >[];
  readonly uniforms: readonly Pick<
    UniformInfo,
    'name' | 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray' | 'initialValue'
  >[];
  readonly samplers: readonly Pick<
    SamplerInfo,
    'name' | 'dimension' | 'isShadow' | 'arrayLength'
  >[];
}

export interface ProgramReflection {
  /**
   * Compiles and links a pair of sources as far as needed to name its inputs.
   *
   * @param vertexSource With a `#version` line, which the context adds where there is none.
   * @param defaultVersion The version it adds.
   */
  reflect(
    vertexSource: string,
    fragmentSource: string,
    defaultVersion: DefaultGlslVersion,
  ): ReflectedProgram;
}

/**
 * Reflection by way of the whole compiler. Sources come with their version stated, as in the frame's
 * programs, so a compiler that keeps what it compiled does each program once.
 *
 * @param compile Throws a `RenderError` SHADER_COMPILE_FAILED with the log.
 */
export function reflectByCompiling(
  compile: (source: ProgramSource) => Pick<ShaderProgram, 'attributes' | 'uniforms' | 'samplers'>,
): ProgramReflection {
  return {
    reflect(vertexSource, fragmentSource) {
      try {
        const { attributes, uniforms, samplers } = compile({ vertexSource, fragmentSource });
        return { isLinked: true, log: '', attributes, uniforms, samplers };
      } catch (error) {
        if (!(error instanceof RenderError) || error.code !== 'SHADER_COMPILE_FAILED') throw error;
        const log = error.message;
        return { isLinked: false, log, attributes: [], uniforms: [], samplers: [] };
      }
    },
  };
}
