/** The gains of the bounding-box study as a plot: a line per scene over the levels. SVG. */
import { type BoundingBoxRow, gainOf, LEVELS } from './bounding-box.ts';

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 50;
const RIGHT = 470;
const TOP = 20;
const BOTTOM = 310;
const COLORS = [
  '#4363d8',
  '#e6194b',
  '#3cb44b',
  '#f58231',
  '#911eb4',
  '#008080',
  '#9a6324',
  '#808000',
  '#000075',
  '#555555',
];

/** @param rows At least one. */
export function plotGains(rows: readonly BoundingBoxRow[]): string {
  const most = Math.max(0.1, ...rows.flatMap((row) => LEVELS.map((level) => gainOf(row, level))));
  const topPercent = Math.ceil(most * 10) * 10;
  const x = (level: number) => LEFT + ((level - 1) / (LEVELS.length - 1)) * (RIGHT - LEFT);
  const y = (percent: number) => BOTTOM - (percent / topPercent) * (BOTTOM - TOP);
  const text = (px: number, py: number, content: string, anchor = 'middle') =>
    `<text x="${px}" y="${py}" text-anchor="${anchor}">${content}</text>`;
  const grid = Array.from({ length: topPercent / 10 + 1 }, (_, i) => [
    `<line x1="${LEFT}" x2="${RIGHT}" y1="${y(10 * i)}" y2="${y(10 * i)}" stroke="#ddd"/>`,
    text(LEFT - 8, y(10 * i) + 4, `${10 * i}`, 'end'),
  ]).flat();
  const lines = rows.flatMap((row, i) => {
    const color = COLORS[i % COLORS.length]!;
    const points = LEVELS.map(
      (level) => `${x(level).toFixed(1)},${y(100 * gainOf(row, level)).toFixed(1)}`,
    );
    const legendY = TOP + 10 + 18 * i;
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<line x1="${RIGHT + 20}" x2="${RIGHT + 40}" y1="${legendY}" y2="${legendY}" stroke="${color}" stroke-width="2"/>`,
      text(RIGHT + 46, legendY + 4, row.scene, 'start'),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...grid,
    ...LEVELS.map((level) => text(x(level), BOTTOM + 18, String(level))),
    text(
      (LEFT + RIGHT) / 2,
      BOTTOM + 38,
      'level of tile traversal; sub-tiles taken away by the box test, per cent',
    ),
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
