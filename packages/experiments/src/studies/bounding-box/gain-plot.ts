/** Plot of the gains of the bounding-box study: a line per scene over the levels. */
import { plotLines } from '@tessera/plot';
import { type BoundingBoxRow, gainOf, LEVELS } from './bounding-box.ts';

/** Draws the plot as SVG. @param rows At least one. */
export function plotGains(rows: readonly BoundingBoxRow[]): string {
  return plotLines({
    title: 'Sub-tiles that the bounding-box test removes',
    xLabel: 'level of tile traversal',
    yLabel: '% of sub-tiles',
    series: rows.map((row) => ({
      name: row.scene,
      points: LEVELS.map((level) => ({ x: level, y: 100 * gainOf(row, level) })),
    })),
  });
}
