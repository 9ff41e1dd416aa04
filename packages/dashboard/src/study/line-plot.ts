/**
 * A line plot as SVG, over the number of chiplets or a hardware parameter. Lines differ in color,
 * marker and dash.
 */

import { placeOnAxis, spacingOf } from '@tessera/plot/x-spacing';
import { roundStep } from '../gantt/gantt-layout.ts';
import { svgElement } from '../ui/dom.ts';
import { formatCompact, formatNumber } from '../ui/format.ts';
import type { Series } from './study-types.ts';

const WIDTH = 640;
const HEIGHT = 340;
const LEFT = 62;
const BOTTOM = 44;
const TOP = 14;
const RIGHT = 14;
const TICKS = 5;
const MARK = 5;
/** Number of line styles in the style sheet, which defines their colors for each theme. */
const LINE_STYLES = 8;
const MARKS: readonly ((x: number, y: number) => string)[] = [
  (x, y) =>
    `M${x - MARK} ${y}a${MARK} ${MARK} 0 1 0 ${2 * MARK} 0a${MARK} ${MARK} 0 1 0 ${-2 * MARK} 0`,
  (x, y) => `M${x - MARK} ${y - MARK}h${2 * MARK}v${2 * MARK}h${-2 * MARK}z`,
  (x, y) => `M${x} ${y - MARK - 1}l${MARK + 1} ${2 * MARK}h${-2 * MARK - 2}z`,
  (x, y) =>
    `M${x} ${y - MARK - 1}l${MARK + 1} ${MARK + 1}l${-MARK - 1} ${MARK + 1}l${-MARK - 1} ${-MARK - 1}z`,
];

/**
 * Creates a plot of all series.
 *
 * @param axis Name of the horizontal axis.
 */
export function linePlot(series: readonly Series[], label: string, axis: string): SVGElement {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const step = roundStep(Math.max(1e-9, ...points.map(({ y }) => y)) / TICKS);
  const top = Math.max(step, Math.ceil(Math.max(...points.map(({ y }) => y)) / step) * step);
  const placeOf = placeOnAxis(spacingOf(xs));
  const last = placeOf(xs.at(-1) ?? 1, xs);
  const first = placeOf(xs[0] ?? 1, xs);
  const placeX = (x: number) =>
    last === first
      ? (LEFT + WIDTH - RIGHT) / 2
      : LEFT + 12 + ((placeOf(x, xs) - first) / (last - first)) * (WIDTH - LEFT - RIGHT - 24);
  const placeY = (y: number) => HEIGHT - BOTTOM - (y / top) * (HEIGHT - BOTTOM - TOP);
  const plot = svgElement('svg', {
    class: 'plot',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': `${label} over ${axis}; the table below has the figures`,
  });
  for (let y = 0; y <= top + step / 2; y += step) {
    plot.append(
      svgElement('line', {
        class: 'grid',
        x1: LEFT,
        x2: WIDTH - RIGHT,
        y1: placeY(y),
        y2: placeY(y),
      }),
      svgElement('text', { x: LEFT - 8, y: placeY(y) + 4, 'text-anchor': 'end' }, formatCompact(y)),
    );
  }
  for (const x of xs) {
    plot.append(
      svgElement('text', { x: placeX(x), y: HEIGHT - BOTTOM + 18, 'text-anchor': 'middle' }, x),
    );
  }
  plot.append(
    svgElement('text', { x: (LEFT + WIDTH) / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, axis),
  );
  for (const [index, { name, points: own }] of series.entries()) {
    const places = own.map(({ x, y }) => `${placeX(x)},${placeY(y)}`).join(' ');
    const line = svgElement('g', { class: `line line-${index % LINE_STYLES}` });
    line.append(svgElement('polyline', { points: places }));
    for (const { x, y } of own) {
      const title = svgElement('title', {}, `${name}, ${axis} ${x}: ${formatNumber(y)}`);
      line.append(svgElement('path', { d: markPath(index, placeX(x), placeY(y)) }, title));
    }
    plot.append(line);
  }
  return plot;
}

/** Creates a sample of a line with its marker, for the legend. */
export function lineSample(index: number): SVGElement {
  return svgElement(
    'svg',
    { class: 'plot-sample', width: 36, height: 14, 'aria-hidden': 'true' },
    svgElement(
      'g',
      { class: `line line-${index % LINE_STYLES}` },
      svgElement('polyline', { points: '0,7 36,7' }),
      svgElement('path', { d: markPath(index, 18, 7) }),
    ),
  );
}

function markPath(index: number, x: number, y: number): string {
  return MARKS[index % MARKS.length]!(x, y);
}
