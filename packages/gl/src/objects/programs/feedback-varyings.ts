/**
 * Outputs of vertex shaders that transform feedback captures (OpenGL ES 3.0, sections 2.12.8 and
 * 2.15).
 */
import { makeCaptureSource } from './capture-program.ts';
import type { ProgramReflection, ReflectedOutput, ReflectedProgram } from './program-reflection.ts';

/** Requested outputs, which apply from the next link. */
export interface FeedbackRequest {
  readonly names: readonly string[];
  readonly isSeparate: boolean;
}

/** Captured output. */
export interface FeedbackVarying
  extends Pick<ReflectedOutput, 'scalarType' | 'rows' | 'columns' | 'arrayLength'> {
  /** Name as requested. */
  readonly name: string;
  /** GLSL expression of the bits of each 32-bit word, in order. */
  readonly words: readonly string[];
}

/** Maximum number of words in one interleaved buffer. */
export const MAX_INTERLEAVED_WORDS = 64;
/** Maximum number of separate buffers. */
export const MAX_SEPARATE_VARYINGS = 4;
/** Maximum number of words in each separate buffer. */
export const MAX_SEPARATE_WORDS = 4;

/** Feedback of a linked program, as in `LinkedProgram`. */
interface ReflectedFeedback {
  readonly varyings: readonly FeedbackVarying[];
  readonly isSeparate: boolean;
  readonly inputs: ReflectedProgram | null;
}

/**
 * Returns the outputs that a program captures, or the reason why the request is invalid. Where the
 * compiler removes outputs that no fragment shader reads, their inputs are those of the program
 * that captures them.
 */
export function reflectFeedback(
  request: FeedbackRequest,
  plain: ReflectedProgram,
  vertexSource: string,
  reflection: ProgramReflection,
): ReflectedFeedback | string {
  const { isSeparate } = request;
  if (request.names.length === 0) return { varyings: [], isSeparate, inputs: null };
  const { vertexOutputs } = plain;
  const outputs = vertexOutputs ?? reflection.describeOutputs?.(vertexSource) ?? [];
  const varyings = findFeedbackVaryings(request, outputs);
  if (typeof varyings === 'string') return varyings;
  if (vertexOutputs !== undefined) return { varyings, isSeparate, inputs: null };
  const words = varyings.flatMap((varying) => varying.words);
  const capture = makeCaptureSource(vertexSource, words);
  const inputs = reflection.reflect(capture.vertexSource, capture.fragmentSource, 110);
  return inputs.isLinked ? { varyings, isSeparate, inputs } : inputs.log;
}

function findFeedbackVaryings(
  { names, isSeparate }: FeedbackRequest,
  vertexOutputs: readonly ReflectedOutput[],
): readonly FeedbackVarying[] | string {
  const varyings: FeedbackVarying[] = [];
  for (const name of names) {
    const varying = findVarying(name, vertexOutputs);
    if (varying === null) return `transform feedback varying ${name} is no output`;
    if (varyings.some((other) => other.name === name)) {
      return `transform feedback varying ${name} is there twice`;
    }
    if (isSeparate && varying.words.length > MAX_SEPARATE_WORDS) {
      return `transform feedback varying ${name} has more than ${MAX_SEPARATE_WORDS} components`;
    }
    varyings.push(varying);
  }
  const wordCount = varyings.reduce((sum, { words }) => sum + words.length, 0);
  if (isSeparate && varyings.length > MAX_SEPARATE_VARYINGS) {
    return `more than ${MAX_SEPARATE_VARYINGS} transform feedback varyings`;
  }
  if (!isSeparate && wordCount > MAX_INTERLEAVED_WORDS) {
    return `transform feedback of more than ${MAX_INTERLEAVED_WORDS} components`;
  }
  return varyings;
}

/**
 * Finds an output.
 *
 * @param name Name of an output, an element of an array, or a whole array.
 */
function findVarying(name: string, outputs: readonly ReflectedOutput[]): FeedbackVarying | null {
  const [, base = name, index] = /^(.*)\[(\d+)\]$/.exec(name) ?? [];
  for (const output of outputs) {
    const { isArray, arrayLength } = output;
    if (!isArray && output.name === name) return describe(name, output, [name]);
    if (!isArray || output.name !== `${base}[0]`) continue;
    if (index !== undefined) {
      return Number(index) < arrayLength ? describe(name, output, [name]) : null;
    }
    const elements = Array.from({ length: arrayLength }, (_, i) => `${name}[${i}]`);
    return describe(name, output, elements);
  }
  return null;
}

function describe(
  name: string,
  { scalarType, rows, columns }: ReflectedOutput,
  elements: readonly string[],
): FeedbackVarying {
  const scalars = elements.flatMap((element) =>
    Array.from({ length: columns * rows }, (_, i) => {
      const column = columns > 1 ? `[${Math.floor(i / rows)}]` : '';
      return `${element}${column}${rows > 1 ? `[${i % rows}]` : ''}`;
    }),
  );
  const words = scalars.map((scalar) =>
    scalarType === 'float' ? `floatBitsToUint(${scalar})` : `uint(${scalar})`,
  );
  return { name, scalarType, rows, columns, arrayLength: elements.length, words };
}
