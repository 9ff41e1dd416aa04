import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png.ts';

describe('encodePng', () => {
  it.each([
    [1, 1],
    [7, 5],
    [640, 3],
    [2100, 1100],
  ])('gives a %i×%i image that another decoder reads back', async (widthPx, heightPx) => {
    const rgba = new Uint8Array(widthPx * heightPx * 4);
    for (let i = 0; i < rgba.length; i++) rgba[i] = (i * 97 + (i >> 3) * 31) & 255;
    const decoded = PNG.sync.read(await encodePng({ widthPx, heightPx, rgba }));
    expect([decoded.width, decoded.height]).toEqual([widthPx, heightPx]);
    const opaque = rgba.map((byte, i) => (i % 4 === 3 ? 255 : byte));
    expect(Buffer.compare(decoded.data, opaque)).toBe(0);
  });

  it('does not mix the bytes of consecutive or concurrent images', async () => {
    const makeImage = (widthPx: number, heightPx: number, value: number) => ({
      widthPx,
      heightPx,
      rgba: new Uint8Array(widthPx * heightPx * 4).fill(value),
    });
    const decode = async (image: ReturnType<typeof makeImage>) =>
      PNG.sync.read(await encodePng(image)).data.filter((_, i) => i % 4 < 3);
    const wanted = ({ rgba }: ReturnType<typeof makeImage>) =>
      Buffer.from(rgba.filter((_, i) => i % 4 < 3));
    const [large, small, other] = [
      makeImage(61, 40, 200),
      makeImage(33, 7, 0),
      makeImage(61, 40, 9),
    ] as const;
    expect(await decode(large)).toEqual(wanted(large));
    expect(await decode(small)).toEqual(wanted(small));
    expect(await Promise.all([decode(other), decode(large)])).toEqual([
      wanted(other),
      wanted(large),
    ]);
  });
});
