import { describe, expect, it } from 'vitest';
import { Document } from '../elements/document.ts';
import { ImageBitmap } from '../images/image-bitmap.ts';
import { ImageData } from '../images/image-data.ts';
import { clonePageValue, readTransfer } from './message-codec.ts';

const { OffscreenCanvas } = new Document();
const clone = (value: unknown, transfer: unknown[] = []) =>
  clonePageValue(value, { transfer }, { OffscreenCanvas });

describe('clonePageValue', () => {
  it('clones what the platform clones, with cycles', () => {
    const value: Record<string, unknown> = {
      list: [1, 3],
      date: new Date(7),
      bytes: new Uint8Array(2),
    };
    value.self = value;
    const copy = clone(value) as typeof value;
    expect(copy).not.toBe(value);
    expect(copy.self).toBe(copy);
    expect(copy).toMatchObject({ date: new Date(7), bytes: new Uint8Array(2) });
  });

  it('clones objects of a page wherever they are, each once', () => {
    const image = new ImageData(1, 1);
    const bitmap = new ImageBitmap({
      ...{ widthPx: 1, heightPx: 1, isPremultiplied: true },
      rgba: Uint8ClampedArray.of(9, 0, 0, 255),
    });
    const shared = { image, bitmap };
    const holes: unknown[] = [shared];
    holes[2] = new Set([bitmap]);
    const value = {
      holes,
      map: new Map<unknown, unknown>([[image, shared]]),
      error: new Error('e'),
    };
    const copy = clone(value) as typeof value;
    const first = copy.holes[0] as typeof shared;
    const set = copy.holes[2] as Set<ImageBitmap>;
    expect(1 in copy.holes).toBe(false);
    expect(first.bitmap).toBeInstanceOf(ImageBitmap);
    expect(first.bitmap.takePixels()!.rgba[0]).toBe(9);
    expect(set.has(first.bitmap)).toBe(true);
    expect(copy.map.get(first.image)).toBe(first);
    expect(first.image.data).not.toBe(image.data);
    expect(copy.error.message).toBe('e');
    expect(holes[0]).toBe(shared);
  });

  it('moves what is transferred', () => {
    const canvas = new OffscreenCanvas(3, 2);
    const buffer = new ArrayBuffer(4);
    const bitmap = new ImageBitmap(canvas.takePixels());
    const copy = clone({ canvas, buffer }, [canvas, buffer, bitmap]) as Record<string, unknown>;
    expect(copy.canvas).toBeInstanceOf(OffscreenCanvas);
    expect(copy.canvas).toMatchObject({ width: 3, height: 2 });
    expect((copy.buffer as ArrayBuffer).byteLength).toBe(4);
    expect([canvas.width, buffer.byteLength, bitmap.width]).toEqual([0, 0, 0]);
    expect(() => clone(canvas, [canvas])).toThrow('moved already');
    expect(() => clone(bitmap)).toThrow('closed');
  });

  it('keeps the place of an element for a canvas that moves', () => {
    const page = new Document();
    const element = page.createElement('canvas');
    const canvas = element.transferControlToOffscreen();
    const moved = clone(canvas, [canvas]) as InstanceType<typeof OffscreenCanvas>;
    page.body.appendChild(element);
    expect(moved.isShown).toBe(true);
    moved.width = 5;
    page.endFrame();
    expect(element.width).toBe(5);
  });
});

describe('readTransfer', () => {
  it.each([
    [undefined, []],
    [null, []],
    [[1], [1]],
    [{ transfer: [2] }, [2]],
    [{}, []],
  ])('of %j', (given, expected) => {
    expect(readTransfer(given)).toEqual(expected);
  });
});
