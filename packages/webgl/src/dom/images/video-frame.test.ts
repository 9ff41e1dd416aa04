import { describe, expect, it } from 'vitest';
import { clonePageValue } from '../messages/message-codec.ts';
import { ImageBitmap } from './image-bitmap.ts';
import { ImageData } from './image-data.ts';
import { VideoFrame } from './video-frame.ts';

const BYTES = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const SIZE = { codedWidth: 2, codedHeight: 1, timestamp: 40 } as const;
const frameOf = (format: string) => new VideoFrame(BYTES, { ...SIZE, format });

async function bytesOf(frame: VideoFrame): Promise<readonly number[]> {
  const bytes = new Uint8Array(frame.allocationSize());
  expect(await frame.copyTo(bytes)).toEqual([{ offset: 0, stride: 8 }]);
  return [...bytes];
}

describe('VideoFrame', () => {
  it('reads bytes in the formats of RGB', async () => {
    expect(await bytesOf(frameOf('RGBA'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await bytesOf(frameOf('RGBX'))).toEqual([1, 2, 3, 255, 5, 6, 7, 255]);
    expect(await bytesOf(frameOf('BGRA'))).toEqual([3, 2, 1, 4, 7, 6, 5, 8]);
    expect(await bytesOf(frameOf('BGRX'))).toEqual([3, 2, 1, 255, 7, 6, 5, 255]);
    expect(() => frameOf('I420')).toThrow(/I420/);
    expect(() => new VideoFrame(BYTES, { ...SIZE, codedWidth: 3, format: 'RGBA' })).toThrow(
      /needs 12 bytes/,
    );
  });

  it('copies an image, which may change later', async () => {
    const image = new ImageData(new Uint8ClampedArray(BYTES), 2);
    const frame = new VideoFrame(image, { timestamp: 1.5, duration: 20 });
    image.data.fill(0);
    expect(await bytesOf(frame)).toEqual([...BYTES]);
    expect([frame.format, frame.displayWidth, frame.displayHeight]).toEqual(['RGBA', 2, 1]);
    expect([frame.timestamp, frame.duration]).toEqual([1, 20]);
    expect(await bytesOf(new VideoFrame(frame, { alpha: 'discard' }))).toEqual([
      ...[1, 2, 3, 255],
      ...[5, 6, 7, 255],
    ]);
  });

  it('copies a part', async () => {
    const bytes = new Uint8Array(4);
    await frameOf('RGBA').copyTo(bytes, { rect: { x: 1, width: 1 } });
    expect([...bytes]).toEqual([5, 6, 7, 8]);
    const outside = frameOf('RGBA').copyTo(bytes, { rect: { x: 1 } });
    await expect(outside).rejects.toThrow(RangeError);
    await expect(frameOf('RGBA').copyTo(bytes)).rejects.toThrow(/8 bytes do not fit into 4/);
    const planes = frameOf('RGBA').copyTo(bytes, { format: 'I420' });
    await expect(planes).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  it('is empty when it is closed; clones stay', () => {
    const frame = frameOf('RGBA');
    const clone = frame.clone();
    frame.close();
    expect([frame.format, frame.codedWidth, frame.takePixels()]).toEqual([null, 0, null]);
    expect(() => frame.clone()).toThrow(DOMException);
    expect(() => frame.allocationSize()).toThrow(/closed/);
    expect(clone.timestamp).toBe(40);
    expect([...clone.takePixels()!.rgba]).toEqual([...BYTES]);
  });

  it('travels in messages', () => {
    const frame = frameOf('RGBA');
    const scope = { OffscreenCanvas: null as never };
    const moved = clonePageValue({ frame }, [frame], scope) as { readonly frame: VideoFrame };
    expect(moved.frame).toBeInstanceOf(VideoFrame);
    expect(moved.frame.timestamp).toBe(40);
    expect([...moved.frame.takePixels()!.rgba]).toEqual([...BYTES]);
    expect(frame.format).toBe(null);
    expect(() => clonePageValue(frame, [], scope)).toThrow(/VideoFrame is closed/);
  });

  it('needs a time, an image with pixels and one that the page can read', () => {
    const data = new ImageData(1, 1);
    expect(() => new VideoFrame(data)).toThrow(/timestamp/);
    const bitmap = new ImageBitmap(data.takePixels());
    bitmap.close();
    expect(() => new VideoFrame(bitmap, { timestamp: 0 })).toThrow(/no pixels/);
    const foreign = { takePixels: () => ({ ...data.takePixels(), isForeign: true }) };
    expect(() => new VideoFrame(foreign, { timestamp: 0 })).toThrow(/another origin/);
    expect(() => new VideoFrame('text' as never, { timestamp: 0 })).toThrow(TypeError);
  });
});
