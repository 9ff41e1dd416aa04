/**
 * Reflection of GLSL that linking needs. The creator of a context provides the compiler that
 * reflects.
 */
import {
  type AttributeInfo,
  type ProgramSource,
  RenderError,
  type SamplerInfo,
  type ShaderProgram,
  type UniformInfo,
} from '@tessera/frame';
import type { DefaultGlslVersion } from '../../rules/api-rules.ts';

/** Scalar, vector, matrix, or array of these in a uniform block. */
export interface ReflectedBlockMember
  extends Pick<UniformInfo, 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray'> {
  /** Name after that of the block or its instance: `.a`, `.b[0]` for an array, `.c[1].d`. */
  readonly path: string;
  readonly offsetBytes: number;
  /** Distance between elements, in bytes; 0 if not an array. */
  readonly arrayStrideBytes: number;
  /** Distance between columns or between rows, in bytes; 0 if not a matrix. */
  readonly matrixStrideBytes: number;
  readonly isRowMajor: boolean;
}

/** Uniform block of a program. */
export interface ReflectedBlock {
  readonly name: string;
  /** Number of blocks in an array of blocks; `null` for a single block. */
  readonly arrayLength: number | null;
  /** Whether names of members start with the block's name. */
  readonly hasInstanceName: boolean;
  readonly sizeBytes: number;
  readonly members: readonly ReflectedBlockMember[];
  /** Stages that read the block. */
  readonly readers: readonly ('vertex' | 'fragment')[];
}

/** Output of a stage. */
export type ReflectedOutput = Pick<
  UniformInfo,
  'name' | 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray'
>;

/** Inputs and outputs of a linked program. */
export interface ReflectedProgram {
  /** Whether the pair compiles and links. Otherwise the lists are empty. */
  readonly isLinked: boolean;
  /** Messages of the compiler. */
  readonly log: string;
  readonly attributes: readonly (Pick<
    AttributeInfo,
    'name' | 'scalarType' | 'componentCount' | 'locationCount'
  > & {
    /** Location in the source; if missing or `null`, the context assigns one. */
    readonly location?: number | null;
  })[];
  /** Names of the built-in vertex and instance indices that are read; unknown if missing. */
  readonly builtInAttributes?: readonly string[];
  /** Names of the uniforms that each draw sets, such as `gl_DrawID`; none if missing. */
  readonly drawConstants?: readonly string[];
  /** Number of views of each draw (OVR_multiview2); 1 if missing. */
  readonly viewCount?: number;
  readonly uniforms: readonly Pick<
    UniformInfo,
    'name' | 'scalarType' | 'rows' | 'columns' | 'arrayLength' | 'isArray' | 'initialValue'
  >[];
  readonly samplers: readonly (Pick<
    SamplerInfo,
    'name' | 'dimension' | 'isShadow' | 'arrayLength'
  > & {
    /** Scalar type; `float` if missing. */
    readonly scalarType?: 'float' | 'int' | 'uint';
  })[];
  /** Uniform blocks; none if missing. */
  readonly blocks?: readonly ReflectedBlock[];
  /** Outputs of the vertex stage, for transform feedback; if missing, see `describeOutputs`. */
  readonly vertexOutputs?: readonly ReflectedOutput[];
  /**
   * Fragment colors that the source names or, in GLSL ES 1.00, writes as built-in variables;
   * unknown if missing.
   */
  readonly fragmentOutputs?: readonly (ReflectedOutput & {
    readonly location: number;
    /** Blend source that the output is: 0 if missing, or 1 for the second color. */
    readonly index?: number;
  })[];
}

/** Result of `compileShader`. */
export interface CompiledShader {
  readonly isCompiled: boolean;
  readonly log: string;
  /** Source for frames, whose meaning does not depend on the context. */
  readonly source: string;
}

/** Reflection of shaders and programs by a compiler. */
export interface ProgramReflection {
  /** Checks a shader at its compilation. If missing, errors appear at the link. */
  compile?(stage: 'vertex' | 'fragment', source: string): CompiledShader;
  /**
   * Compiles and links a pair of sources to the extent needed to list its inputs.
   *
   * @param vertexSource Source returned by `compile`; otherwise one with a `#version` line, which
   *   the context adds if missing.
   * @param defaultVersion Version that the context adds.
   * @param attributeLocations Requested locations.
   */
  reflect(
    vertexSource: string,
    fragmentSource: string,
    defaultVersion: DefaultGlslVersion,
    attributeLocations?: ReadonlyMap<string, number>,
  ): ReflectedProgram;
  /** Returns the outputs of a vertex shader that is part of a program that links. */
  describeOutputs?(vertexSource: string): readonly ReflectedOutput[];
}

/** Parts of a program's interface that a compiled program lacks. */
export interface ProgramDetails {
  readonly blocks: readonly ReflectedBlock[];
  readonly samplers: readonly Pick<ReflectedProgram['samplers'][number], 'name' | 'scalarType'>[];
}

/** Adds the details to a reflection. Members of blocks are no uniforms that programs set. */
function addDetails(
  plain: ReflectedProgram,
  { blocks, samplers }: ProgramDetails,
): ReflectedProgram {
  if (blocks.length === 0 && samplers.length === 0) return plain;
  const isMember = (name: string): boolean =>
    blocks.some((block) => name.startsWith(`${block.name}.`) || name.startsWith(`${block.name}[`));
  return {
    ...plain,
    uniforms: plain.uniforms.filter(({ name }) => !isMember(name)),
    samplers: plain.samplers.map((sampler) => ({
      ...sampler,
      scalarType: samplers.find(({ name }) => name === sampler.name)?.scalarType ?? 'float',
    })),
    blocks,
  };
}

/** Compiler of programs. */
export interface ProgramCompiler {
  /** Compiles a program. Throws a `RenderError` SHADER_COMPILE_FAILED with the log. */
  compile(source: ProgramSource): Pick<ShaderProgram, 'attributes' | 'uniforms' | 'samplers'>;
  /**
   * Returns the uniform blocks and the types of samplers of a program that compiles. Without it,
   * programs have no blocks, and all samplers are of floats.
   */
  describe?(source: ProgramSource): ProgramDetails;
  /** Returns the outputs of a vertex shader that compiles. Without it, none can be captured. */
  describeOutputs?(vertexSource: string): readonly ReflectedOutput[];
}

/**
 * Returns a reflection that uses the whole compiler. Sources have explicit versions, as in the
 * frame's programs, so a compiler with a cache compiles each program once.
 */
export function reflectByCompiling(compiler: ProgramCompiler): ProgramReflection {
  return {
    describeOutputs: (vertexSource) => compiler.describeOutputs?.(vertexSource) ?? [],
    reflect(vertexSource, fragmentSource) {
      try {
        const source = { vertexSource, fragmentSource };
        const { attributes, uniforms, samplers } = compiler.compile(source);
        const plain = { isLinked: true, log: '', attributes, uniforms, samplers };
        const details = compiler.describe?.(source);
        return details === undefined ? plain : addDetails(plain, details);
      } catch (error) {
        if (!(error instanceof RenderError) || error.code !== 'SHADER_COMPILE_FAILED') throw error;
        const log = error.message;
        return { isLinked: false, log, attributes: [], uniforms: [], samplers: [] };
      }
    },
  };
}
