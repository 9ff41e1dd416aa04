import { describe, expect, it } from 'vitest';
import { Document } from '../elements/document.ts';
import type { Context2d } from './context-2d.ts';

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

/** Returns the rows of an image, with `#` for each drawn pixel. */
function rowsOf(context: Context2d, width: number, height: number): string[] {
  const { data } = context.getImageData(0, 0, width, height);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (data[(y * width + x) * 4 + 3]! > 0 ? '#' : '.')).join(
      '',
    ),
  );
}

describe('Context2d', () => {
  it('fills rectangles in CSS colors, and no pixel beyond them', () => {
    const context = make2d(4, 4);
    context.fillStyle = 'rgb(255, 128, 0)';
    context.fillRect(1, 1, 2, 2);
    expect(pixel(context, 1, 1)).toEqual([255, 128, 0, 255]);
    expect(pixel(context, 2, 2)).toEqual([255, 128, 0, 255]);
    expect(pixel(context, 0, 1)).toEqual([0, 0, 0, 0]);
    expect(pixel(context, 3, 2)).toEqual([0, 0, 0, 0]);
  });

  it('ignores an unknown style', () => {
    const context = make2d(1, 1);
    context.fillStyle = '#0f0';
    context.fillStyle = 'no color';
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([0, 255, 0, 255]);
  });

  it('blends a half transparent color with the canvas', () => {
    const context = make2d(1, 1);
    context.fillStyle = '#000';
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = 'rgba(255, 0, 0, 0.5)';
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([128, 0, 0, 255]);
  });

  it('returns the bytes that were put, including transparent ones', () => {
    const context = make2d(2, 1);
    const image = context.createImageData(2, 1);
    image.data.set([1, 2, 3, 0, 4, 5, 6, 7]);
    context.putImageData(image, 0, 0);
    expect([...context.getImageData(0, 0, 2, 1).data]).toEqual([1, 2, 3, 0, 4, 5, 6, 7]);
  });

  it('draws a whole canvas, a scaled one with nearest pixels, and a part', () => {
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

  it('mirrors an image with a negative scale', () => {
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

  it('is cleared by a new size', () => {
    const context = make2d(1, 1);
    context.fillRect(0, 0, 1, 1);
    context.canvas.width = 2;
    expect(pixel(context, 0, 0)).toEqual([0, 0, 0, 0]);
  });
});

describe('text', () => {
  it('stands on its baseline', () => {
    const context = make2d(6, 9);
    context.fillText('T', 0, 8);
    expect(rowsOf(context, 6, 9)).toEqual([
      '......',
      '#####.',
      ...Array(6).fill('..#...'),
      '......',
    ]);
  });

  it('has the size of its font and follows its alignment', () => {
    const context = make2d(24, 14);
    context.font = 'bold 15pt Arial';
    expect(context.font).toBe('bold 15pt Arial');
    expect(context.measureText('TT').width).toBe(24);
    context.textAlign = 'right';
    context.textBaseline = 'top';
    context.fillText('T', 24, 0);
    expect(rowsOf(context, 24, 14)[0]).toBe(`${'.'.repeat(12)}${'#'.repeat(10)}..`);
    context.font = 'nonsense';
    context.textAlign = 'nowhere';
    expect([context.font, context.textAlign]).toEqual(['bold 15pt Arial', 'right']);
  });

  it('is condensed to the maximum width', () => {
    const context = make2d(12, 10);
    context.fillText('TT', 0, 8, 6);
    expect(rowsOf(context, 12, 10).every((row) => row.slice(6) === '......')).toBe(true);
  });
});

describe('paths', () => {
  const draw = (build: (context: Context2d) => void): string[] => {
    const context = make2d(6, 6);
    build(context);
    context.fill();
    return rowsOf(context, 6, 6);
  };

  it('fill the points that they wind around, and close open contours', () => {
    expect(
      draw((context) => {
        context.moveTo(0, 0);
        context.lineTo(6.5, 0);
        context.lineTo(0, 6.5);
      }),
    ).toEqual(['######', '#####.', '####..', '###...', '##....', '#.....']);
  });

  it('exclude opposite windings, and start anew with beginPath', () => {
    const ring = draw((context) => {
      context.rect(5, 5, 1, 1);
      context.beginPath();
      context.rect(0, 0, 6, 6);
      context.rect(4, 2, -2, 2);
    });
    expect(ring).toEqual(['######', '######', '##..##', '##..##', '######', '######']);
    expect(draw(() => {})).toEqual(Array(6).fill('......'));
  });

  it('have arcs, which scale too', () => {
    const disc = draw((context) => {
      context.scale(2, 2);
      context.arc(1.5, 1.5, 1.5, 0, 7);
    });
    expect(disc).toEqual(['.####.', '######', '######', '######', '######', '.####.']);
    const half = draw((context) => context.arc(3, 3, 3, 0, Math.PI));
    expect(half).toEqual([...Array(3).fill('......'), '######', '######', '.####.']);
    const other = draw((context) => context.arc(3, 3, 3, 0, Math.PI, true));
    expect(other).toEqual([...half].reverse());
  });
});
