import { describe, expect, it } from 'vitest';
import { Document } from '../elements/document.ts';
import type { Context2d } from './context-2d.ts';

const document = new Document({ createContext: () => null });

function make2d(widthPx: number, heightPx: number): Context2d {
  const canvas = document.createElement('canvas');
  canvas.width = widthPx;
  canvas.height = heightPx;
  return canvas.getContext('2d') as Context2d;
}

const pixel = (context: Context2d, x: number, y: number) => [
  ...context.getImageData(x, y, 1, 1).data,
];

describe('gradients of a 2D context', () => {
  it('interpolate between stops along a line, in the coordinates of the transform', () => {
    const context = make2d(8, 1);
    const gradient = context.createLinearGradient(0, 0, 4, 0);
    gradient.addColorStop(1, '#0000ff');
    gradient.addColorStop(0, '#ff0000');
    context.fillStyle = gradient;
    expect(context.fillStyle).toBe(gradient);
    context.scale(2, 1);
    context.fillRect(0, 0, 4, 1);
    // The center of pixel 2 is at 1.25 of 4.
    expect(pixel(context, 2, 0)).toEqual([175, 0, 80, 255]);
    expect(pixel(context, 7, 0)).toEqual([16, 0, 239, 255]);
  });

  it('repeat the first and the last color outside of the stops', () => {
    const context = make2d(4, 1);
    const gradient = context.createLinearGradient(1, 0, 3, 0);
    gradient.addColorStop(0.25, 'lime');
    gradient.addColorStop(0.25, 'black');
    context.fillStyle = gradient;
    context.fillRect(0, 0, 4, 1);
    expect(pixel(context, 0, 0)).toEqual([0, 255, 0, 255]);
    expect(pixel(context, 3, 0)).toEqual([0, 0, 0, 255]);
  });

  it('paint circles, and nothing that no circle reaches', () => {
    const context = make2d(9, 1);
    const gradient = context.createRadialGradient(4.5, 0.5, 0, 4.5, 0.5, 4);
    gradient.addColorStop(0, '#000000');
    gradient.addColorStop(1, '#c80000');
    context.fillStyle = gradient;
    context.fillRect(0, 0, 9, 1);
    expect([0, 2, 6, 8].map((x) => pixel(context, x, 0)[0])).toEqual([200, 100, 100, 200]);

    const apart = make2d(9, 1);
    const cone = apart.createRadialGradient(6.5, 0.5, 0, 8.5, 0.5, 1);
    cone.addColorStop(0, 'white');
    apart.fillStyle = cone;
    apart.fillRect(0, 0, 9, 1);
    expect(pixel(apart, 0, 0)).toEqual([0, 0, 0, 0]);
    expect(pixel(apart, 7, 0)).toEqual([255, 255, 255, 255]);
  });

  it('paint nothing without length or stops, and reject wrong stops', () => {
    const context = make2d(1, 1);
    const gradient = context.createLinearGradient(1, 1, 1, 1);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 1, 1);
    gradient.addColorStop(0, 'red');
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([0, 0, 0, 0]);
    expect(() => gradient.addColorStop(1.5, 'red')).toThrow('offset 1.5 is not in 0..1');
    expect(() => gradient.addColorStop(1, 'reddish')).toThrow("'reddish' is not a color");
    expect(() => context.createRadialGradient(0, 0, -1, 0, 0, 1)).toThrow('radius -1 is negative');
  });
});
