/** Lines over numbers as SVG: a plot of a study's results, which opens in a browser and stands in a document. */

/** A line and its name in the legend. */
export interface PlotSeries {
  readonly name: string;
  /** By ascending x. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Dashed and grey: what the others are held against. */
  readonly isReference?: boolean;
}

export interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** At least one, with a point. */
  readonly series: readonly PlotSeries[];
}

const WIDTH_PX = 760;
const LEFT_PX = 64;
const RIGHT_PX = 500;
const TOP_PX = 44;
const BOTTOM_PX = 330;
const LEGEND_LINE_PX = 20;
const MARGIN_PX = 60;
/** Wanted divisions of the vertical axis. */
const DIVISIONS = 5;
/** Okabe and Ito's colours, which colour-blind people tell apart; yellow is left out, it is weak on white. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const REFERENCE_COLOR = '#767676';
/** Marks tell lines of the same colour apart. */
const MARKS = ['circle', 'square', 'diamond'] as const;

/** Draws the plot. @example plotLines({ title: 'Speed-up', xLabel: 'chiplets', yLabel: '×', series }) */
export function plotLines({ title, xLabel, yLabel, series }: LinePlot): string {
  const points = series.flatMap((line) => line.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const step = niceStep(Math.max(...points.map(({ y }) => y)) / DIVISIONS);
  const top = step * Math.max(1, Math.ceil(Math.max(...points.map(({ y }) => y)) / step));
  const [first, last] = [xs[0]!, xs.at(-1)!];
  const xOf = (x: number) =>
    first === last ? (LEFT_PX + RIGHT_PX) / 2 : scale(x, first, last, LEFT_PX, RIGHT_PX);
  const yOf = (y: number) => scale(y, 0, top, BOTTOM_PX, TOP_PX);
  const heightPx = Math.max(BOTTOM_PX, TOP_PX + LEGEND_LINE_PX * series.length) + MARGIN_PX;
  const middle = (LEFT_PX + RIGHT_PX) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH_PX} ${heightPx}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH_PX}" height="${heightPx}" fill="#ffffff"/>`,
    label(middle, 24, title, 'middle', ' font-size="16"'),
    ...Array.from({ length: Math.round(top / step) + 1 }, (_, i) => {
      const y = fixed(yOf(i * step));
      return `<line x1="${LEFT_PX}" x2="${RIGHT_PX}" y1="${y}" y2="${y}" stroke="#dddddd"/>${label(LEFT_PX - 8, yOf(i * step) + 4, shortNumber(i * step), 'end')}`;
    }),
    ...xs.map((x) => label(xOf(x), BOTTOM_PX + 20, shortNumber(x), 'middle')),
    label(middle, BOTTOM_PX + 42, xLabel, 'middle'),
    label(18, (TOP_PX + BOTTOM_PX) / 2, yLabel, 'middle', rotation(18, (TOP_PX + BOTTOM_PX) / 2)),
    ...series.flatMap((line, i) => drawSeries(line, i, xOf, yOf)),
    '</svg>',
    '',
  ].join('\n');
}

function drawSeries(
  { name, points, isReference = false }: PlotSeries,
  seriesIndex: number,
  xOf: (x: number) => number,
  yOf: (y: number) => number,
): string[] {
  const color = isReference ? REFERENCE_COLOR : COLORS[seriesIndex % COLORS.length]!;
  const dash = isReference ? ' stroke-dasharray="6 4"' : '';
  const mark = MARKS[Math.floor(seriesIndex / COLORS.length) % MARKS.length]!;
  const path = points.map(({ x, y }) => `${fixed(xOf(x))},${fixed(yOf(y))}`).join(' ');
  const legendY = TOP_PX + 8 + LEGEND_LINE_PX * seriesIndex;
  const legendX = RIGHT_PX + 20;
  return [
    `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"${dash}/>`,
    ...(isReference ? [] : points.map(({ x, y }) => drawMark(mark, xOf(x), yOf(y), color))),
    `<line x1="${legendX}" x2="${legendX + 24}" y1="${legendY}" y2="${legendY}" stroke="${color}" stroke-width="2"${dash}/>`,
    label(legendX + 32, legendY + 4, name, 'start'),
  ];
}

function drawMark(mark: (typeof MARKS)[number], x: number, y: number, color: string): string {
  if (mark === 'circle') return `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="4" fill="${color}"/>`;
  const turned = mark === 'diamond' ? ` transform="rotate(45 ${fixed(x)} ${fixed(y)})"` : '';
  return `<rect x="${fixed(x - 3.5)}" y="${fixed(y - 3.5)}" width="7" height="7" fill="${color}"${turned}/>`;
}

function label(x: number, y: number, text: string, anchor: string, more = ''): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" fill="#222222"${more}>${escapeXml(text)}</text>`;
}

function rotation(x: number, y: number): string {
  return ` transform="rotate(-90 ${x} ${y})"`;
}

function scale(value: number, from: number, to: number, fromPx: number, toPx: number): number {
  return fromPx + ((value - from) / (to - from)) * (toPx - fromPx);
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `least`; 1 where that is not above 0. */
function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  let power = 1;
  while (power > least) power /= 10;
  while (power * 10 <= least) power *= 10;
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}

function shortNumber(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(4))} M`;
  if (value >= 1e4) return `${Number((value / 1e3).toPrecision(4))} k`;
  return String(Number(value.toPrecision(4)));
}

function fixed(px: number): string {
  return String(Number(px.toFixed(1)));
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
