import type { PreparedFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { countSimulationSteps, refuseLargeFrames } from './simulation-size.ts';

/** Returns the parts of a frame that determine its size. */
function frameOf(passes: number, columns: number, rows: number): PreparedFrame {
  const commands = { passes: new Array(passes).fill({}), grid: { columns, rows } };
  return { commands } as unknown as PreparedFrame; // The size depends on nothing else.
}

describe('the size of a simulation', () => {
  it('counts bins and broadcasts for each chiplet, and few chiplets as 32', () => {
    expect(countSimulationSteps({ frames: 1, passes: 2, bins: 10, chiplets: 100 })).toBe(1800);
    expect(countSimulationSteps({ frames: 1, passes: 2, bins: 10, chiplets: 3 })).toBe(18 * 32);
  });

  it('refuses frames beyond the limit before they are rendered, with all factors', () => {
    const frame = frameOf(3, 32, 32);
    const steps = (3 * 1024 + 12) * 1024;
    refuseLargeFrames('the frame', 1, frame, 1024, steps);
    expect(() => refuseLargeFrames('the frame', 1, frame, 1024, steps - 1)).toThrow(
      `the frame: 1 frames with 3 passes and 3072 coarse bins on 1024 chiplets: (bins + 4 × passes) × chiplets ` +
        `is ${steps}; at most ${steps - 1}`,
    );
    expect(() => refuseLargeFrames('query.frames', 2, frame, 1024, steps)).toThrow(
      'query.frames: 2 frames with 6 passes and 6144 coarse bins',
    );
  });
});
