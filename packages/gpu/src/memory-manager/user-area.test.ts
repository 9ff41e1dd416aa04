import { chipletPreset } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';
import { PAGE_BYTES } from './page-allocator.ts';
import { UserArea } from './user-area.ts';

const TARGET = { widthPx: 64, heightPx: 64 };
const TRIANGLE: HarnessDraw = { vertices: vertexAt(TARGET, 0, 0, 0) };
const BASE_BYTES = 64 * PAGE_BYTES;

/** Returns a frame of passes with the given numbers of draws, and one buffer of 3 pages. */
function frameOf(drawsByPass: readonly number[]) {
  const passes = drawsByPass.map(
    (count) =>
      makeFrame(
        Array.from({ length: count }, () => TRIANGLE),
        TARGET,
      ).commands.passes[0]!,
  );
  const { commands } = makeFrame([TRIANGLE], TARGET);
  const buffers = [{ sha256: '', bytes: new Uint8Array(2.5 * PAGE_BYTES) }];
  return { commands: { ...commands, passes }, buffers };
}

function areaOf(drawsByPass: readonly number[], pages: number, listPages = 1) {
  const frame = frameOf(drawsByPass);
  const region = { baseBytes: BASE_BYTES, sizeBytes: pages * PAGE_BYTES };
  const area = new UserArea(region, chipletPreset('hmgpu'), frame, () => listPages * PAGE_BYTES);
  const pageOf = (bytes: number) => (bytes - BASE_BYTES) / PAGE_BYTES;
  const lists = frame.commands.passes.map(({ draws }) =>
    draws.map((draw) => pageOf(area.displayList(draw).baseBytes)),
  );
  return { area, lists, pageOf };
}

describe('user area', () => {
  it('takes pages from the head of the free list and returns them to its tail', () => {
    const { lists, area, pageOf } = areaOf([2, 3, 2, 4], 12);
    expect(lists).toEqual([
      [3, 4],
      [5, 6, 7],
      [8, 9],
      [10, 11, 3, 4],
    ]);
    // The stream takes the largest gap.
    expect([0, 1, 2, 3].map((pass) => pageOf(area.streamBase(pass, 100)))).toEqual([5, 8, 3, 5]);
    expect(() => area.streamBase(1, 4 * PAGE_BYTES + 1)).toThrow('only 4096 are free');
  });

  it('keeps the pages of an object together', () => {
    const { lists } = areaOf([2, 2], 11, 3);
    // Pages 9 and 10 and the freed page 3 are not consecutive, so the second pass skips them.
    expect(lists[0]).toEqual([3, 6]);
    expect(lists[1]![0]! + 3).toBeLessThanOrEqual(11);
    expect(Math.abs(lists[1]![0]! - lists[1]![1]!)).toBeGreaterThanOrEqual(3);
  });

  it('has 256 index blocks of display lists for each pass', () => {
    expect(() => areaOf([256, 256, 256], 400)).not.toThrow();
    expect(() => areaOf([256, 257], 400)).toThrow('257 are needed');
    expect(() => areaOf([100], 90)).toThrow('user area');
  });

  it('lists the first pages of a pass in order', () => {
    const { area } = areaOf([2, 3, 2, 4], 12);
    const heads = [0, 1, 2, 3].map((pass) => area.pageHeads(pass).map((page) => page - 64));
    expect(heads).toEqual([
      [0, 3, 4, 5, 12],
      [0, 5, 6, 7, 8, 12],
      [0, 3, 8, 9, 12],
      [0, 3, 4, 5, 10, 11, 12],
    ]);
    expect(area.pageHeads(null).map((page) => page - 64)).toEqual([0, 12]);
  });
});
