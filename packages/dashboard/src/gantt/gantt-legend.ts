/** Legend of a Gantt chart: the kinds of spans and, in a sequence, the colors of its frames. */
import { cssColor, FRAME_COLOR_COUNT, frameColor } from '@tessera/plot/colors';
import { element, svgElement } from '../ui/dom.ts';
import type { GanttBar } from './gantt-model.ts';
import type { SpanKind } from './timeline-rows.ts';

const KIND_MEANINGS: Readonly<Record<SpanKind, string>> = {
  visibility: 'visibility phase',
  bin: 'coarse bin (color of its chiplet)',
  transfer: 'transfer over the link',
  remote: 'remote memory: bytes per cycle of all chiplets, dark for few, light for many',
  idle: 'idle',
  busy: 'unit busy',
  starved: 'unit starved: no input',
  stalled: 'unit stalled: cannot pass on its output',
};
/** Meanings in a sequence, where bars have the colors of frames. */
const SEQUENCE_MEANINGS: Readonly<Partial<Record<SpanKind, string>>> = {
  visibility: 'visibility phase (V1: of frame 1), with the color of its frame below',
  bin: 'coarse bin (1:5 is bin 5 of frame 1)',
};
const UNIT_KINDS: readonly SpanKind[] = ['busy', 'starved', 'stalled'];

/**
 * Returns the entries of the legend for the drawn bars.
 *
 * @param hasUnits Whether the chart shows the units of a chiplet.
 */
export function ganttLegend(bars: readonly GanttBar[], hasUnits: boolean): HTMLElement[] {
  const spans = bars.flatMap(({ placed }) => placed.spans);
  const kinds = new Set(spans.map(({ kind }) => kind));
  const frames = [...new Set(spans.map(({ frame }) => frame))]
    .filter((frame) => frame !== null)
    .sort((a, b) => a - b);
  const shown = (Object.keys(KIND_MEANINGS) as SpanKind[]).filter(
    (kind) => kinds.has(kind) && (hasUnits || !UNIT_KINDS.includes(kind)),
  );
  const entries = shown.map((kind) => {
    const meaning = frames.length > 0 ? SEQUENCE_MEANINGS[kind] : undefined;
    const mark = swatch(kind);
    if (kind === 'bin' && frames.length > 0) mark.classList.add('any-frame');
    return element('li', {}, mark, meaning ?? KIND_MEANINGS[kind]);
  });
  const frameEntries = frames.slice(0, FRAME_COLOR_COUNT).map((frame) => {
    const mark = swatch('bin');
    mark.querySelector('rect')!.style.fill = cssColor(frameColor(frame));
    return element('li', {}, mark, `frame ${frame}`);
  });
  if (frames.length <= FRAME_COLOR_COUNT) return [...entries, ...frameEntries];
  const repeats = `…; the colors repeat every ${FRAME_COLOR_COUNT} frames`;
  return [...entries, ...frameEntries, element('li', {}, repeats)];
}

/** Returns a small bar in the style of its kind. */
function swatch(kind: SpanKind): SVGElement {
  return svgElement(
    'svg',
    { width: 18, height: 14, 'aria-hidden': 'true' },
    svgElement('rect', { class: `span ${kind}`, width: 18, height: 14 }),
  );
}
