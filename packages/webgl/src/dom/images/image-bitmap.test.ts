import { describe, expect, it } from 'vitest';
import { type BitmapOptions, createImageBitmap } from './image-bitmap.ts';
import { ImageData } from './image-data.ts';

const [RED, GREEN, HALF, CLEAR] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 200, 128],
  [0, 0, 0, 0],
] as const;
const IMAGE = new ImageData(Uint8ClampedArray.of(...RED, ...GREEN, ...HALF, ...HALF), 2);

const bytesOf = async (
  ...rest: readonly (number | BitmapOptions | undefined)[]
): Promise<number[]> => [...(await createImageBitmap(IMAGE, ...rest)).takePixels()!.rgba];

describe('createImageBitmap', () => {
  it('premultiplies colors unless the options say otherwise', async () => {
    expect(await bytesOf(0, 1, 1, 1)).toEqual([0, 0, 100, 128]);
    expect(await bytesOf(0, 1, 1, 1, { premultiplyAlpha: 'none' })).toEqual([...HALF]);
  });

  it('crops rectangles, including negative sizes and parts outside the image', async () => {
    expect(await bytesOf(2, 1, -1, -1)).toEqual([...GREEN]);
    expect(await bytesOf(-1, 0, 2, 1)).toEqual([...CLEAR, ...RED]);
    await expect(bytesOf(0, 0, 0, 1)).rejects.toThrow(RangeError);
  });

  it('resizes images', async () => {
    const wide = await bytesOf(0, 0, 2, 1, {
      resizeWidth: 4,
      resizeHeight: 1,
      resizeQuality: 'pixelated',
    });
    expect(wide).toEqual([...RED, ...RED, ...GREEN, ...GREEN]);
    const mixed = await bytesOf(0, 0, 2, 1, { resizeWidth: 1 });
    expect(mixed).toEqual([128, 128, 0, 255]);
    await expect(bytesOf({ resizeWidth: 0 })).rejects.toThrow(/must not be 0/);
  });

  it('rejects files that are not images', async () => {
    await expect(createImageBitmap(new Blob(['text']))).rejects.toThrow(DOMException);
  });
});
