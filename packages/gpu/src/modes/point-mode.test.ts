import { describe, expect, it } from 'vitest';
import { pixelAt, render, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 16, heightPx: 16, fineBinPx: 16 };

/** Returns the covered columns and rows of the point at (x, y), y down. */
function covered(x: number, y: number, sizePx: number): { columns: number[]; rows: number[] } {
  const vertices = vertexAt(TARGET, x, y, 0, [sizePx, 1, 1, 1]);
  const state = { pointMode: 'basic' } as const;
  const image = render([{ topology: 'points', isPointSized: true, vertices, state }], TARGET);
  const columns = new Set<number>();
  const rows = new Set<number>();
  for (let row = 0; row < 16; row++) {
    for (let column = 0; column < 16; column++) {
      if (pixelAt(image, column, row)[3] === 0) continue;
      columns.add(column);
      rows.add(row);
    }
  }
  return { columns: [...columns], rows: [...rows] };
}

/** Returns the pixels of a point along an axis that points right or up (OpenGL 2.1, 3.3.1). */
function expected(position: number, sizePx: number): number[] {
  const first =
    sizePx % 2 === 1
      ? Math.floor(position) - (sizePx - 1) / 2
      : Math.floor(position + 0.5) - sizePx / 2;
  return Array.from({ length: sizePx }, (_, i) => first + i);
}

describe('a basic point', () => {
  it('has the pixels that the specification gives for its center', () => {
    for (const sizePx of [1, 2, 3, 4]) {
      for (const shift of [0, 0.25, 0.5, 0.75]) {
        const [x, up] = [7 + shift, 9 - shift];
        const { columns, rows } = covered(x, 16 - up, sizePx);
        expect([sizePx, shift, ...columns]).toEqual([sizePx, shift, ...expected(x, sizePx)]);
        const fromBelow = rows.map((row) => 15 - row).reverse();
        expect([sizePx, shift, ...fromBelow]).toEqual([sizePx, shift, ...expected(up, sizePx)]);
      }
    }
  });
});
