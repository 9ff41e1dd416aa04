import { type Draw, RenderError, type UniformValue } from '@tessera/frame';
import type { DrawProgram } from '../../fixed/draw-programs.ts';
import type { BufferState } from '../../objects/buffers/buffer-objects.ts';
import { type BuiltInState, readBuiltInUniform } from './built-in-uniforms.ts';

/** State that uniforms are read from. */
export interface UniformState extends BuiltInState {
  readonly buffers: Pick<BufferState, 'uniformBytes'>;
}

/** Values of a draw's built-in uniforms by name; 0 for one that is missing. */
export type DrawConstants = Readonly<Partial<Record<ConstantName, number>>>;

const CONSTANTS = ['gl_DrawID', 'gl_NumSamples', 'gl_ViewID_OVR'] as const;
type ConstantName = (typeof CONSTANTS)[number];

/** Names of the uniforms that each draw sets. */
const CONSTANT_NAMES: ReadonlySet<string> = new Set(CONSTANTS);

/** Returns the values of all uniforms by name, or the reason why a uniform block cannot be read. */
export function collectUniforms(
  program: DrawProgram,
  state: UniformState,
  constants: DrawConstants,
): Draw['uniforms'] | string {
  const values = collectPlainUniforms(program, state, constants);
  const { blocks } = program;
  if (blocks === undefined || blocks.blocks.length === 0) return values;
  return blocks.addTo(values, (binding) => state.buffers.uniformBytes(binding));
}

/**
 * Returns the values of the uniforms outside blocks.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for a built-in uniform without a value.
 */
export function collectPlainUniforms(
  { uniforms }: DrawProgram,
  state: BuiltInState,
  constants: DrawConstants = {},
): Draw['uniforms'] {
  if (uniforms.builtInNames.length === 0) return uniforms.snapshot();
  const values: Record<string, UniformValue> = { ...uniforms.snapshot() };
  for (const name of uniforms.builtInNames) {
    const value = CONSTANT_NAMES.has(name)
      ? [constants[name as keyof DrawConstants] ?? 0]
      : readBuiltInUniform(name, state);
    if (value === null) throw new RenderError('FRAME_UNSUPPORTED', `built-in uniform ${name}`);
    values[name] = value;
  }
  return values;
}
