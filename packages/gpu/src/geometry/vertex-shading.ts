/** Runs a vertex kernel over the vertex input pool, four vertices per group. */
import type { VertexStage } from '../command/bound-draw.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { checkKernelStatus } from '../shading/shader-kernel.ts';

/** Shades vertices 0 to `count` − 1 and writes the vertex output pool. */
export function shadeVertices(
  memory: ChipletMemory,
  { kernel, instructionCount }: Pick<VertexStage, 'kernel' | 'instructionCount'>,
  count: number,
  constantsPtr: number,
  texturesPtr: number,
): void {
  const { vertexInputPtr, vertexOutputPtr, scratchPtr } = memory;
  const groupCount = (count + 3) >> 2;
  checkKernelStatus(
    kernel(vertexInputPtr, vertexOutputPtr, groupCount, constantsPtr, texturesPtr, scratchPtr),
    'vertex',
  );
  memory.instructions.add(groupCount, instructionCount);
}
