/**
 * Description of the parts of a program's interface that a compiled program lacks: uniform blocks
 * and the types of integer samplers.
 */
import type { ProgramSource } from '@tessera/frame';
import { checkShader } from '../glsl/check-shader.ts';
import {
  describeInterface,
  listVertexOutputs,
  type ProgramInterface,
} from './program-interface.ts';

/** Uniform blocks and samplers of a program. */
export type ProgramDescription = Pick<ProgramInterface, 'blocks' | 'samplers'>;

const NOTHING: ProgramDescription = { blocks: [], samplers: [] };
/** Finds declarations that the description contains, also in comments and macros. */
const DESCRIBED = /\b[iu]sampler|\buniform\b[^;{]*\{/;

/** Describes a program that compiles and links. */
export function describeProgram({
  vertexSource,
  fragmentSource,
}: ProgramSource): ProgramDescription {
  if (!DESCRIBED.test(vertexSource) && !DESCRIBED.test(fragmentSource)) return NOTHING;
  const vertex = checkShader(vertexSource, { stage: 'vertex' });
  const fragment = checkShader(fragmentSource, { stage: 'fragment' });
  const { blocks, samplers } = describeInterface(vertex, fragment);
  return { blocks, samplers };
}

/** Lists the outputs of a vertex shader that compiles. */
export function describeVertexOutputs(vertexSource: string): ProgramInterface['vertexOutputs'] {
  return listVertexOutputs(checkShader(vertexSource, { stage: 'vertex' }));
}
