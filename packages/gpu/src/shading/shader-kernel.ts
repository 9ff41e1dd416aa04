/** Signatures of the kernels that the shader back end generates. */
import { RenderError } from '@tessera/frame';
import { STAGE_STATUS } from '@tessera/shader/codegen';

/** Shades `groupCount` groups of four vertices. Returns a status; see {@link checkKernelStatus}. */
export type VertexKernel = (
  inputPtr: number,
  outputPtr: number,
  groupCount: number,
  constantsPtr: number,
  texturesPtr: number,
  scratchPtr: number,
) => number;

/** Shades a list of quads and clears discarded lanes in their masks. Returns a status. */
export type FragmentKernel = (
  quadsPtr: number,
  quadCount: number,
  primitivesPtr: number,
  outputPtr: number,
  constantsPtr: number,
  texturesPtr: number,
  scratchPtr: number,
) => number;

/**
 * Checks the status of a kernel call.
 *
 * @throws {RenderError} SHADER_BUDGET_EXCEEDED, LIMIT_EXCEEDED or FRAME_CANCELLED if the kernel
 *   stopped early.
 */
export function checkKernelStatus(status: number, stage: 'vertex' | 'fragment'): void {
  if (status === STAGE_STATUS.done) return;
  if (status === STAGE_STATUS.budgetExceeded) {
    throw new RenderError(
      'SHADER_BUDGET_EXCEEDED',
      `${stage} shader: an invocation ran longer than the instruction budget allows`,
    );
  }
  if (status === STAGE_STATUS.logFull) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `${stage} shader: the loops of a warp made more texture lookups than timing=cycle can record`,
    );
  }
  if (status === STAGE_STATUS.stopped) {
    throw new RenderError('FRAME_CANCELLED', 'the frame was released');
  }
  throw new Error(`${stage} kernel: unknown status ${status}`);
}
