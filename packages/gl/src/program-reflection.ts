/** What linking needs to know of GLSL; whoever makes a context brings the compiler's view of it. */
import type { AttributeInfo, SamplerInfo, ShaderProgram, UniformInfo } from '@tessera/frame';

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
  /** Compiles and links a pair of sources as far as needed to name its inputs. */
  reflect(
    vertexSource: string,
    fragmentSource: string,
    defaultVersion: DefaultGlslVersion,
  ): ReflectedProgram;
}

/** The reflection of a program that the compiler made. */
export function reflectShaderProgram(
  program: Pick<ShaderProgram, 'attributes' | 'uniforms' | 'samplers'>,
): ReflectedProgram {
  const { attributes, uniforms, samplers } = program;
  return { isLinked: true, log: '', attributes, uniforms, samplers };
}
