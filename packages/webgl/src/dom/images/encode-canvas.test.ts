import { describe, expect, it } from 'vitest';
import { decodePixels } from './decode-pixels.ts';
import { encodeCanvas } from './encode-canvas.ts';

/** 16 × 16 pixels of one premultiplied color. */
const PIXELS = {
  widthPx: 16,
  heightPx: 16,
  rgba: Uint8ClampedArray.from({ length: 1024 }, (_, at) => [120, 60, 0, 128][at % 4]!),
  isPremultiplied: true,
};

async function firstPixel(bytes: Uint8Array): Promise<readonly number[]> {
  return [...(await decodePixels('canvas', bytes)).pixels.rgba.subarray(0, 4)];
}

describe('encodeCanvas', () => {
  it('encodes PNG with straight alpha, also for types that it does not know', async () => {
    for (const type of [undefined, 'image/png', 'image/webp', null]) {
      const encoded = encodeCanvas(PIXELS, type);
      expect(encoded.type).toBe('image/png');
      expect(await firstPixel(encoded.bytes)).toEqual([239, 120, 0, 128]);
    }
  });

  it('encodes JPEG over black', async () => {
    const { type, bytes } = encodeCanvas(PIXELS, 'IMAGE/JPEG', 1);
    expect(type).toBe('image/jpeg');
    const [red, green, blue, alpha] = await firstPixel(bytes);
    expect(Math.abs(red! - 120)).toBeLessThan(3);
    expect(Math.abs(green! - 60)).toBeLessThan(3);
    expect(blue).toBeLessThan(3);
    expect(alpha).toBe(255);
  });

  it('uses the quality of JPEG from 0 to 1', () => {
    const rgba = PIXELS.rgba.map((_, at) => (at * 7919) % 251);
    const bytesAt = (quality?: unknown) =>
      encodeCanvas({ ...PIXELS, rgba }, 'image/jpeg', quality).bytes;
    expect(bytesAt(0).length).toBeLessThan(bytesAt(0.5).length);
    expect(bytesAt(0.5).length).toBeLessThan(bytesAt(1).length);
    for (const other of [undefined, 2, -1, '0.1']) expect(bytesAt(other)).toEqual(bytesAt(0.92));
  });

  it('refuses images of another origin', () => {
    expect(() => encodeCanvas({ ...PIXELS, isForeign: true }, 'image/jpeg')).toThrow('origin');
  });
});
