/**
 * Uniform blocks, fragment outputs and internal format queries of WebGL 2 (WebGL 2.0, sections
 * 3.7.5, 3.7.7 and 3.7.16).
 */

import { CORE, type ContextObject } from '../../context/call-table.ts';
import { enumName, GL } from '../../interface/constants.ts';
import type { WebGLProgram } from '../../objects/webgl-program.ts';
import { sampleCounts } from '../state/parameters.ts';
import { requireLinked } from './program-calls.ts';

/** WebGL calls for uniform blocks, fragment outputs and internal formats. */
export const blockCalls = {
  uniformBlockBinding(
    this: ContextObject,
    program: WebGLProgram,
    blockIndex: number,
    binding: number,
  ): void {
    const core = this[CORE];
    const found = requireLinked(core, 'uniformBlockBinding', program);
    if (found !== null) core.gl.programs.bindBlock(found.glName, blockIndex >>> 0, binding >>> 0);
  },

  getActiveUniformBlockParameter(
    this: ContextObject,
    program: WebGLProgram,
    index: number,
    parameter: number,
  ): unknown {
    const core = this[CORE];
    const caller = 'getActiveUniformBlockParameter';
    const found = requireLinked(core, caller, program);
    if (found === null) return null;
    const block = found.interface!.blocks[index >>> 0];
    if (block === undefined) {
      core.raise(GL.INVALID_VALUE, caller, `there is no uniform block ${index}`);
      return null;
    }
    switch (parameter) {
      case GL.UNIFORM_BLOCK_BINDING: {
        const { linked } = core.gl.programs.find(caller, found.glName)!;
        return linked!.blocks.blocks[index >>> 0]!.binding;
      }
      case GL.UNIFORM_BLOCK_DATA_SIZE:
        return block.sizeBytes;
      case GL.UNIFORM_BLOCK_ACTIVE_UNIFORMS:
        return block.uniformIndices.length;
      case GL.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES:
        return Uint32Array.from(block.uniformIndices);
      case GL.UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER:
        return block.readers.includes('vertex');
      case GL.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER:
        return block.readers.includes('fragment');
      default:
        core.rejectEnum(caller, 'parameter', parameter);
        return null;
    }
  },

  getFragDataLocation(this: ContextObject, program: WebGLProgram, name: string): number {
    const found = requireLinked(this[CORE], 'getFragDataLocation', program);
    return found?.interface?.findFragmentLocation(String(name)) ?? -1;
  },

  getInternalformatParameter(
    this: ContextObject,
    target: number,
    internalFormat: number,
    parameter: number,
  ): Int32Array | null {
    const core = this[CORE];
    const counts = sampleCounts(core, internalFormat);
    if (target === GL.RENDERBUFFER && counts !== null && parameter === GL.SAMPLES) return counts;
    const message = `${enumName(parameter)} is not available for ${enumName(target)} of ${enumName(internalFormat)}`;
    core.raise(GL.INVALID_ENUM, 'getInternalformatParameter', message);
    return null;
  },
};
