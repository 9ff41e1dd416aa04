/** Parts that all plots are made of: texts, lines, marks and scales of an SVG. */

/**
 * Colors of Okabe and Ito, distinguishable to color-blind readers, without yellow, which is weak on
 * white.
 */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const REFERENCE_COLOR = '#767676';

/**
 * Marks distinguish lines of similar and of equal colors. Their number has no common factor with
 * that of the colors, so that the first 21 lines differ.
 */
const MARKS = ['circle', 'square', 'diamond'] as const;

/** A line and its name in the legend. */
export interface PlotSeries {
  readonly name: string;
  /** Points by ascending x. */
  readonly points: readonly PlotPoint[];
  /**
   * Whether the line is a reference for the others: dashed, gray and without marks. False by
   * default.
   */
  readonly isReference?: boolean;
}

/** A point in the units of the axes. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
}

/** Position on the plot in pixels of a value of an axis. */
export type Scale = (value: number) => number;

/** Encloses the parts of a plot in an SVG document with a white background. */
export function svgDocument(
  title: string,
  widthPx: number,
  heightPx: number,
  parts: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${widthPx}" height="${heightPx}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/**
 * Draws a text.
 *
 * @param attributes Further attributes, each with a leading space.
 */
export function label(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
  attributes = '',
): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" fill="#222222"${attributes}>${escapeXml(text)}</text>`;
}

/** Draws a text that reads upwards. */
export function uprightLabel(x: number, y: number, text: string): string {
  return label(x, y, text, 'middle', ` transform="rotate(-90 ${x} ${y})"`);
}

/** Draws a horizontal line of the grid. */
export function gridLine(yPx: number, leftPx: number, rightPx: number): string {
  const y = fixed(yPx);
  return `<line x1="${leftPx}" x2="${rightPx}" y1="${y}" y2="${y}" stroke="#dddddd"/>`;
}

/**
 * Draws the line of a series with a mark at each point.
 *
 * @param index Index of the series, which determines its color and mark.
 */
export function seriesLine(
  { points, isReference = false }: PlotSeries,
  index: number,
  xOf: Scale,
  yOf: Scale,
): string[] {
  const path = points.map(({ x, y }) => `${fixed(xOf(x))},${fixed(yOf(y))}`).join(' ');
  const color = colorOf(index, isReference);
  return [
    `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"${dashOf(isReference)}/>`,
    ...(isReference ? [] : points.map(({ x, y }) => drawMark(index, xOf(x), yOf(y), color))),
  ];
}

/**
 * Draws the name of a series beside a piece of its line with its mark, from a point to the right.
 */
export function legendEntry(
  { name, isReference = false }: PlotSeries,
  index: number,
  x: number,
  y: number,
): string[] {
  const color = colorOf(index, isReference);
  return [
    `<line x1="${x}" x2="${x + 24}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="2"${dashOf(isReference)}/>`,
    ...(isReference ? [] : [drawMark(index, x + 12, y, color)]),
    label(x + 32, y + 4, name, 'start'),
  ];
}

/** Returns the scale of an axis. */
export function scaleBetween(from: number, to: number, fromPx: number, toPx: number): Scale {
  return (value) => fromPx + ((value - from) / (to - from)) * (toPx - fromPx);
}

/**
 * Returns the values of an axis from 0 to at least `most`, in steps of 1, 2 or 5 times a power of
 * ten.
 *
 * @param divisions Number of steps wanted.
 */
export function roundTicks(most: number, divisions: number): number[] {
  const step = roundStep(most / divisions);
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

/**
 * Returns the smallest of 1, 2, 5 times a power of ten that is at least `least`, or 1 if that is
 * not above 0.
 */
function roundStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  let power = 1;
  while (power > least) power /= 10;
  while (power * 10 <= least) power *= 10;
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}

/** Formats a number of an axis in four digits at most, with `k` or `M` from 10,000. */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(4))} M`;
  if (value >= 1e4) return `${Number((value / 1e3).toPrecision(4))} k`;
  return String(Number(value.toPrecision(4)));
}

/** Formats a position in tenths of a pixel. */
export function fixed(px: number): string {
  return String(Number(px.toFixed(1)));
}

function colorOf(index: number, isReference: boolean): string {
  return isReference ? REFERENCE_COLOR : COLORS[index % COLORS.length]!;
}

function dashOf(isReference: boolean): string {
  return isReference ? ' stroke-dasharray="6 4"' : '';
}

function drawMark(index: number, x: number, y: number, color: string): string {
  const mark = MARKS[index % MARKS.length]!;
  if (mark === 'circle') return `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="4" fill="${color}"/>`;
  const turned = mark === 'diamond' ? ` transform="rotate(45 ${fixed(x)} ${fixed(y)})"` : '';
  return `<rect x="${fixed(x - 3.5)}" y="${fixed(y - 3.5)}" width="7" height="7" fill="${color}"${turned}/>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
