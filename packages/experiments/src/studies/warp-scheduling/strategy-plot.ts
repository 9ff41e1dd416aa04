/** Groups finished by ratio, a panel per set-up, a line per policy. SVG. */
import { SLOT_POLICIES, type SlotPolicyName } from '@tessera/gpu';
import { normalize, RATIO_NAMES, type StrategyRow } from './strategy-study.ts';

const PANEL_WIDTH = 250;
const GAP = 40;
const LEFT = 50;
const TOP = 40;
const BOTTOM = 270;
const MOST = 1.2;

const COLORS: Readonly<Record<SlotPolicyName, string>> = {
  'vertex-first': '#e6194b',
  'pixel-biased': '#4363d8',
  'fair-random': '#3cb44b',
  videocore: '#f58231',
  gcn: '#911eb4',
};

/** @param rows Of one set-up or more. */
export function plotStrategies(rows: readonly StrategyRow[]): string {
  const setUps = [...new Set(rows.map(({ setUp }) => setUp))];
  const width = LEFT + setUps.length * (PANEL_WIDTH + GAP);
  const y = (share: number) => BOTTOM - (share / MOST) * (BOTTOM - TOP);
  const text = (px: number, py: number, content: string, anchor = 'middle') =>
    `<text x="${px}" y="${py}" text-anchor="${anchor}">${content}</text>`;
  const panels = setUps.flatMap((setUp, panel) => {
    const own = rows.filter((row) => row.setUp === setUp);
    const left = LEFT + panel * (PANEL_WIDTH + GAP);
    const x = (index: number) => left + (index / (RATIO_NAMES.length - 1)) * PANEL_WIDTH;
    const grid = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2].flatMap((share) => [
      `<line x1="${left}" x2="${left + PANEL_WIDTH}" y1="${y(share).toFixed(1)}" y2="${y(share).toFixed(1)}" stroke="#ddd"/>`,
      ...(panel === 0 ? [text(left - 8, y(share) + 4, share.toFixed(1), 'end')] : []),
    ]);
    const lines = SLOT_POLICIES.map((policy) => {
      const points = RATIO_NAMES.map(
        (ratio, i) =>
          `${x(i).toFixed(1)},${y(normalize(own, 'groups finished', policy, ratio)).toFixed(1)}`,
      );
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${COLORS[policy]}" stroke-width="2"/>`;
    });
    return [
      text(left + PANEL_WIDTH / 2, TOP - 16, setUp),
      ...grid,
      ...RATIO_NAMES.map((ratio, i) => text(x(i), BOTTOM + 18, ratio)),
      ...lines,
    ];
  });
  const legend = SLOT_POLICIES.flatMap((policy, i) => {
    const px = LEFT + i * 150;
    return [
      `<line x1="${px}" x2="${px + 20}" y1="312" y2="312" stroke="${COLORS[policy]}" stroke-width="2"/>`,
      text(px + 26, 316, policy, 'start'),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 350" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="350" fill="white"/>`,
    ...panels,
    ...legend,
    text(
      width / 2,
      340,
      'vertex : fragment tasks; groups finished ÷ those of the best of the paper’s three strategies',
    ),
    '</svg>',
    '',
  ].join('\n');
}
