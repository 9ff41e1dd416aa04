/** Why a frame takes its time: its critical path as a bar, and the explanation of its report. */
import { chipletColor, cssColor, textColorOn } from '@tessera/plot/colors';
import type { Report } from '../api/types.ts';
import { element } from '../ui/dom.ts';
import { formatShare } from '../ui/format.ts';
import { documentLinks, section } from '../ui/page.ts';

/** Returns the section, or false if the frame has no causes. */
export function causesSection({ causes, totals }: Report): HTMLElement | false {
  // Frames of earlier versions have none.
  if (!causes || totals.cycles === null) return false;
  const cycles = totals.cycles;
  const steps = causes.criticalPath.map(({ kind, chiplet, cycles: own }) => {
    const place = chiplet === null ? kind : `${kind}, chiplet ${chiplet}`;
    const step = element('span', { title: `${place}: ${formatShare(own / cycles)}` }, place);
    step.style.flexGrow = String(own);
    if (chiplet === null) return step;
    const color = chipletColor(chiplet);
    step.style.backgroundColor = cssColor(color);
    step.style.color = textColorOn(color);
    return step;
  });
  const lines = causes.explanation.map((line) => element('li', {}, line));
  return section(
    'Why it takes this long',
    element('div', { class: 'critical-path', 'aria-hidden': 'true' }, ...steps),
    element('ul', {}, ...lines),
    documentLinks(['How causes are found', 'causes.md']),
  );
}
