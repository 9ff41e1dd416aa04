import { describe, expect, it } from 'vitest';
import type { Context2d } from './context-2d.ts';
import { Document } from './document.ts';

const document = new Document({ createContext: () => null });

function make2d(width: number, height: number): Context2d {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas.getContext('2d') as Context2d;
}

const pixel = (context: Context2d, x: number, y: number): number[] => [
  ...context.getImageData(x, y, 1, 1).data,
];

describe('Context2d', () => {
  it('fills rectangles in colours of CSS, and no pixel beyond them', () => {
    const context = make2d(4, 4);
    context.fillStyle = 'rgb(255, 128, 0)';
    context.fillRect(1, 1, 2, 2);
    expect(pixel(context, 1, 1)).toEqual([255, 128, 0, 255]);
    expect(pixel(context, 2, 2)).toEqual([255, 128, 0, 255]);
    expect(pixel(context, 0, 1)).toEqual([0, 0, 0, 0]);
    expect(pixel(context, 3, 2)).toEqual([0, 0, 0, 0]);
  });

  it('keeps a style that it does not understand from changing anything', () => {
    const context = make2d(1, 1);
    context.fillStyle = '#0f0';
    context.fillStyle = 'no colour';
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([0, 255, 0, 255]);
  });

  it('mixes a half transparent colour with what is there', () => {
    const context = make2d(1, 1);
    context.fillStyle = '#000';
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = 'rgba(255, 0, 0, 0.5)';
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([128, 0, 0, 255]);
  });

  it('gives back the bytes that were put, transparent ones too', () => {
    const context = make2d(2, 1);
    const image = context.createImageData(2, 1);
    image.data.set([1, 2, 3, 0, 4, 5, 6, 7]);
    context.putImageData(image, 0, 0);
    expect([...context.getImageData(0, 0, 2, 1).data]).toEqual([1, 2, 3, 0, 4, 5, 6, 7]);
  });

  it('draws a canvas whole, scaled by nearest pixels, and a part of it', () => {
    const source = make2d(2, 1);
    source.fillStyle = 'red';
    source.fillRect(0, 0, 1, 1);
    source.fillStyle = 'blue';
    source.fillRect(1, 0, 1, 1);
    const context = make2d(4, 2);
    context.imageSmoothingEnabled = false;
    context.drawImage(source.canvas, 0, 0, 4, 2);
    expect([0, 1, 2, 3].map((x) => pixel(context, x, 1)[0])).toEqual([255, 255, 0, 0]);
    context.drawImage(source.canvas, 1, 0, 1, 1, 0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([0, 0, 255, 255]);
  });

  it('turns a picture over by a negative scale', () => {
    const source = make2d(1, 2);
    source.fillStyle = 'red';
    source.fillRect(0, 0, 1, 1);
    const context = make2d(1, 2);
    context.translate(0, 2);
    context.scale(1, -1);
    context.drawImage(source.canvas, 0, 0);
    expect(pixel(context, 0, 0)[3]).toBe(0);
    expect(pixel(context, 0, 1)).toEqual([255, 0, 0, 255]);
  });

  it('is emptied by a new size', () => {
    const context = make2d(1, 1);
    context.fillRect(0, 0, 1, 1);
    context.canvas.width = 2;
    expect(pixel(context, 0, 0)).toEqual([0, 0, 0, 0]);
  });
});
