/** One shader through the whole compiler by itself, with all that it is on the way; for looking at it. */
import type { IsaProgram } from '@tessera/frame';
import { type CheckShaderOptions, checkShader } from './glsl/check-shader.ts';
import type { IrProgram } from './ir/ir.ts';
import { optimize } from './ir/passes/optimize.ts';
import { slicePosition } from './ir/passes/position-slice.ts';
import { selectInstructions } from './isa/select-instructions.ts';
import { lowerShader } from './lower/lower-shader.ts';
import type { InterfaceVariable } from './lower/stage-interface.ts';
import type { Diagnostic } from './tree/checked-tree.ts';

/** One form of a stage in IR and in ISA. */
export interface StageCode {
  readonly ir: IrProgram;
  readonly isa: IsaProgram;
}

/** A name and where its first number is: a word `c`, texture slot `t`, input `i` or output `o`. */
export interface StageName {
  readonly kind: 'uniform' | 'sampler' | 'input' | 'output';
  readonly name: string;
  readonly first: number;
}

export interface CompiledStage {
  readonly diagnostics: readonly Diagnostic[];
  /** `null` if the shader has errors. */
  readonly code: StageCode | null;
  /** What of a vertex shader decides where primitives are; `null` for others and with errors. */
  readonly positionOnly: StageCode | null;
  /** What the numbers in the code stand for. In a linked program they may be others. */
  readonly names: readonly StageName[];
}

/** Compiles the source of one shader, not linked with another: every varying counts as read. */
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
