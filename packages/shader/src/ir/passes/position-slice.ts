/**
 * The part of a vertex shader that decides where and how large its primitives are (two-level binning
 * patent, figure 3: minimal vertex shader). No pass reassociates, so what is left computes the same bits.
 */
import { POINT_SIZE_SLOT } from '@tessera/frame';
import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { optimizeAgain } from './optimize.ts';

/** The optimised `program` without outputs other than gl_Position and gl_PointSize, which bins of points depend on. */
export function slicePosition(program: IrProgram): IrProgram {
  return optimizeAgain({ ...program, body: dropOutputs(program.body, POINT_SIZE_SLOT) });
}

/** `region` without outputs above slot `lastSlot`. */
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
