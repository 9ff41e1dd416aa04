/** Traffic of primitive batches by arithmetic: records, and lists of fine bins. */

import { defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { makeFrame, vertexAt } from '../testing/chiplet-harness.ts';

const SIZE_PX = 256;
const TARGET = { widthPx: SIZE_PX, heightPx: SIZE_PX };
const LINE_BYTES = 64;
/** A record of 64 bytes and 12 for each of four components. */
const RECORD_LINES = 2;
const FINE_BINS = (SIZE_PX / 64) ** 2;

/** Renders triangles that cover the whole target as one bin, and returns its counters. */
function countersOf(triangles: number, hasBatchMemory: boolean) {
  const size = 2 * SIZE_PX;
  const corners = [
    [0, 0],
    [0, size],
    [size, 0],
  ] as const;
  const vertices = Array.from({ length: triangles }, () =>
    corners.flatMap(([x, y]) => vertexAt(TARGET, x, y, 0)),
  ).flat();
  const chiplet = new SimulatedChiplet(defineChipletSpec({ hasBatchMemory }));
  const resident = chiplet.admitFrame(makeFrame([{ vertices }], { ...TARGET, timing: 'cycle' }));
  const { stream, summary } = chiplet.computeVisibility(resident, 0);
  expect(summary.counters['memory.batchBytesWritten'], 'visibility phase').toBe(0);
  return chiplet.renderBin(resident, 0, 0, stream.bins[0]!).counters;
}

describe('primitive batches in memory', () => {
  it.each([1, 3, 20])('write and read the records and lists of %i triangles', (triangles) => {
    const counters = countersOf(triangles, true);
    const listLines = FINE_BINS * Math.ceil(triangles / 16);
    const records = triangles * RECORD_LINES;
    expect(counters['memory.batchBytesWritten']).toBe(LINE_BYTES * (records + listLines));
    expect(counters['memory.batchBytesRead']).toBe(LINE_BYTES * (FINE_BINS * records + listLines));
  });

  it('move nothing if the chiplet has buffers for them', () => {
    const counters = countersOf(3, false);
    expect(counters['memory.batchBytesWritten']).toBe(0);
    expect(counters['memory.batchBytesRead']).toBe(0);
  });
});
