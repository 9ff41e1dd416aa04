/**
 * Targets up to 16,384 pixels along an edge: pixels near the far edge are those of a small target
 * that shows the same place, and take the same time.
 */
import type { BinReport, RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { drawScene, type PixelPosition, rectangle, type SceneDraw } from '../scene/draw-scene.ts';

const EDGE_PX = 16_384;
const PART_PX = 64;

/** Returns draws in a part of the target whose first pixel is (`left`, `top`). */
function drawsAt(left: number, top: number): SceneDraw[] {
  const at = (x: number, y: number, depth: number): PixelPosition => [left + x, top + y, depth];
  return [
    {
      positions: [at(3, 2, 0.25), at(11.25, 61.5, 0.75), at(62.5, 30, 0.5)],
      colors: [
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [0, 0, 1, 1],
      ],
    },
    { positions: rectangle(left + 20, top + 8.5, left + 50.75, top + 57, 0.5) },
  ];
}

const LARGE = [
  { widthPx: EDGE_PX, heightPx: PART_PX, left: EDGE_PX - PART_PX, top: 0 },
  { widthPx: PART_PX, heightPx: EDGE_PX, left: 0, top: EDGE_PX - PART_PX },
] as const;

describe('a large target', () => {
  it.each(LARGE)('of $widthPx × $heightPx shows its far end', async (size) => {
    const { widthPx, heightPx, left, top } = size;
    const options = { timing: 'cycle', coupling: 'none', binCount: 256 } as const;
    const near = await drawScene(
      { widthPx: PART_PX, heightPx: PART_PX, draws: drawsAt(0, 0) },
      1,
      options,
    );
    const far = await drawScene({ widthPx, heightPx, draws: drawsAt(left, top) }, 1, options);
    for (let y = 0; y < PART_PX; y++) {
      for (let x = 0; x < PART_PX; x++) {
        expect(far.pixel(left + x, top + y)).toEqual(near.pixel(x, y));
      }
    }
    const cyclesOf = ({ startCycle, endCycle }: BinReport) => endCycle! - startCycle!;
    const { bins } = far.report;
    expect(bins).toHaveLength(256);
    const whole = cyclesOf(near.report.bins[0]!);
    expect(cyclesOf(bins.at(-1)!)).toBe(whole);
    expect(cyclesOf(bins[0]!)).toBeLessThan(whole);
  });

  it('may not have bins of more than 8,192 pixels along an edge', async () => {
    const { widthPx, heightPx } = LARGE[0];
    const scene = { widthPx, heightPx, draws: drawsAt(0, 0) };
    const error = await drawScene(scene, 1, { binCount: 1 }).catch((each: RenderError) => each);
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect((error as RenderError).message).toContain(
      'coarse bin: 16384 × 64 pixels; a chiplet holds at most 16777216, and 8192 along an edge',
    );
  });

  it('is at most 16,384 pixels wide', async () => {
    const scene = { widthPx: EDGE_PX + 1, heightPx: 1, draws: [] };
    await expect(drawScene(scene)).rejects.toThrow(
      'widthPx: 16385 is not an integer from 1 to 16384',
    );
  });
});
