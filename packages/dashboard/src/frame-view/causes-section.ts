/** Why a frame takes its time: its critical path as a bar, and the explanation of its report. */
import type { Report } from '../api/types.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element } from '../ui/dom.ts';
import { formatShare } from '../ui/format.ts';
import { documentLinks, section } from '../ui/page.ts';

/** Returns the section, or false if the frame has no causes. */
export function causesSection({ causes, totals }: Report): HTMLElement | false {
  // Frames of earlier versions have none.
  if (!causes) return false;
  const steps = causes.criticalPath.map(({ kind, chiplet, cycles }) => {
    const title = formatShare(cycles / totals.cycles!);
    const step = element('span', { title }, chiplet !== null && chipletMark(chiplet), kind);
    step.style.flexGrow = String(cycles);
    return step;
  });
  return section(
    'Causes',
    element('div', { class: 'critical-path', 'aria-hidden': 'true' }, ...steps),
    element('ul', {}, ...causes.explanation.map((line) => element('li', {}, line))),
    documentLinks(['How they are found', 'causes.md']),
  );
}
