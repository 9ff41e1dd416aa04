/**
 * Slice of a vertex shader that determines positions and sizes of primitives (minimal vertex shader
 * in figure 3 of the two-level binning patent). No pass reassociates, so the slice computes the
 * same bits.
 */
import { OUTSIDE_SLOT, POINT_SIZE_SLOT } from '@tessera/frame';
import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { optimizeAgain } from './optimize.ts';

/**
 * Removes all outputs except gl_Position, gl_PointSize and the bits of negative distances from the
 * optimized `program`. The bins of points depend on the size, and primitives are culled by the
 * bits.
 */
export function slicePosition(program: IrProgram): IrProgram {
  return optimizeAgain({ ...program, body: dropVaryings(program.body) });
}

const isKept = (slot: number): boolean => slot <= POINT_SIZE_SLOT || slot === OUTSIDE_SLOT;

function dropVaryings(region: IrRegion): IrRegion {
  return region
    .filter((node) => node.kind !== 'output' || isKept(node.slot))
    .map((node): IrNode => {
      if (node.kind === 'if') {
        return {
          ...node,
          then: dropVaryings(node.then),
          else: dropVaryings(node.else),
        };
      }
      if (node.kind === 'block' || node.kind === 'loop') {
        return { ...node, body: dropVaryings(node.body) };
      }
      return node;
    });
}
