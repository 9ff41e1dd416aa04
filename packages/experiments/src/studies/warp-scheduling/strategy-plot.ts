/** Plot of the groups finished by ratio of tasks: a panel per set-up, a line per policy. */
import { SLOT_POLICIES } from '@tessera/gpu';
import { plotPanels } from '@tessera/plot';
import { normalize, RATIO_NAMES, type StrategyRow } from './strategy-study.ts';

/** Draws the plot as SVG. @param rows Rows of one set-up or more. */
export function plotStrategies(rows: readonly StrategyRow[]): string {
  const setUps = [...new Set(rows.map(({ setUp }) => setUp))];
  return plotPanels({
    title: 'Groups finished ÷ those of the best of the paper’s three strategies',
    xLabel: 'vertex tasks : fragment tasks',
    yLabel: 'groups finished',
    xNames: RATIO_NAMES,
    panels: setUps.map((setUp) => {
      const own = rows.filter((row) => row.setUp === setUp);
      return {
        title: setUp,
        series: SLOT_POLICIES.map((policy) => ({
          name: policy,
          points: RATIO_NAMES.map((ratio, i) => ({
            x: i,
            y: normalize(own, 'groups finished', policy, ratio),
          })),
        })),
      };
    }),
  });
}
