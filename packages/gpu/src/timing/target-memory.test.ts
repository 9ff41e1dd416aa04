/** Lines of the target in memory, by arithmetic. */

import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { type MadeRun, simulate } from '../testing/made-runs.ts';
import { EMPTY_RUN, type RunRequest } from './run-request.ts';

const LINE_BYTES = 64;
const BLOCKS = 10;
/** Blocks of the sixteen fine bins of 64×64 pixels that the target's row of pixels is in. */
const TARGET_BLOCKS = 16 * 256;

/** One primitive that covers ten blocks and is drawn into all color targets. */
const RUN: MadeRun = [
  [
    {
      draw: {
        vertexInstructions: 4,
        maxLookupsInFlight: 0,
        fragmentClauses: [8],
        readsTarget: false,
        isEarlyDepth: true,
      },
      primitives: [
        {
          corners: [0, 1, 2],
          pieces: 1,
          isClipped: false,
          steps: 1,
          blocks: Array.from({ length: BLOCKS }, () => ({
            covered: 0xffff,
            passed: 0xffff,
            isKilled: false,
          })),
        },
      ],
    },
  ],
];

function countersOf(plan: Partial<RunRequest>, overrides: Partial<ChipletSpec> = {}) {
  const rect = { x: 0, y: 0, width: 1024, height: 4 };
  const request = { ...EMPTY_RUN, rect, depthBound: 65_535, ...plan };
  return simulate(defineChipletSpec(overrides), request, RUN).counters;
}

describe('target in memory', () => {
  it.each([1, 2, 5])('takes a line of color for every 32 bits of a sample: %i', (colorLines) => {
    for (const sampleCount of [1, 4]) {
      const counters = countersOf({ colorLines, sampleCount });
      expect(counters['colorCache.lineMisses']).toBe(BLOCKS * colorLines * sampleCount);
      expect(counters['depthCache.lineMisses']).toBe(BLOCKS * sampleCount);
      expect(counters['memory.colorBytesRead'], 'of cleared blocks').toBe(0);
    }
  });

  it('is written as a whole by a clear that is not fast, and read where it is drawn', () => {
    const counters = countersOf({ colorLines: 2 }, { hasFastClear: false });
    expect(counters['memory.colorBytesWritten']).toBe(LINE_BYTES * 2 * TARGET_BLOCKS);
    expect(counters['memory.depthBytesWritten']).toBe(LINE_BYTES * TARGET_BLOCKS);
    expect(counters['memory.colorBytesRead']).toBe(LINE_BYTES * 2 * BLOCKS);
    expect(counters['memory.depthBytesRead']).toBe(LINE_BYTES * BLOCKS);
    const fast = countersOf({ colorLines: 2 });
    expect(fast['memory.colorBytesWritten']! + fast['memory.depthBytesWritten']!).toBe(0);
  });

  it('is not cleared where earlier contents are loaded', () => {
    const loaded = { isColorLoaded: true, isDepthLoaded: true };
    const counters = countersOf(loaded, { hasFastClear: false });
    expect(counters['memory.colorBytesWritten']).toBe(0);
    expect(counters['memory.colorBytesRead']).toBe(LINE_BYTES * BLOCKS);
  });
});
