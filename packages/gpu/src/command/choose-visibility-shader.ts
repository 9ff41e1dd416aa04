/**
 * Choice of the vertex shader that the visibility phase of a pass runs (patent US 12,051,154, fig.
 * 3: 306–310).
 *
 * `auto` compares cost and saving of the full shader. It is worth its cost if chiplet 0 also
 * renders a bin with the shaded vertices, which saves shading them later. Let a draw have p
 * primitives, a full shader of f instructions and a minimal one of m, with B bins. The cost is Σ p
 * (f − m), the saving about Σ p f / B. The full shader runs if the cost does not exceed the saving.
 * That is always so if both shaders are equally long or one bin covers the target. It is never so
 * if no bin can be rendered early and the shaders differ.
 */
import { coarseBinCount, type PreparedFrame, primitiveCountOf } from '@tessera/frame';
import { summarizeProgram } from '@tessera/shader/isa';

/**
 * Returns the shader to run.
 *
 * @param canRenderBin Whether a bin can be rendered early and there is room for it.
 */
export function chooseVisibilityShader(
  { commands, programs }: PreparedFrame,
  passIndex: number,
  canRenderBin: boolean,
): 'minimal' | 'full' {
  if (commands.visibilityShader !== 'auto') return commands.visibilityShader;
  const costs = new Map<number, { full: number; extra: number }>();
  let extra = 0;
  let full = 0;
  for (const draw of commands.passes[passIndex]!.draws) {
    let cost = costs.get(draw.programIndex);
    if (cost === undefined) {
      const { vertex, positionOnly } = programs[draw.programIndex]!;
      const length = summarizeProgram(vertex).instructionCount;
      cost = { full: length, extra: length - summarizeProgram(positionOnly).instructionCount };
      costs.set(draw.programIndex, cost);
    }
    const primitives = primitiveCountOf(draw);
    extra += primitives * cost.extra;
    full += primitives * cost.full;
  }
  const saved = canRenderBin ? full / coarseBinCount(commands.grid) : 0;
  return extra <= saved ? 'full' : 'minimal';
}
