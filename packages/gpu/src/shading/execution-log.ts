/**
 * Calls kernels that log their execution, for cycle timing. Each call has as many groups as the log
 * has room for, and a listener reads the log after each call.
 */
import type { IsaProgram } from '@tessera/frame';
import {
  EXECUTION_LOG,
  findLogSites,
  logBytesPerGroup,
  QUAD_RECORD,
  STAGE_STATUS,
  vertexInputCount,
} from '@tessera/shader/codegen';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { FragmentKernel, VertexKernel } from './shader-kernel.ts';

const VECTOR_BYTES = 16;
const GROUPS_PER_WARP = 8;

/** Listener to calls of kernels. The log holds the records of a call until the next one. */
export interface LogListener {
  /**
   * Called after a call on vertices. `firstVertex` is an index into the list of shaded vertices.
   */
  onVertices(groupPtr: number, groupBytes: number, groupCount: number, firstVertex: number): void;
  onQuads(groupPtr: number, groupBytes: number, groupCount: number): void;
}

/** Returns whether a program does anything that is logged. */
export function isLogging(program: IsaProgram): boolean {
  return findLogSites(program).sites.length > 0;
}

/** Execution log of a chiplet and its listener. */
export class ExecutionLog {
  listener: LogListener | null = null;
  readonly #memory: ChipletMemory;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
  }

  vertexKernel(kernel: VertexKernel, program: IsaProgram): VertexKernel {
    const inputBytes = vertexInputCount(program) * VECTOR_BYTES;
    const outputBytes = program.outputSlots.length * VECTOR_BYTES;
    const most = this.#groupsPerCall(program);
    return (inputPtr, outputPtr, groupCount, ...rest) => {
      for (let done = 0; done < groupCount; done += most) {
        const count = Math.min(most, groupCount - done);
        const groupPtr = inputPtr + done * inputBytes;
        this.#clear();
        const status = kernel(groupPtr, outputPtr + done * outputBytes, count, ...rest);
        if (status !== STAGE_STATUS.done) return status;
        this.listener?.onVertices(groupPtr, inputBytes, count, 4 * done);
      }
      return STAGE_STATUS.done;
    };
  }

  fragmentKernel(kernel: FragmentKernel, program: IsaProgram): FragmentKernel {
    const outputBytes = program.outputSlots.length * VECTOR_BYTES;
    const most = this.#groupsPerCall(program);
    return (quadsPtr, quadCount, primitivesPtr, outputPtr, ...rest) => {
      for (let done = 0; done < quadCount; done += most) {
        const count = Math.min(most, quadCount - done);
        const groupPtr = quadsPtr + done * QUAD_RECORD.bytes;
        this.#clear();
        const to = outputPtr + done * outputBytes;
        const status = kernel(groupPtr, count, primitivesPtr, to, ...rest);
        if (status !== STAGE_STATUS.done) return status;
        this.listener?.onQuads(groupPtr, QUAD_RECORD.bytes, count);
      }
      return STAGE_STATUS.done;
    };
  }

  /**
   * Returns the number of groups per call, a multiple of a warp's. The size of a loop's records is
   * unknown, so warps of such programs run one by one.
   */
  #groupsPerCall(program: IsaProgram): number {
    const sites = findLogSites(program);
    if (sites.sites.some(({ kind }) => kind === 'loop')) return GROUPS_PER_WARP;
    const room = this.#memory.executionLogBytes - EXECUTION_LOG.records;
    const warps = Math.floor(room / (GROUPS_PER_WARP * logBytesPerGroup(sites)));
    return GROUPS_PER_WARP * Math.max(1, warps);
  }

  #clear(): void {
    const { i32, executionLogPtr } = this.#memory;
    const records = executionLogPtr + EXECUTION_LOG.records;
    i32[(executionLogPtr + EXECUTION_LOG.cursor) >> 2] = records;
  }
}
