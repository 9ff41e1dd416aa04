/**
 * Which vertex shader the visibility phase of a pass runs (patent US 12,051,154, fig. 3: 306–310).
 *
 * `auto`: the full shader is worth its cost if chiplet 0 renders a bin with the vertices at once, and so saves
 * shading that bin's vertices later. With p primitives a draw, full shaders of f instructions, minimal ones of m
 * and B bins it costs Σ p (f − m) and saves about Σ p f / B. Full if it costs no more than it saves, so always
 * where the shaders are equally long, and where one bin covers the target; never where no bin can be rendered
 * early and the shaders differ.
 */
import { coarseBinCount, type PreparedFrame } from '@tessera/frame';
import { summarizeProgram } from '@tessera/shader/isa';
import { primitiveCountOf } from './bound-draw.ts';

/** @param canRenderBin Whether there is a bin to render early and room for it. */
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
