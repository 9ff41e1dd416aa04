import { describe, expect, it } from 'vitest';
import { encodeCanvas } from './encode-canvas.ts';
import { ImageDecoder } from './image-decoder.ts';
import type { VideoFrame } from './video-frame.ts';

const PIXELS = {
  widthPx: 2,
  heightPx: 1,
  rgba: Uint8ClampedArray.of(200, 100, 0, 128, 1, 2, 3, 255),
  isPremultiplied: false,
};
const PNG = encodeCanvas(PIXELS).bytes;
const type = 'image/png';

const rgbaOf = (image: VideoFrame) => [...image.takePixels()!.rgba];

describe('ImageDecoder', () => {
  it('decodes bytes and streams into frames', async () => {
    for (const data of [PNG, PNG.buffer, new Blob([PNG]).stream()]) {
      const decoder = new ImageDecoder({ type, data });
      const { image, complete } = await decoder.decode({ frameIndex: 0 });
      expect([complete, decoder.complete]).toEqual([true, true]);
      expect([image.codedWidth, image.codedHeight, image.timestamp]).toEqual([2, 1, 0]);
      expect(rgbaOf(image)).toEqual([...PIXELS.rgba]);
    }
  });

  it('has one track with one frame', async () => {
    const { tracks, completed } = new ImageDecoder({ type, data: PNG });
    await Promise.all([tracks.ready, completed]);
    expect([tracks.length, tracks.selectedTrack.frameCount, tracks[0].animated]).toEqual([
      1,
      1,
      false,
    ]);
  });

  it('multiplies colors by alpha on request', async () => {
    const decoder = new ImageDecoder({ type, data: PNG, premultiplyAlpha: 'premultiply' });
    expect(rgbaOf((await decoder.decode()).image).slice(0, 4)).toEqual([100, 50, 0, 128]);
  });

  it('says which types it decodes', async () => {
    expect(await ImageDecoder.isTypeSupported('image/JPEG')).toBe(true);
    expect(await ImageDecoder.isTypeSupported('image/gif')).toBe(false);
    const decoder = new ImageDecoder({ type: 'image/gif', data: PNG });
    await expect(decoder.decode()).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  it('rejects damaged data, frames that do not exist and closed decoders', async () => {
    const damaged = new ImageDecoder({ type, data: PNG.slice(0, 40) });
    await expect(damaged.decode()).rejects.toMatchObject({ name: 'EncodingError' });
    const decoder = new ImageDecoder({ type, data: PNG });
    await expect(decoder.decode({ frameIndex: 1 })).rejects.toThrow(RangeError);
    decoder.close();
    await expect(decoder.decode()).rejects.toMatchObject({ name: 'InvalidStateError' });
    const failing = new ReadableStream<Uint8Array>({ pull: (stream) => stream.error('cut off') });
    await expect(new ImageDecoder({ type, data: failing }).decode()).rejects.toBe('cut off');
  });

  it('needs a type and data', () => {
    const construct = (init: unknown) => () =>
      new ImageDecoder(init as { type: string; data: never });
    expect(construct({ data: PNG })).toThrow(/init.type/);
    expect(construct({ type })).toThrow(/init.data/);
    expect(construct(undefined)).toThrow(TypeError);
  });
});
