import { describe, expect, it } from 'vitest';
import { Document } from '../elements/document.ts';
import type { Context2d } from './context-2d.ts';
import { Path2D } from './path-2d.ts';

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

/** Returns the rows of an image, with `#` for each pixel that is covered by half or more. */
function rowsOf(context: Context2d, width: number, height: number): string[] {
  const { data } = context.getImageData(0, 0, width, height);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) =>
      data[(y * width + x) * 4 + 3]! >= 128 ? '#' : '.',
    ).join(''),
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

describe('transforms', () => {
  it('apply to rectangles, images and gradients, and are saved', () => {
    const context = make2d(6, 6);
    context.save();
    context.translate(3, 3);
    context.rotate(Math.PI / 2);
    context.scale(2, 1);
    context.fillRect(0, 0, 1, 2);
    expect(rowsOf(context, 6, 6)).toEqual([
      ...Array(3).fill('......'),
      '.##...',
      '.##...',
      '......',
    ]);
    const { a, b, c, d, e, f } = context.getTransform() as unknown as Record<string, number>;
    expect([a, b, c, d, e, f].map((each) => Math.round(each!))).toEqual([0, 2, -1, 0, 3, 3]);
    context.restore();
    expect(context.getTransform().isIdentity).toBe(true);

    const source = make2d(2, 1);
    source.fillStyle = 'red';
    source.fillRect(0, 0, 1, 1);
    context.clearRect(0, 0, 6, 6);
    context.setTransform(0, 2, 2, 0, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(source.canvas, 0, 1);
    expect(rowsOf(context, 6, 6)).toEqual(['..##..', '..##..', ...Array(4).fill('......')]);
    context.setTransform({ a: 0.5, d: 0.5 });
    const gradient = context.createLinearGradient(0, 0, 12, 0);
    gradient.addColorStop(0, '#000');
    gradient.addColorStop(1, '#f00');
    context.fillStyle = gradient;
    context.fillRect(0, 0, 12, 12);
    expect(pixel(context, 3, 5)[0]).toBe(149);
    context.resetTransform();
    context.transform(1, 0, 0, 1, 5, 0);
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 5, 0)).toEqual([11, 0, 0, 255]);
  });

  it('place the points of a path when they are added', () => {
    const context = make2d(6, 3);
    context.moveTo(0, 0);
    context.translate(3, 0);
    context.lineTo(0, 0);
    context.lineTo(0, 3);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.lineTo(0, 3);
    context.fill();
    expect(rowsOf(context, 6, 3)).toEqual(Array(3).fill('###...'));
  });

  it('apply to text', () => {
    const context = make2d(9, 6);
    context.translate(1, 0);
    context.rotate(Math.PI / 2);
    context.fillText('T', 0, 0);
    expect(rowsOf(context, 9, 6)).toEqual([
      '.......#.',
      '.......#.',
      '.#######.',
      '.......#.',
      '.......#.',
      '.........',
    ]);
  });

  it('without an inverse draw nothing', () => {
    const context = make2d(2, 2);
    context.scale(0, 1);
    context.fillRect(0, 0, 9, 9);
    context.strokeRect(0, 0, 9, 9);
    context.drawImage(make2d(1, 1).canvas, 0, 0);
    context.translate(Number.NaN, 0);
    expect(rowsOf(context, 2, 2)).toEqual(['..', '..']);
    expect(context.getTransform().toString()).toBe('matrix(0, 0, 0, 1, 0, 0)');
  });
});

describe('edges', () => {
  it('cover pixels in proportion', () => {
    const context = make2d(3, 2);
    context.fillRect(0.5, 0.25, 1, 1);
    expect([0, 1, 2].map((x) => pixel(context, x, 0)[3])).toEqual([96, 96, 0]);
    context.clearRect(0, 0, 0.5, 2);
    expect(pixel(context, 0, 0)[3]).toBe(48);
  });
});

describe('strokes', () => {
  const draw = (build: (context: Context2d) => void): string[] => {
    const context = make2d(8, 8);
    build(context);
    context.stroke();
    return rowsOf(context, 8, 8);
  };

  it('have width, joins and caps', () => {
    const corner = (join: string, cap = 'butt') =>
      draw((context) => {
        Object.assign(context, { lineWidth: 2, lineJoin: join, lineCap: cap });
        context.moveTo(2, 6);
        context.lineTo(2, 2);
        context.lineTo(6, 2);
      });
    const side = '.##.....';
    expect(corner('miter')).toEqual([
      ...['........', '.#####..', '.#####..', side, side, side],
      ...['........', '........'],
    ]);
    expect(corner('bevel')[1]).toBe('.#####..');
    expect(corner('miter', 'square')).toEqual([
      ...['........', '.######.', '.######.', side, side, side, side],
      '........',
    ]);
  });

  it('close, dash and scale with the pen', () => {
    expect(
      draw((context) => {
        context.lineWidth = 2;
        context.rect(2, 2, 4, 4);
      }),
    ).toEqual([
      ...['........', '.######.', '.######.', '.##..##.', '.##..##.', '.######.', '.######.'],
      '........',
    ]);
    const dashes = draw((context) => {
      context.setLineDash([2, 1]);
      context.lineDashOffset = 1;
      context.moveTo(0, 0.5);
      context.lineTo(8, 0.5);
    });
    expect(dashes[0]).toBe('#.##.##.');
    const scaled = draw((context) => {
      context.moveTo(0, 4);
      context.lineTo(8, 4);
      context.scale(1, 4);
    });
    expect(scaled).toEqual(
      Array.from({ length: 8 }, (_, y) => (y > 1 && y < 6 ? '#' : '.').repeat(8)),
    );
  });

  it('can be of text and of rectangles', () => {
    const context = make2d(8, 8);
    context.strokeRect(1.5, 1.5, 5, 5);
    expect(rowsOf(context, 8, 8)[3]).toBe('.#....#.');
    context.clearRect(0, 0, 8, 8);
    context.font = '40px any';
    context.lineWidth = 2;
    context.strokeText('-', 0, 20);
    // The hyphen is a block of cells, so nothing is drawn inside of it.
    expect(rowsOf(context, 8, 8).join('')).toContain('#');
  });
});

describe('clip', () => {
  it('limits what is drawn until it is restored', () => {
    const context = make2d(4, 4);
    context.save();
    context.rect(0, 0, 2, 4);
    context.clip();
    context.beginPath();
    context.rect(0, 0, 4, 2);
    context.clip();
    context.fillRect(0, 0, 4, 4);
    expect(rowsOf(context, 4, 4)).toEqual(['##..', '##..', '....', '....']);
    context.restore();
    context.fillRect(3, 3, 1, 1);
    expect(rowsOf(context, 4, 4)[3]).toBe('...#');
  });
});

describe('Path2D', () => {
  it('is filled and clipped under the current transform', () => {
    const path = new Path2D('M0 0h2v2h-2z');
    const context = make2d(6, 6);
    context.translate(1, 1);
    context.fill(path);
    context.setTransform(2, 0, 0, 2, 2, 2);
    context.fill(path);
    expect(rowsOf(context, 6, 6)).toEqual([
      ...['......', '.##...', '.#####', '..####', '..####', '..####'],
    ]);
    expect([context.isPointInPath(path, 3, 3), context.isPointInPath(path, 1, 1)]).toEqual([
      true,
      false,
    ]);
    context.lineWidth = 0.5;
    expect(context.isPointInStroke(path, 2.4, 4)).toBe(true);
    expect(context.isPointInStroke(path, 3, 4)).toBe(false);
  });

  it('can be built and added', () => {
    const path = new Path2D();
    path.roundRect(0, 0, 6, 6, 3);
    const copy = new Path2D(path);
    copy.addPath(new Path2D('M0 0H1V1'), { e: 20 });
    const context = make2d(6, 6);
    context.fill(copy);
    expect(rowsOf(context, 6, 6)).toEqual(['.####.', ...Array(4).fill('######'), '.####.']);
    expect(() => path.roundRect(0, 0, 1, 1, [])).toThrow(RangeError);
  });
});

describe('compositing', () => {
  /** Draws blue over the left half of a half-transparent red pixel row. */
  function draw(operator: string): number[][] {
    const context = make2d(3, 1);
    context.fillStyle = 'rgba(255, 0, 0, 0.6)';
    context.fillRect(0, 0, 2, 1);
    context.globalCompositeOperation = operator;
    context.fillStyle = 'rgba(0, 0, 255, 0.4)';
    context.fillRect(1, 0, 1, 1);
    return [0, 1, 2].map((x) => pixel(context, x, 0));
  }

  it.each([
    ['source-over', [255, 0, 0, 153], [121, 0, 134, 194]],
    ['source-in', [0, 0, 0, 0], [0, 0, 255, 61]],
    ['source-out', [0, 0, 0, 0], [0, 0, 255, 41]],
    ['source-atop', [255, 0, 0, 153], [153, 0, 102, 153]],
    ['destination-over', [255, 0, 0, 153], [201, 0, 54, 194]],
    ['destination-in', [0, 0, 0, 0], [255, 0, 0, 61]],
    ['destination-out', [255, 0, 0, 153], [255, 0, 0, 92]],
    ['destination-atop', [0, 0, 0, 0], [153, 0, 102, 102]],
    ['lighter', [255, 0, 0, 153], [153, 0, 102, 255]],
    ['copy', [0, 0, 0, 0], [0, 0, 255, 102]],
    ['xor', [255, 0, 0, 153], [177, 0, 78, 133]],
    ['multiply', [255, 0, 0, 153], [121, 0, 54, 194]],
    ['screen', [255, 0, 0, 153], [201, 0, 134, 194]],
  ])('with %s', (operator, left, middle) => {
    const [first, second, third] = draw(operator);
    expect(first).toEqual(left);
    for (const [i, value] of second!.entries()) {
      expect(Math.abs(value - middle[i]!)).toBeLessThanOrEqual(1);
    }
    expect(third).toEqual([0, 0, 0, 0]);
  });

  it('ignores unknown operators', () => {
    const context = make2d(1, 1);
    context.globalCompositeOperation = 'xor';
    context.globalCompositeOperation = 'nonsense';
    expect(context.globalCompositeOperation).toBe('xor');
  });
});

describe('styles', () => {
  it('repeat an image', () => {
    const tile = make2d(2, 2);
    tile.fillStyle = 'lime';
    tile.fillRect(0, 0, 1, 1);
    const context = make2d(4, 4);
    context.imageSmoothingEnabled = false;
    const pattern = context.createPattern(tile.canvas, 'repeat-x')!;
    context.fillStyle = pattern;
    expect(context.fillStyle).toBe(pattern);
    context.fillRect(0, 0, 4, 4);
    expect(rowsOf(context, 4, 4)).toEqual(['#.#.', '....', '....', '....']);
    pattern.setTransform({ e: 1, f: 1 });
    context.clearRect(0, 0, 4, 4);
    context.fillRect(0, 0, 4, 4);
    expect(rowsOf(context, 4, 4)).toEqual(['....', '.#.#', '....', '....']);
    expect(() => context.createPattern(tile.canvas, 'sometimes')).toThrow('sometimes');
  });

  it('are read as canvases show them', () => {
    const context = make2d(1, 1);
    for (const [given, shown] of [
      ['red', '#ff0000'],
      ['hsl(120, 100%, 50%)', '#00ff00'],
      ['rgba(1, 2, 3, 0.5)', 'rgba(1, 2, 3, 0.5)'],
      ['rebeccapurple', '#663399'],
    ]) {
      context.strokeStyle = given!;
      expect(context.strokeStyle).toBe(shown);
    }
    context.lineWidth = 3;
    context.lineWidth = -1;
    context.lineCap = 'none';
    expect([context.lineWidth, context.lineCap, context.filter]).toEqual([3, 'butt', 'none']);
    expect(() => Object.assign(context, { filter: 'blur(2px)' })).toThrow('blur(2px)');
  });

  it('have shadows', () => {
    const context = make2d(8, 4);
    context.shadowColor = 'rgba(0, 0, 255, 0.5)';
    context.shadowOffsetX = 4;
    context.fillStyle = 'red';
    context.fillRect(0, 0, 2, 4);
    expect([0, 2, 4, 6].map((x) => pixel(context, x, 1))).toEqual([
      ...[
        [255, 0, 0, 255],
        [0, 0, 0, 0],
        [0, 0, 255, 128],
        [0, 0, 0, 0],
      ],
    ]);
    context.shadowBlur = 2;
    context.shadowColor = 'blue';
    context.fillRect(0, 0, 2, 4);
    expect(pixel(context, 6, 1)[3]).toBeGreaterThan(0);
  });

  it('can make an opaque canvas', () => {
    const canvas = document.createElement('canvas');
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext('2d', { alpha: false }) as Context2d;
    expect(pixel(context, 0, 0)).toEqual([0, 0, 0, 255]);
    context.fillStyle = 'rgba(255, 0, 0, 0.5)';
    context.fillRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([128, 0, 0, 255]);
    context.clearRect(0, 0, 1, 1);
    expect(pixel(context, 0, 0)).toEqual([0, 0, 0, 255]);
  });
});
