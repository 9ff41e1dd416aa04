/** Proves that points are on the scales of the axes, and that names cannot inject markup. */
import { describe, expect, it } from 'vitest';
import { plotLines } from './line-plot.ts';

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
    expect(svg.match(/<circle/g)).toHaveLength(3);
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(2);
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
