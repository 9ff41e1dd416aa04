/** Plot of the memory-bandwidth study: a line per number of clients over the length of bursts. */
import { plotLines } from '@tessera/plot';
import { type BandwidthRow, PAGE_LINES, PAPER } from './memory-bandwidth.ts';

/** Draws the plot as SVG. @param rows At least one. */
export function plotBandwidth(rows: readonly BandwidthRow[]): string {
  const clientCounts = [...new Set(rows.map(({ clients }) => clients))];
  const page = rows.find(({ burstLines }) => burstLines === PAGE_LINES)!;
  return plotLines({
    title: 'Bandwidth of local memory',
    xLabel: 'bus cycles of a burst',
    yLabel: 'MB/s',
    xSpacing: 'equal',
    series: clientCounts.map((clients) => ({
      name: `${clients} client${clients > 1 ? 's' : ''}`,
      points: rows
        .filter((row) => row.clients === clients)
        .map(({ busCycles, bytesPerSecond }) => ({ x: busCycles, y: bytesPerSecond / 1e6 })),
    })),
    notes: [{ x: page.busCycles, y: PAPER.bytesPerSecond / 1e6, text: 'paper: 2,021.2 MB/s' }],
  });
}
