/** Proves that points are on the scales of the axes, and that names cannot inject markup. */
import { describe, expect, it } from 'vitest';
import { plotLines } from './line-plot.ts';
import { spacingOf } from './x-spacing.ts';

const POINTS = [
  { x: 1, y: 1 },
  { x: 2, y: 1.9 },
  { x: 4, y: 3.5 },
];

describe('plotLines', () => {
  it('places points on scales that begin at 0 below and at the first x on the left', () => {
    const svg = plotLines({
      title: 'Speed-up',
      xLabel: 'chiplets',
      yLabel: 'times',
      series: [
        { name: 'dynamic', points: POINTS },
        { name: 'ideal', points: [POINTS[0]!, { x: 4, y: 4 }], isReference: true },
      ],
    });
    // 0 to 4 in steps of 1 over the height of the plot.
    expect(svg).toContain('points="64,258.5 209.3,194.2 500,79.8"');
    expect(svg).toContain('points="64,258.5 500,44"');
    // Three points, and the mark in the legend.
    expect(svg.match(/<circle/g)).toHaveLength(4);
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(2);
  });

  it('gives each doubling the same distance, if all values are doublings', () => {
    const xs = [2, 4, 8, 16, 32];
    const points = xs.map((x) => ({ x, y: 1 }));
    const series = [{ name: 'a', points }];
    expect(spacingOf(xs)).toBe('doubling');
    expect(spacingOf([1, 2, 3, 4])).toBe('proportional');
    expect(spacingOf([1, 2])).toBe('proportional');
    const svg = plotLines({ title: 't', xLabel: 'x', yLabel: 'y', series, xSpacing: 'doubling' });
    expect(svg).toContain('points="64,44 173,44 282,44 391,44 500,44"');
  });

  it('distinguishes 21 lines by color or mark', () => {
    const series = Array.from({ length: 21 }, (_, i) => ({ name: `line ${i}`, points: POINTS }));
    const svg = plotLines({ title: 't', xLabel: 'x', yLabel: 'y', series });
    const marks = svg.match(/<(circle|rect)[^>]*fill="#[^"]*"[^>]*>/g)!.slice(1);
    const looks = marks.map((mark) => {
      const shape = mark.includes('rotate') ? 'diamond' : mark.slice(1, 5);
      return `${shape} ${/fill="(#\w+)"/.exec(mark)![1]}`;
    });
    expect(looks).toHaveLength(21 * 4);
    expect(new Set(looks).size).toBe(21);
  });

  it('accepts one point, zeros and large numbers', () => {
    const plot = (y: number) =>
      plotLines({
        title: 't',
        xLabel: 'x',
        yLabel: 'y',
        series: [{ name: 'a', points: [{ x: 3, y }] }],
      });
    expect(plot(0)).toContain('cy="330"');
    expect(plot(2_500_000)).toContain('>2.5 M<');
    expect(plot(0)).not.toMatch(/NaN|Infinity/);
  });

  it('shows names as text', () => {
    const series = [{ name: '<script>', points: POINTS }];
    const svg = plotLines({ title: 'a & b', xLabel: '', yLabel: '', series });
    expect(svg).toContain('&#60;script&#62;');
    expect(svg).toContain('a &#38; b');
  });
});
