import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png.ts';

describe('encodePng', () => {
  it.each([
    [1, 1],
    [7, 5],
    [640, 3],
    [2100, 1100],
  ])('gives a %i×%i picture that another decoder reads back', async (widthPx, heightPx) => {
    const rgba = new Uint8Array(widthPx * heightPx * 4);
    for (let i = 0; i < rgba.length; i++) rgba[i] = (i * 97 + (i >> 3) * 31) & 255;
    const decoded = PNG.sync.read(await encodePng({ widthPx, heightPx, rgba }));
    expect([decoded.width, decoded.height]).toEqual([widthPx, heightPx]);
    const opaque = rgba.map((byte, i) => (i % 4 === 3 ? 255 : byte));
    expect(Buffer.compare(decoded.data, opaque)).toBe(0);
  });
});
