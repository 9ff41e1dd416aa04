/**
 * Replays copies between buffers, indexed bindings and uniform blocks (OpenGL 3.1, sections 2.9 and
 * 2.11.4).
 */
import type { CapturedCall } from '../format/capture-reader.ts';
import { numberOf, stringOf, takeNumbers, toNumber } from './call-arguments.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

function bindIndexed({ gl, shared }: RecordedContext, call: CapturedCall, hasSize: boolean): void {
  const [target, index] = takeNumbers(call, 'target', 'index');
  const offset = 'offset' in call.args ? numberOf(call, 'offset') : 0;
  const size = hasSize ? numberOf(call, 'size') : null;
  gl.buffers.bindIndexed(target, index, shared.buffers.get(numberOf(call, 'buffer')), offset, size);
}

/** Replay functions of buffer ranges and uniform blocks, by function name. */
export const BUFFER_RANGE_CALLS: Readonly<Record<string, CallReplay>> = {
  glCopyBufferSubData: ({ gl }, call) =>
    gl.buffers.copy(
      ...takeNumbers(call, 'readTarget', 'writeTarget', 'readOffset', 'writeOffset', 'size'),
    ),
  glBindBufferBase: (context, call) => bindIndexed(context, call, false),
  glBindBufferOffset: (context, call) => bindIndexed(context, call, false),
  glBindBufferRange: (context, call) => bindIndexed(context, call, true),
  glGetUniformBlockIndex: ({ shared }, call) => {
    const program = numberOf(call, 'program');
    const recorded = toNumber(call.result) ?? 0;
    const names = shared.blockNames.get(program) ?? new Map<number, string>();
    shared.blockNames.set(program, names.set(recorded, stringOf(call, 'uniformBlockName')));
  },
  glUniformBlockBinding: ({ gl, shared }, call) => {
    const program = numberOf(call, 'program');
    const recorded = numberOf(call, 'uniformBlockIndex');
    const name = shared.programs.get(program);
    const block = shared.blockNames.get(program)?.get(recorded);
    const index = block === undefined ? recorded : gl.programs.blockIndex(name, block);
    gl.programs.bindBlock(name, index, numberOf(call, 'uniformBlockBinding'));
  },
};
