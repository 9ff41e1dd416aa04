/** Proves that panels share their axes and have one legend. */
import { describe, expect, it } from 'vitest';
import { plotPanels } from './panel-plot.ts';

describe('plotPanels', () => {
  it('places every panel on the scale of the largest value, with one legend', () => {
    const panel = (title: string, most: number) => ({
      title,
      series: [
        {
          name: 'a',
          points: [
            { x: 0, y: 0 },
            { x: 1, y: most },
          ],
        },
      ],
    });
    const svg = plotPanels({
      title: 't',
      xLabel: 'x',
      yLabel: 'y',
      xNames: ['low', 'high'],
      panels: [panel('one', 6), panel('two', 3)],
    });
    expect(svg).toContain('points="64,300 314,64"');
    expect(svg).toContain('points="374,300 624,182"');
    expect(svg.match(/>a</g)).toHaveLength(1);
    expect(svg.match(/>high</g)).toHaveLength(2);
  });
});
