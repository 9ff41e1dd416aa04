/** How the units of a chiplet call the kernels that the shader back end generates. */
import { RenderError } from '@tessera/frame';

/** Shades `groupCount` groups of four vertices. Returns a status, see {@link checkKernelStatus}. */
export type VertexKernel = (
  inputPtr: number,
  outputPtr: number,
  groupCount: number,
  constantsPtr: number,
  texturesPtr: number,
  scratchPtr: number,
) => number;

/** Shades a list of quads; discarded lanes are cleared in their masks. Returns a status. */
export type FragmentKernel = (
  quadsPtr: number,
  quadCount: number,
  primitivesPtr: number,
  outputPtr: number,
  constantsPtr: number,
  texturesPtr: number,
  scratchPtr: number,
) => number;

const STATUS_DONE = 0;
const STATUS_OVER_BUDGET = 1;

/** @throws {RenderError} SHADER_BUDGET_EXCEEDED if the kernel gave up. */
export function checkKernelStatus(status: number, stage: 'vertex' | 'fragment'): void {
  if (status === STATUS_DONE) return;
  if (status === STATUS_OVER_BUDGET) {
    throw new RenderError(
      'SHADER_BUDGET_EXCEEDED',
      `${stage} shader: an invocation ran longer than the instruction budget allows`,
    );
  }
  throw new Error(`${stage} kernel: unknown status ${status}`);
}
