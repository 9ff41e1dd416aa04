/**
 * Slice of a vertex shader that determines positions and sizes of primitives (minimal vertex shader
 * in figure 3 of the two-level binning patent). No pass reassociates, so the slice computes the
 * same bits.
 */
import { POINT_SIZE_SLOT } from '@tessera/frame';
import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { optimizeAgain } from './optimize.ts';

/**
 * Removes all outputs except gl_Position and gl_PointSize from the optimized `program`. The bins of
 * points depend on the size.
 */
export function slicePosition(program: IrProgram): IrProgram {
  return optimizeAgain({ ...program, body: dropOutputs(program.body, POINT_SIZE_SLOT) });
}

/** Returns `region` without outputs above slot `lastSlot`. */
function dropOutputs(region: IrRegion, lastSlot: number): IrRegion {
  return region
    .filter((node) => node.kind !== 'output' || node.slot <= lastSlot)
    .map((node): IrNode => {
      if (node.kind === 'if') {
        return {
          ...node,
          then: dropOutputs(node.then, lastSlot),
          else: dropOutputs(node.else, lastSlot),
        };
      }
      if (node.kind === 'block' || node.kind === 'loop') {
        return { ...node, body: dropOutputs(node.body, lastSlot) };
      }
      return node;
    });
}
