/** The memory-bandwidth study as a plot: a line per number of clients over the length of bursts. SVG. */
import { type BandwidthRow, PAGE_LINES, PAPER } from './memory-bandwidth.ts';

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 60;
const RIGHT = 500;
const TOP = 20;
const BOTTOM = 310;
const COLORS = ['#4363d8', '#e6194b', '#3cb44b', '#f58231'];

/** @param rows At least one. */
export function plotBandwidth(rows: readonly BandwidthRow[]): string {
  const peak = Math.max(...rows.map(({ peakBytesPerSecond }) => peakBytesPerSecond));
  const lengths = [...new Set(rows.map(({ busCycles }) => busCycles))];
  const first = lengths[0]!;
  const steps = lengths.length - 1;
  const octaves = (busCycles: number) => lengths.indexOf(busCycles);
  const x = (busCycles: number) => LEFT + (octaves(busCycles) / steps) * (RIGHT - LEFT);
  const y = (bytesPerSecond: number) => BOTTOM - (bytesPerSecond / peak) * (BOTTOM - TOP);
  const text = (px: number, py: number, content: string, anchor = 'middle') =>
    `<text x="${px}" y="${py}" text-anchor="${anchor}">${content}</text>`;
  const level = (part: number) => {
    const at = y(peak * part).toFixed(1);
    return [
      `<line x1="${LEFT}" x2="${RIGHT}" y1="${at}" y2="${at}" stroke="#ddd"/>`,
      text(LEFT - 8, Number(at) + 4, ((peak * part) / 1e6).toFixed(0), 'end'),
    ];
  };
  const clientCounts = [...new Set(rows.map(({ clients }) => clients))];
  const lines = clientCounts.flatMap((clients, i) => {
    const color = COLORS[i % COLORS.length]!;
    const points = rows
      .filter((row) => row.clients === clients)
      .map((row) => `${x(row.busCycles).toFixed(1)},${y(row.bytesPerSecond).toFixed(1)}`);
    const legendY = TOP + 10 + 18 * i;
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<line x1="${RIGHT + 16}" x2="${RIGHT + 36}" y1="${legendY}" y2="${legendY}" stroke="${color}" stroke-width="2"/>`,
      text(RIGHT + 42, legendY + 4, `${clients} client${clients > 1 ? 's' : ''}`, 'start'),
    ];
  });
  const paperX = x(first * PAGE_LINES).toFixed(1);
  const paperY = y(PAPER.bytesPerSecond);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...[0, 0.25, 0.5, 0.75, 1].flatMap(level),
    ...lengths.map((length) => text(x(length), BOTTOM + 18, String(length))),
    text((LEFT + RIGHT) / 2, BOTTOM + 38, 'bus cycles of a burst; megabytes per second'),
    ...lines,
    `<circle cx="${paperX}" cy="${paperY.toFixed(1)}" r="6" fill="none" stroke="black" stroke-width="2"/>`,
    text(Number(paperX), Math.round(paperY) - 12, 'paper: 2,021.2 MB/s'),
    '</svg>',
    '',
  ].join('\n');
}
