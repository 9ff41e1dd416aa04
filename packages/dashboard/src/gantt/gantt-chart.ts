/**
 * A Gantt chart in simulated cycles, of one frame, of several on one axis, or of a sequence, whose frames have a
 * colour each: what each chiplet did when, and what went over the link. It is zoomed and walked through by mouse and by keyboard; what is pointed at is told below.
 */
import {
  chipletColor,
  cssColor,
  FRAME_COLOR_COUNT,
  frameColor,
  textColorOn,
} from '../ui/colors.ts';
import { element, replace, svgElement } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import {
  axisTicks,
  cycleToPx,
  type GanttView,
  type PlacedSpan,
  panView,
  placeSpans,
  pxToCycle,
  revealSpan,
  zoomView,
} from './gantt-layout.ts';
import type { GanttRow, GanttSpan, SpanKind, TimelineRows } from './timeline-rows.ts';

/** The timeline of one frame or sequence. */
export interface GanttGroup {
  /** Stands above its rows where there are several. */
  readonly title: string;
  readonly timeline: TimelineRows;
}

export interface GanttChart {
  readonly root: HTMLElement;
  /** Marks a bin; `null` marks none. */
  readonly markBin: (bin: string | null) => void;
}

export interface GanttOptions {
  /** Called with a bin that is pointed at, or `null`. */
  readonly onBin?: (bin: string | null) => void;
  readonly signal: AbortSignal;
}

const ROW_PX = 24;
const BAR_PX = 18;
/** Of the colour of its frame below a visibility phase. */
const STRIP_PX = 5;
const AXIS_PX = 22;
const TITLE_PX = 24;
const LABEL_PX = 122;
const NARROW_LABEL_PX = 74;
const NARROW_PX = 560;
const CHARACTER_PX = 7;
const ZOOM_STEP = 0.6;
const PAN_SHARE = 0.25;

const KIND_MEANINGS: Readonly<Record<SpanKind, string>> = {
  visibility: 'visibility phase',
  bin: 'coarse bin (colour of its chiplet)',
  transfer: 'transfer over the link',
  idle: 'idle',
  busy: 'unit busy',
  starved: 'unit starved: nothing to take',
  stalled: 'unit stalled: cannot hand on',
};
/** Where bars have the colours of frames. */
const SEQUENCE_MEANINGS: Readonly<Partial<Record<SpanKind, string>>> = {
  visibility: 'visibility phase (V1: of frame 1), below it the colour of its frame',
  bin: 'coarse bin (1:5 is bin 5 of frame 1)',
};
const UNIT_KINDS: readonly SpanKind[] = ['busy', 'starved', 'stalled'];

/** A rectangle of the chart and where it is, for the keyboard. */
interface Bar {
  readonly rowIndex: number;
  readonly row: GanttRow;
  readonly placed: PlacedSpan<GanttSpan>;
  readonly rect: SVGRectElement;
}

export function ganttChart(groups: readonly GanttGroup[], options: GanttOptions): GanttChart {
  const endCycle = Math.max(1, ...groups.map(({ timeline }) => timeline.endCycle));
  let view: GanttView = { fromCycle: 0, toCycle: endCycle };
  let unitsOf = '';
  let markedBin: string | null = null;
  let bars: Bar[] = [];
  let current: { readonly rowIndex: number; readonly span: GanttSpan } | null = null;

  const svg = svgElement('svg', {
    class: 'gantt',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'Gantt chart',
    'aria-label':
      'Chiplets over simulated cycles. Arrow keys walk through spans and rows, plus and minus zoom, 0 shows all.',
  });
  const told = element(
    'p',
    { class: 'told', 'aria-live': 'polite' },
    'Point at a span for its figures.',
  );
  const legend = element('ul', { class: 'legend' });
  const root = element(
    'div',
    { class: 'gantt-chart' },
    element(
      'div',
      { class: 'toolbar' },
      button('+', 'Zoom in', () => zoom(ZOOM_STEP)),
      button('−', 'Zoom out', () => zoom(1 / ZOOM_STEP)),
      button('◀', 'Earlier', () => pan(-PAN_SHARE)),
      button('▶', 'Later', () => pan(PAN_SHARE)),
      button('All', 'Show all of the time', showAll),
      unitSelect(),
    ),
    svg,
    told,
    legend,
  );

  function button(text: string, label: string, onclick: () => void): HTMLElement {
    return element('button', { type: 'button', 'aria-label': label, title: label, onclick }, text);
  }

  function unitSelect(): HTMLElement {
    const chiplets = new Set(
      groups.flatMap(({ timeline }) =>
        timeline.rows.filter(({ kind }) => kind === 'unit').map(({ chiplet }) => chiplet),
      ),
    );
    const select = element(
      'select',
      {
        onchange: () => {
          unitsOf = select.value;
          draw();
        },
      },
      element('option', { value: '' }, 'none'),
      ...[...chiplets].map((chiplet) =>
        element('option', { value: chiplet }, `chiplet ${chiplet}`),
      ),
    );
    return element('label', {}, 'Units of ', select);
  }

  function zoom(factor: number, around = (view.fromCycle + view.toCycle) / 2): void {
    view = zoomView(view, factor, around, endCycle);
    draw();
  }

  function pan(share: number): void {
    view = panView(view, share * (view.toCycle - view.fromCycle), endCycle);
    draw();
  }

  function showAll(): void {
    view = { fromCycle: 0, toCycle: endCycle };
    draw();
  }

  function isShown(row: GanttRow): boolean {
    return row.kind !== 'unit' || String(row.chiplet) === unitsOf;
  }

  function draw(): void {
    const fullPx = svg.clientWidth || 800;
    const labelPx = fullPx < NARROW_PX ? NARROW_LABEL_PX : LABEL_PX;
    const widthPx = Math.max(50, fullPx - labelPx - 4);
    const content: SVGElement[] = [idlePattern()];
    bars = [];
    let y = AXIS_PX;
    let rowIndex = 0;
    const kinds = new Set<SpanKind>();
    const frames = new Set<number>();
    for (const { title, timeline } of groups) {
      if (groups.length > 1) {
        content.push(text(0, y + TITLE_PX - 8, title, 'gantt-title'));
        y += TITLE_PX;
      }
      for (const row of timeline.rows.filter(isShown)) {
        const name = shorten(row.name, labelPx);
        content.push(text(row.kind === 'unit' ? 8 : 0, y + 14, name, `gantt-name ${row.kind}`));
        for (const placed of placeSpans(row.spans, view, widthPx)) {
          content.push(...drawBar(row, rowIndex, placed, labelPx, y));
          for (const { kind, frame } of placed.spans) {
            kinds.add(kind);
            if (frame !== null) frames.add(frame);
          }
        }
        y += ROW_PX;
        rowIndex++;
      }
    }
    const axis = axisTicks(view, widthPx).flatMap((tick) => {
      const x = labelPx + cycleToPx(tick, view, widthPx);
      const line = svgElement('line', {
        class: 'gantt-tick',
        x1: x,
        x2: x,
        y1: AXIS_PX - 4,
        y2: y,
      });
      const isLast = x > fullPx - 40;
      const label = text(x, 12, formatNumber(tick), 'gantt-axis');
      label.setAttribute('text-anchor', isLast ? 'end' : 'middle');
      return [line, label];
    });
    const [visibility, ...rest] = content;
    svg.setAttribute('height', String(y + 4));
    svg.replaceChildren(visibility!, ...axis, ...rest);
    drawLegend(kinds, frames);
    mark();
  }

  function drawBar(
    row: GanttRow,
    rowIndex: number,
    placed: PlacedSpan<GanttSpan>,
    labelPx: number,
    y: number,
  ): SVGElement[] {
    const [span] = placed.spans;
    const rect = svgElement('rect', {
      class: `span ${span!.kind}`,
      'data-frame': span!.frame,
      x: labelPx + placed.xPx,
      y: y + (ROW_PX - BAR_PX) / 2,
      width: placed.widthPx,
      height: BAR_PX,
      onpointerenter: () => point(rowIndex, row, placed),
    });
    bars.push({ rowIndex, row, placed, rect });
    const { frame } = span!;
    const color = frame === null ? chipletColor(row.chiplet ?? 0) : frameColor(frame);
    if (span!.kind === 'bin') rect.style.fill = cssColor(color);
    const drawn: SVGElement[] = [rect];
    if (frame !== null && span!.kind === 'visibility') {
      const strip = svgElement('rect', {
        class: 'span-strip',
        x: labelPx + placed.xPx,
        y: y + (ROW_PX + BAR_PX) / 2 - STRIP_PX,
        width: placed.widthPx,
        height: STRIP_PX,
      });
      strip.style.fill = cssColor(color);
      drawn.push(strip);
    }
    const label = placed.spans.length > 1 ? '' : labelOf(span!);
    if (label === '' || placed.widthPx < label.length * CHARACTER_PX + 4) return drawn;
    const name = text(
      labelPx + placed.xPx + placed.widthPx / 2,
      y + (drawn.length > 1 ? 13 : 16),
      label,
      `span-name ${span!.kind}`,
    );
    if (span!.kind === 'bin') name.style.fill = textColorOn(color);
    return [...drawn, name];
  }

  function drawLegend(kinds: ReadonlySet<SpanKind>, frames: ReadonlySet<number>): void {
    const shown = (Object.keys(KIND_MEANINGS) as SpanKind[]).filter(
      (kind) => kinds.has(kind) && (unitsOf !== '' || !UNIT_KINDS.includes(kind)),
    );
    const entries = shown.map((kind) => {
      const meaning = frames.size > 0 ? SEQUENCE_MEANINGS[kind] : undefined;
      const mark = swatch(kind);
      if (kind === 'bin' && frames.size > 0) mark.classList.add('any-frame');
      return element('li', {}, mark, meaning ?? KIND_MEANINGS[kind]);
    });
    const inOrder = [...frames].sort((a, b) => a - b);
    const frameEntries = inOrder.slice(0, FRAME_COLOR_COUNT).map((frame) => {
      const mark = swatch('bin');
      mark.querySelector('rect')!.style.fill = cssColor(frameColor(frame));
      return element('li', {}, mark, `frame ${frame}`);
    });
    const hasMore = inOrder.length > FRAME_COLOR_COUNT;
    const more = `and so on: colours begin anew every ${FRAME_COLOR_COUNT} frames`;
    replace(legend, ...entries, ...frameEntries, hasMore && element('li', {}, more));
  }

  function point(rowIndex: number, row: GanttRow, placed: PlacedSpan<GanttSpan>): void {
    const [span] = placed.spans;
    current = { rowIndex, span: span! };
    told.textContent = describeSpans(row, placed.spans);
    const bin = placed.spans.length === 1 ? span!.bin : null;
    markedBin = groups.length === 1 ? bin : null;
    mark();
    options.onBin?.(bin);
  }

  function mark(): void {
    for (const { rect, placed, rowIndex } of bars) {
      const isCurrent =
        current !== null && current.rowIndex === rowIndex && placed.spans.includes(current.span);
      const isMarked =
        markedBin !== null &&
        placed.spans.some(({ bin, kind }) => bin === markedBin && kind === 'bin');
      rect.classList.toggle('current', isCurrent);
      rect.classList.toggle('marked', isMarked);
    }
  }

  /** Goes to the next span of the row, or to the span at the same time of another row. */
  function walk(rowStep: number, spanStep: number): void {
    if (bars.length === 0) return;
    const at = bars.findIndex(
      ({ rowIndex, placed }) =>
        current !== null && current.rowIndex === rowIndex && placed.spans.includes(current.span),
    );
    const from = bars[at];
    let next: Bar | undefined = bars[0];
    if (from !== undefined && rowStep === 0) {
      const beside = bars[at + spanStep];
      next = beside?.rowIndex === from.rowIndex ? beside : from;
    } else if (from !== undefined) {
      const rows = [...new Set(bars.map(({ rowIndex }) => rowIndex))];
      const wanted = rows[rows.indexOf(from.rowIndex) + rowStep] ?? from.rowIndex;
      const middle = (bar: Bar) => bar.placed.xPx + bar.placed.widthPx / 2;
      next = bars
        .filter(({ rowIndex }) => rowIndex === wanted)
        .sort((a, b) => Math.abs(middle(a) - middle(from)) - Math.abs(middle(b) - middle(from)))[0];
    }
    if (next !== undefined) point(next.rowIndex, next.row, next.placed);
  }

  svg.addEventListener('keydown', (event) => {
    const zoomAtSpan = (factor: number) => {
      const span = current?.span;
      zoom(factor, span === undefined ? undefined : (span.startCycle + span.endCycle) / 2);
      if (span === undefined) return;
      view = revealSpan(view, span, endCycle);
      draw();
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? pan(-PAN_SHARE) : walk(0, -1)),
      ArrowRight: () => (event.shiftKey ? pan(PAN_SHARE) : walk(0, 1)),
      ArrowUp: () => walk(-1, 0),
      ArrowDown: () => walk(1, 0),
      '+': () => zoomAtSpan(ZOOM_STEP),
      '=': () => zoomAtSpan(ZOOM_STEP),
      '-': () => zoomAtSpan(1 / ZOOM_STEP),
      '0': showAll,
      Home: showAll,
    };
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  svg.addEventListener(
    'wheel',
    (event) => {
      // Without a key the wheel scrolls the page.
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const { left, width } = svg.getBoundingClientRect();
      const labelPx = width < NARROW_PX ? NARROW_LABEL_PX : LABEL_PX;
      const around = pxToCycle(event.clientX - left - labelPx, view, width - labelPx - 4);
      zoom(event.deltaY + event.deltaX < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, around);
    },
    { passive: false },
  );

  let drawnPx = 0;
  const observer = new ResizeObserver(() => {
    if (svg.clientWidth === drawnPx) return;
    drawnPx = svg.clientWidth;
    draw();
  });
  observer.observe(svg);
  options.signal.addEventListener('abort', () => observer.disconnect());

  return {
    root,
    markBin: (bin) => {
      markedBin = bin;
      current = null;
      mark();
    },
  };
}

function text(x: number, y: number, content: string, className: string): SVGTextElement {
  return svgElement('text', { x, y, class: className }, content);
}

/** Stripes, so that idle time is not told by colour alone. */
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

/** A little bar for the legend. */
function swatch(kind: SpanKind): SVGElement {
  return svgElement(
    'svg',
    { width: 18, height: 14, 'aria-hidden': 'true' },
    svgElement('rect', { class: `span ${kind}`, width: 18, height: 14 }),
  );
}

/** What stands in a bar if there is room; nothing for what is no phase and no bin. */
function labelOf({ kind, name, frame }: GanttSpan): string {
  if (kind === 'visibility') return frame === null ? name : `V${frame}`;
  if (kind !== 'bin') return '';
  return name
    .replace(/^frame (\d+): /, '$1:')
    .replace(/pass (\d+): bin /, '$1/')
    .replace(/bin /, '');
}

function shorten(name: string, widthPx: number): string {
  const room = Math.floor(widthPx / CHARACTER_PX);
  return name.length <= room ? name : `${name.slice(0, room - 1)}…`;
}

function describeSpans(row: GanttRow, spans: readonly GanttSpan[]): string {
  const [first, last] = [spans[0]!, spans.at(-1)!];
  const time = `cycles ${formatNumber(first.startCycle)} to ${formatNumber(last.endCycle)}`;
  if (spans.length > 1)
    return `${row.name}: ${spans.length} spans, ${time}; zoom in to tell them apart`;
  const figures = Object.entries(first.figures).map(([name, value]) =>
    typeof value === 'number' ? `${name} ${formatNumber(value)}` : `${name} ${value}`,
  );
  return [`${row.name}: ${first.name}`, time, ...figures].join(' · ');
}
