/** WEBGL_multi_draw: many draws in one call. */
import { CORE, type ContextObject } from '../context/call-table.ts';
import { GL } from '../context/constants.ts';
import type { ContextCore } from '../context/context-core.ts';
import { drawArrays, drawElements } from '../context/draw-calls.ts';

type List = ArrayLike<number>;

/** Whether every list holds that many numbers from its offset on; raises the error where one does not. */
function areLong(
  core: ContextCore,
  where: string,
  count: number,
  ...lists: readonly (readonly [list: List, offset: number])[]
): boolean {
  const isLong = ([list, offset]: readonly [List, number]): boolean =>
    offset >= 0 && offset + count <= list.length;
  if (count >= 0 && lists.every(isLong)) return true;
  const code = count < 0 ? GL.INVALID_VALUE : GL.INVALID_OPERATION;
  core.raise(code, where, `${count} draws of lists that are too short`);
  return false;
}

export const multiDrawCalls = {
  multiDrawArraysWEBGL(
    this: ContextObject,
    mode: number,
    ...[firsts, firstsOffset, counts, countsOffset, drawCount]: [List, number, List, number, number]
  ): void {
    const core = this[CORE];
    const where = 'multiDrawArraysWEBGL';
    if (!areLong(core, where, drawCount, [firsts, firstsOffset], [counts, countsOffset])) return;
    for (let i = 0; i < drawCount; i++) {
      drawArrays(core, where, mode, firsts[firstsOffset + i]!, counts[countsOffset + i]!, 1);
    }
  },

  multiDrawElementsWEBGL(
    this: ContextObject,
    mode: number,
    counts: List,
    countsOffset: number,
    type: number,
    ...[offsets, offsetsOffset, drawCount]: [List, number, number]
  ): void {
    const core = this[CORE];
    const where = 'multiDrawElementsWEBGL';
    if (!areLong(core, where, drawCount, [counts, countsOffset], [offsets, offsetsOffset])) return;
    for (let i = 0; i < drawCount; i++) {
      const [count, offset] = [counts[countsOffset + i]!, offsets[offsetsOffset + i]!];
      drawElements(core, where, mode, count, type, offset, 1);
    }
  },

  multiDrawArraysInstancedWEBGL(
    this: ContextObject,
    mode: number,
    ...[firsts, firstsOffset, counts, countsOffset, instances, instancesOffset, drawCount]: [
      ...[List, number, List, number],
      ...[List, number, number],
    ]
  ): void {
    const core = this[CORE];
    const where = 'multiDrawArraysInstancedWEBGL';
    const lists = [
      [firsts, firstsOffset],
      [counts, countsOffset],
      [instances, instancesOffset],
    ] as const;
    if (!areLong(core, where, drawCount, ...lists)) return;
    for (let i = 0; i < drawCount; i++) {
      const [first, count] = [firsts[firstsOffset + i]!, counts[countsOffset + i]!];
      drawArrays(core, where, mode, first, count, instances[instancesOffset + i]!);
    }
  },

  multiDrawElementsInstancedWEBGL(
    this: ContextObject,
    mode: number,
    counts: List,
    countsOffset: number,
    type: number,
    ...[offsets, offsetsOffset, instances, instancesOffset, drawCount]: [
      ...[List, number, List, number, number],
    ]
  ): void {
    const core = this[CORE];
    const where = 'multiDrawElementsInstancedWEBGL';
    const lists = [
      [counts, countsOffset],
      [offsets, offsetsOffset],
      [instances, instancesOffset],
    ] as const;
    if (!areLong(core, where, drawCount, ...lists)) return;
    for (let i = 0; i < drawCount; i++) {
      const [count, offset] = [counts[countsOffset + i]!, offsets[offsetsOffset + i]!];
      drawElements(core, where, mode, count, type, offset, instances[instancesOffset + i]!);
    }
  },
};
