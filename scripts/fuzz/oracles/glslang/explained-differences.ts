/** Known differences between the front end and glslang 12, with the reason for each. */
import type { Shader } from './run-glslang.ts';

/** Shader that only one of the two accepts. */
export interface Difference {
  readonly shader: Shader;
  /** First error of the front end; null if it accepts the shader. */
  readonly ours: string | null;
  readonly theirs: string | null;
}

interface ExplainedDifference {
  readonly name: string;
  readonly reason: string;
  readonly matches: (difference: Difference) => boolean;
}

/** All known differences. */
export const EXPLAINED_DIFFERENCES: readonly ExplainedDifference[] = [
  {
    name: 'no main',
    reason: 'glslang looks for main when it links, the front end when it compiles, as WebGL does',
    matches: ({ ours }) => ours?.endsWith(': missing main()') === true,
  },
  {
    name: 'desktop version',
    reason: 'glslang also compiles desktop GLSL and GLSL ES 3.10, which this comparison excludes',
    matches: ({ ours }) => ours?.endsWith(': version number is not supported') === true,
  },
  {
    name: 'reserved name',
    reason:
      'glslang lets functions and structs be called gl_… (GLSL ES 3.00, section 3.8, reserves the names)',
    matches: ({ ours }) => ours?.endsWith(': identifiers starting with gl_ are reserved') === true,
  },
  {
    name: 'plus of a bool',
    reason: 'glslang accepts +b for a bool (GLSL ES 3.00, section 5.9: integers and floats only)',
    matches: ({ ours }) => ours?.endsWith("'+' : wrong operand type bool") === true,
  },
  {
    name: 'constant product of components',
    reason: 'glslang does not evaluate matrixCompMult of constants (section 4.3.3 requires it)',
    matches: ({ shader, theirs }) =>
      theirs?.includes('global const initializers must be constant') === true &&
      shader.source.includes('matrixCompMult'),
  },
];

/** Returns the name of the explanation, or null. */
export function explainDifference(difference: Difference): string | null {
  return EXPLAINED_DIFFERENCES.find(({ matches }) => matches(difference))?.name ?? null;
}
