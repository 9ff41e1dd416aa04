/** What linking needs to know of GLSL; whoever makes a context brings the compiler's view of it. */
import {
  type AttributeInfo,
  type ProgramSource,
  RenderError,
  type SamplerInfo,
  type ShaderProgram,
  type UniformInfo,
} from '@tessera/frame';
import type { DefaultGlslVersion } from '../../rules/api-rules.ts';

/** A scalar, vector, matrix, or array of these in a uniform block. */
export interface ReflectedBlockMember
  extends Pick<UniformInfo, 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray'> {
  /** Behind the name of the block or its instance: `.a`, `.b[0]` for an array, `.c[1].d`. */
  readonly path: string;
  readonly offsetBytes: number;
  /** From element to element; 0 for what is no array. */
  readonly arrayStrideBytes: number;
  /** From column to column, or from row to row; 0 for what is no matrix. */
  readonly matrixStrideBytes: number;
  readonly isRowMajor: boolean;
}

export interface ReflectedBlock {
  readonly name: string;
  /** `null` for a block that is no array of blocks. */
  readonly arrayLength: number | null;
  /** Whether members are named with the block in front. */
  readonly hasInstanceName: boolean;
  readonly sizeBytes: number;
  readonly members: readonly ReflectedBlockMember[];
  /** Stages that read something of it. */
  readonly readers: readonly ('vertex' | 'fragment')[];
}

/** An output of a stage. */
export type ReflectedOutput = Pick<
  UniformInfo,
  'name' | 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray'
>;

export interface ReflectedProgram {
  /** Whether the pair compiles and links. The lists are empty otherwise. */
  readonly isLinked: boolean;
  /** The compiler's messages. */
  readonly log: string;
  readonly attributes: readonly (Pick<
    AttributeInfo,
    'name' | 'scalarType' | 'componentCount' | 'locationCount'
  > & {
    /** From the source; missing or `null`: the context chooses. */
    readonly location?: number | null;
  })[];
  /** Names of the numbers of vertices and instances that are read. Missing: unknown. */
  readonly builtInAttributes?: readonly string[];
  readonly uniforms: readonly Pick<
    UniformInfo,
    'name' | 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray' | 'initialValue'
  >[];
  readonly samplers: readonly (Pick<
    SamplerInfo,
    'name' | 'dimension' | 'isShadow' | 'arrayLength'
  > & {
    /** Missing: `float`. */
    readonly scalarType?: 'float' | 'int' | 'uint';
  })[];
  /** Missing: none. */
  readonly blocks?: readonly ReflectedBlock[];
  /** Of the vertex stage, for transform feedback. Missing: unknown. */
  readonly vertexOutputs?: readonly ReflectedOutput[];
  /** Colours of the fragment stage that the source names. Missing: unknown. */
  readonly fragmentOutputs?: readonly (ReflectedOutput & { readonly location: number })[];
}

/** A shader after `compileShader`. */
export interface CompiledShader {
  readonly isCompiled: boolean;
  readonly log: string;
  /** What frames get to compile: it means the same outside of the context. */
  readonly source: string;
}

export interface ProgramReflection {
  /** Checks a shader when it is compiled. Missing: errors come when it is linked. */
  compile?(stage: 'vertex' | 'fragment', source: string): CompiledShader;
  /**
   * Compiles and links a pair of sources as far as needed to name its inputs.
   *
   * @param vertexSource As `compile` gives it; else with a `#version` line, which the context adds where there is none.
   * @param defaultVersion The version it adds.
   * @param attributeLocations Those asked for.
   */
  reflect(
    vertexSource: string,
    fragmentSource: string,
    defaultVersion: DefaultGlslVersion,
    attributeLocations?: ReadonlyMap<string, number>,
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
