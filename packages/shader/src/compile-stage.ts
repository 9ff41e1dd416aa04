/** Compiles one shader by itself and keeps every intermediate form, for inspection. */
import type { IsaProgram } from '@tessera/frame';
import { type CheckShaderOptions, checkShader } from './glsl/check-shader.ts';
import type { IrProgram } from './ir/ir.ts';
import { optimize } from './ir/passes/optimize.ts';
import { slicePosition } from './ir/passes/position-slice.ts';
import { selectInstructions } from './isa/select-instructions.ts';
import { lowerShader } from './lower/lower-shader.ts';
import type { InterfaceVariable } from './lower/stage-interface.ts';
import type { Diagnostic } from './tree/checked-tree.ts';

/** Code of one stage as IR and as ISA. */
export interface StageCode {
  readonly ir: IrProgram;
  readonly isa: IsaProgram;
}

/**
 * Name of an interface variable with its first number: constant word, texture slot, input slot or
 * output slot.
 */
export interface StageName {
  readonly kind: 'uniform' | 'sampler' | 'input' | 'output';
  readonly name: string;
  readonly first: number;
}

/** Result of compiling one shader, with its intermediate forms. */
export interface CompiledStage {
  readonly diagnostics: readonly Diagnostic[];
  /** Code of the whole shader; `null` if it has errors. */
  readonly code: StageCode | null;
  /**
   * Slice of a vertex shader that computes the position; `null` for fragment shaders and after
   * errors.
   */
  readonly positionOnly: StageCode | null;
  /** Names behind the numbers in the code. A linked program may number them differently. */
  readonly names: readonly StageName[];
}

/** Compiles one shader without linking. All varyings count as used. */
export function compileStage(source: string, options: CheckShaderOptions): CompiledStage {
  const checked = checkShader(source, options);
  const { diagnostics } = checked;
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    return { diagnostics, code: null, positionOnly: null, names: [] };
  }
  const lowered = lowerShader(checked);
  const ir = optimize(lowered.program);
  const slice = options.stage === 'vertex' ? slicePosition(ir) : null;
  const { uniforms, samplers, inputs, varyingOutputs } = lowered.interface;
  return {
    diagnostics,
    code: { ir, isa: selectInstructions(ir) },
    positionOnly: slice && { ir: slice, isa: selectInstructions(slice) },
    names: [
      ...namesOf('uniform', uniforms),
      ...namesOf('sampler', samplers),
      ...namesOf('input', inputs),
      ...namesOf('output', varyingOutputs),
    ],
  };
}

function namesOf(kind: StageName['kind'], variables: readonly InterfaceVariable[]): StageName[] {
  return variables.map(({ name, first }) => ({ kind, name, first }));
}
