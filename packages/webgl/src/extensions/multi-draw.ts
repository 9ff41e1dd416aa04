/**
 * Several draws in one call (WEBGL_multi_draw). Draw i takes its arguments from element
 * `offset + i` of each list.
 */
import type { DrawOptions } from '@tessera/gl';
import { drawArrays, drawElements, hasVertexAttribute } from '../calls/draws/draw-calls.ts';
import { toLongLong } from '../context/arguments.ts';
import { CORE, type ContextObject } from '../context/call-table.ts';
import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';

/** List of an argument, and the index of the element for the first draw. */
type ArgumentList = readonly [list: Int32Array | Iterable<number>, offset: number];

/** Returns the elements of the lists for the draws; `null` after an error. */
function readLists(
  core: ContextCore,
  caller: string,
  drawCount: number,
  lists: readonly ArgumentList[],
): readonly Int32Array[] | null {
  const converted = lists.map(([list, offset]) => ({
    elements: list instanceof Int32Array ? list : Int32Array.from(list),
    offset: toLongLong(offset),
  }));
  if (drawCount < 0) {
    core.raise(GL.INVALID_VALUE, caller, `drawcount ${drawCount} is negative`);
    return null;
  }
  for (const { elements, offset } of converted) {
    if (offset >= 0 && offset + drawCount <= elements.length) continue;
    const message = `${drawCount} elements from ${offset} exceed a list of ${elements.length}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return null;
  }
  return converted.map(({ elements, offset }) => elements.subarray(offset, offset + drawCount));
}

/**
 * Calls draw 0 to `drawCount` − 1 with its elements and its index, up to the first that raises an
 * error.
 */
function drawEach(
  core: ContextCore,
  lists: readonly Int32Array[] | null,
  drawCount: number,
  draw: (elements: readonly number[], options: DrawOptions) => void,
): void {
  const before = core.errorCount;
  for (let i = 0; lists !== null && i < drawCount && core.errorCount === before; i++) {
    draw(
      lists.map((list) => list[i]!),
      { drawId: i },
    );
  }
}

/** Returns whether instances can be drawn. WebGL 1 needs an attribute that advances per vertex. */
function canDrawInstances(core: ContextCore, caller: string): boolean {
  return core.rules.version === 2 || hasVertexAttribute(core, caller);
}

type List = Int32Array | Iterable<number>;

/** Calls of WEBGL_multi_draw. */
export const multiDrawCalls = {
  multiDrawArraysWEBGL(
    this: ContextObject,
    mode: number,
    firsts: List,
    firstsOffset: number,
    counts: List,
    countsOffset: number,
    drawCount: number,
  ): void {
    const core = this[CORE];
    const caller = 'multiDrawArraysWEBGL';
    const lists = readLists(core, caller, drawCount, [
      [firsts, firstsOffset],
      [counts, countsOffset],
    ]);
    drawEach(core, lists, drawCount, ([first, count], options) =>
      drawArrays(core, caller, mode, first!, count!, 1, options),
    );
  },

  multiDrawElementsWEBGL(
    this: ContextObject,
    mode: number,
    counts: List,
    countsOffset: number,
    type: number,
    offsets: List,
    offsetsOffset: number,
    drawCount: number,
  ): void {
    const core = this[CORE];
    const caller = 'multiDrawElementsWEBGL';
    const lists = readLists(core, caller, drawCount, [
      [counts, countsOffset],
      [offsets, offsetsOffset],
    ]);
    drawEach(core, lists, drawCount, ([count, offset], options) =>
      drawElements(core, caller, mode, count!, type, offset!, 1, options),
    );
  },

  multiDrawArraysInstancedWEBGL(
    this: ContextObject,
    mode: number,
    firsts: List,
    firstsOffset: number,
    counts: List,
    countsOffset: number,
    instanceCounts: List,
    instanceCountsOffset: number,
    drawCount: number,
  ): void {
    const core = this[CORE];
    const caller = 'multiDrawArraysInstancedWEBGL';
    if (!canDrawInstances(core, caller)) return;
    const lists = readLists(core, caller, drawCount, [
      [firsts, firstsOffset],
      [counts, countsOffset],
      [instanceCounts, instanceCountsOffset],
    ]);
    drawEach(core, lists, drawCount, ([first, count, instances], options) =>
      drawArrays(core, caller, mode, first!, count!, instances!, options),
    );
  },

  multiDrawElementsInstancedWEBGL(
    this: ContextObject,
    mode: number,
    counts: List,
    countsOffset: number,
    type: number,
    offsets: List,
    offsetsOffset: number,
    instanceCounts: List,
    instanceCountsOffset: number,
    drawCount: number,
  ): void {
    const core = this[CORE];
    const caller = 'multiDrawElementsInstancedWEBGL';
    if (!canDrawInstances(core, caller)) return;
    const lists = readLists(core, caller, drawCount, [
      [counts, countsOffset],
      [offsets, offsetsOffset],
      [instanceCounts, instanceCountsOffset],
    ]);
    drawEach(core, lists, drawCount, ([count, offset, instances], options) =>
      drawElements(core, caller, mode, count!, type, offset!, instances!, options),
    );
  },
};
