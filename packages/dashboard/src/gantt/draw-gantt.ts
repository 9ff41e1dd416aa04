/** Draws a Gantt chart as SVG: axis, names of rows, bars. */
import { chipletColor, costColor, cssColor, frameColor, textColorOn } from '@tessera/plot/colors';
import { svgElement } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { axisTicks, cycleToPx, type PlacedSpan, placeSpans } from './gantt-layout.ts';
import type { GanttBar, GanttModel } from './gantt-model.ts';
import type { GanttRow, GanttSpan } from './timeline-rows.ts';

const ROW_PX = 24;
const BAR_PX = 18;
/** Height of the strip in a frame's color below a visibility phase. */
const STRIP_PX = 5;
const AXIS_PX = 22;
const TITLE_PX = 24;
const LABEL_PX = 122;
const NARROW_LABEL_PX = 74;
/** Width of the chart below which labels are narrow. */
const NARROW_PX = 560;
const MIN_PLOT_PX = 50;
const CHARACTER_PX = 7;

/** Horizontal division of the chart: names of rows, then the plot. */
export interface GanttColumns {
  readonly labelPx: number;
  readonly plotPx: number;
}

/** A bar with its rectangle. */
export interface DrawnBar extends GanttBar {
  readonly rect: SVGRectElement;
}

/** Elements of a chart. */
export interface GanttDrawing {
  readonly content: readonly SVGElement[];
  readonly heightPx: number;
  readonly bars: readonly DrawnBar[];
}

/** Returns the columns of a chart of the given width. */
export function ganttColumns(fullPx: number): GanttColumns {
  const labelPx = fullPx < NARROW_PX ? NARROW_LABEL_PX : LABEL_PX;
  return { labelPx, plotPx: Math.max(MIN_PLOT_PX, fullPx - labelPx - 4) };
}

/**
 * Draws the visible part of a chart.
 *
 * @param onPoint Called when the pointer enters a bar.
 */
export function drawGantt(
  model: GanttModel,
  fullPx: number,
  onPoint: (bar: GanttBar) => void,
): GanttDrawing {
  const columns = ganttColumns(fullPx);
  const content: SVGElement[] = [];
  const bars: DrawnBar[] = [];
  let y = AXIS_PX;
  let rowIndex = 0;
  for (const group of model.groups) {
    if (model.groups.length > 1) {
      content.push(drawText(0, y + TITLE_PX - 8, group.title, 'gantt-title'));
      y += TITLE_PX;
    }
    for (const row of model.rowsOf(group)) {
      content.push(drawName(row, columns, y));
      for (const placed of placeSpans(row.spans, model.view, columns.plotPx)) {
        const bar: GanttBar = { rowIndex, row, placed };
        const rect = drawRect(bar, columns.labelPx + placed.xPx, y, () => onPoint(bar));
        content.push(rect, ...drawOnBar(bar, columns.labelPx + placed.xPx, y));
        bars.push({ ...bar, rect });
      }
      y += ROW_PX;
      rowIndex++;
    }
  }
  const axis = drawAxis(model, columns, fullPx, y);
  return { content: [idlePattern(), ...axis, ...content], heightPx: y + 4, bars };
}

function drawAxis(
  { view }: GanttModel,
  { labelPx, plotPx }: GanttColumns,
  fullPx: number,
  endPx: number,
): SVGElement[] {
  return axisTicks(view, plotPx).flatMap((tick) => {
    const x = labelPx + cycleToPx(tick, view, plotPx);
    const line = svgElement('line', {
      class: 'gantt-tick',
      x1: x,
      x2: x,
      y1: AXIS_PX - 4,
      y2: endPx,
    });
    const isLast = x > fullPx - 40;
    const label = drawText(x, 12, formatNumber(tick), 'gantt-axis');
    label.setAttribute('text-anchor', isLast ? 'end' : 'middle');
    return [line, label];
  });
}

function drawName({ kind, name }: GanttRow, { labelPx }: GanttColumns, y: number): SVGElement {
  const room = Math.floor(labelPx / CHARACTER_PX);
  const shown = name.length <= room ? name : `${name.slice(0, room - 1)}…`;
  return drawText(kind === 'unit' ? 8 : 0, y + 14, shown, `gantt-name ${kind}`);
}

function drawRect({ row, placed }: GanttBar, x: number, y: number, onPoint: () => void) {
  const [span] = placed.spans;
  const rect = svgElement('rect', {
    class: `span ${span!.kind}`,
    'data-frame': span!.frame,
    x,
    y: y + (ROW_PX - BAR_PX) / 2,
    width: placed.widthPx,
    height: BAR_PX,
    onpointerenter: onPoint,
  });
  if (span!.kind === 'bin') rect.style.fill = cssColor(colorOf(row, placed));
  if (span!.kind === 'remote') {
    const level = Math.max(...placed.spans.map((each) => each.level ?? 0));
    rect.style.fill = cssColor(costColor(level));
  }
  return rect;
}

/** Draws the strip in the frame's color and the label, if the bar has them. */
function drawOnBar({ row, placed }: GanttBar, x: number, y: number): SVGElement[] {
  const span = placed.spans[0]!;
  const color = colorOf(row, placed);
  const drawn: SVGElement[] = [];
  if (span.frame !== null && span.kind === 'visibility') {
    const strip = svgElement('rect', {
      class: 'span-strip',
      x,
      y: y + (ROW_PX + BAR_PX) / 2 - STRIP_PX,
      width: placed.widthPx,
      height: STRIP_PX,
    });
    strip.style.fill = cssColor(color);
    drawn.push(strip);
  }
  const label = placed.spans.length > 1 ? '' : labelOf(span);
  if (label === '' || placed.widthPx < label.length * CHARACTER_PX + 4) return drawn;
  const baseline = y + (drawn.length > 0 ? 13 : 16);
  const name = drawText(x + placed.widthPx / 2, baseline, label, `span-name ${span.kind}`);
  if (span.kind === 'bin') name.style.fill = textColorOn(color);
  return [...drawn, name];
}

function colorOf({ chiplet }: GanttRow, { spans }: PlacedSpan<GanttSpan>) {
  const { frame } = spans[0]!;
  return frame === null ? chipletColor(chiplet ?? 0) : frameColor(frame);
}

/** Returns the label of a bar: the name of a phase or bin, shortened; empty for other kinds. */
function labelOf({ kind, name, frame }: GanttSpan): string {
  if (kind === 'visibility') return frame === null ? name : `V${frame}`;
  if (kind !== 'bin') return '';
  return name
    .replace(/^frame (\d+): /, '$1:')
    .replace(/pass (\d+): bin /, '$1/')
    .replace(/bin /, '');
}

/** Returns stripes that distinguish idle time without color. */
function idlePattern(): SVGElement {
  return svgElement(
    'defs',
    {},
    svgElement(
      'pattern',
      {
        id: 'idle-stripes',
        width: 6,
        height: 6,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      svgElement('line', { class: 'idle-stripe', x1: 0, y1: 0, x2: 0, y2: 6 }),
    ),
  );
}

function drawText(x: number, y: number, content: string, className: string): SVGTextElement {
  return svgElement('text', { x, y, class: className }, content);
}
