import { defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { type HarnessDraw, rectangle, render } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 128, heightPx: 128 };
const DRAWS = 7;

/** Draws with programs of their own, which cover the target. */
const draws: HarnessDraw[] = Array.from({ length: DRAWS }, (_, i) => ({
  vertices: rectangle(TARGET, 0, 0, 128, 128, 0, [i / DRAWS, 0.5, 1 - i / DRAWS, 1]),
}));

function renderWith(programBlocks: number) {
  const spec = defineChipletSpec({ programBlocks });
  return render(draws, { ...TARGET, spec, timing: 'cycle' });
}

describe('program blocks', () => {
  const enough = renderWith(DRAWS);

  it.each([2, 3, 5])('close a batch that would need more of them: %i', (blocks) => {
    const { counters, rgba } = renderWith(blocks);
    expect(rgba).toEqual(enough.rgba);
    expect(counters['binning.batchesStateFull']).toBe(Math.floor((DRAWS - 1) / blocks));
    expect(enough.counters['binning.batchesStateFull']).toBe(0);
  });

  it('are stored when the batches of their last programs are done', () => {
    expect(enough.counters['commandProcessor.programWaitCycles']).toBe(0);
    const waits = [2, 3, 5].map(
      (blocks) => renderWith(blocks).counters['commandProcessor.programWaitCycles']!,
    );
    // Two blocks wait for the pixels of each pair of draws: 128×128 at 4 pixels per cycle or more.
    expect(waits[0]).toBeGreaterThan(128 * 128);
    expect(waits[1]).toBeLessThan(waits[0]!);
    expect(waits[2]).toBeLessThan(waits[1]!);
    expect(waits[2]).toBeGreaterThan(0);
  });
});
