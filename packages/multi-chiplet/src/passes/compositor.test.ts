import { type BinResult, coarseBinRect, makeCoarseBinGrid } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { Compositor } from './compositor.ts';

const GRID = makeCoarseBinGrid(130, 70, 2, 2);

/** A bin in which every pixel holds its position in the whole image. */
function renderBin(binId: number): BinResult {
  const rect = coarseBinRect(GRID, binId);
  const words = new Uint32Array(rect.width * rect.height);
  for (let i = 0; i < words.length; i++) {
    const x = rect.x + (i % rect.width);
    const y = rect.y + Math.floor(i / rect.width);
    words[i] = y * GRID.widthPx + x;
  }
  const colors = [new Uint8Array(words.buffer)];
  const nothing = { depthStencil: null, counters: {}, cycles: null, spans: [] };
  return { frameId: 'f', passIndex: 0, binId, rect, colors, ...nothing };
}

describe('Compositor', () => {
  it('places every pixel of ragged bins, in any order of arrival', () => {
    const compositor = new Compositor(GRID, [4]);
    for (const binId of [2, 0, 3, 1]) compositor.place(renderBin(binId));
    const words = new Uint32Array(compositor.finish().colors[0]!.buffer);
    expect(words.every((word, i) => word === i)).toBe(true);
  });

  it('places depth and stencil too, and requires them if a later pass loads them', () => {
    const compositor = new Compositor(GRID, [4], 4);
    const [first, ...others] = [2, 0, 3, 1].map(renderBin);
    expect(() => compositor.place(first!)).toThrow(/depth/);
    for (const bin of [first!, ...others])
      compositor.place({ ...bin, depthStencil: bin.colors[0]! });
    const { colors, depthStencil } = compositor.finish();
    expect(depthStencil).toEqual(colors[0]);
  });

  it('rejects a bin twice, a missing bin, a wrong rectangle and a wrong number of bytes', () => {
    const compositor = new Compositor(GRID, [4]);
    compositor.place(renderBin(1));
    expect(() => compositor.place(renderBin(1))).toThrow(/coarse bin 1: was already placed/);
    expect(() => compositor.finish()).toThrow(/coarse bin 0 was never placed/);
    const bin = renderBin(0);
    expect(() => compositor.place({ ...bin, rect: { ...bin.rect, x: 1 } })).toThrow(/rectangle/);
    expect(() => compositor.place({ ...bin, colors: [bin.colors[0]!.subarray(4)] })).toThrow(
      /bytes/,
    );
  });
});
