/** Positions of spans in a Gantt chart, from simulated cycles to pixels. */

/** Visible interval of simulated cycles. */
export interface GanttView {
  readonly fromCycle: number;
  readonly toCycle: number;
}

interface Span {
  readonly startCycle: number;
  readonly endCycle: number;
}

/** One span, or several adjacent spans that are too narrow to draw separately. */
export interface PlacedSpan<T extends Span> {
  readonly xPx: number;
  readonly widthPx: number;
  readonly spans: readonly T[];
}

/** Width below which spans are merged. */
const MIN_WIDTH_PX = 2;
/** Minimum length of a view. */
const MIN_VIEW_CYCLES = 20;
const MIN_TICK_DISTANCE_PX = 70;

/**
 * Places the visible spans of a row. Narrow spans are merged with those that follow until they are
 * wide enough, so the number of rectangles is limited by the chart's width.
 *
 * @param spans Spans by start, not overlapping.
 */
export function placeSpans<T extends Span>(
  spans: readonly T[],
  view: GanttView,
  widthPx: number,
): PlacedSpan<T>[] {
  const placed: PlacedSpan<T>[] = [];
  let narrow: T[] = [];
  const flush = () => {
    if (narrow.length === 0) return;
    const xPx = cycleToPx(Math.max(narrow[0]!.startCycle, view.fromCycle), view, widthPx);
    const endPx = cycleToPx(Math.min(narrow.at(-1)!.endCycle, view.toCycle), view, widthPx);
    placed.push({ xPx, widthPx: Math.max(1, endPx - xPx), spans: narrow });
    narrow = [];
  };
  for (const span of spans) {
    if (span.endCycle <= view.fromCycle || span.startCycle >= view.toCycle) continue;
    const xPx = cycleToPx(Math.max(span.startCycle, view.fromCycle), view, widthPx);
    const endPx = cycleToPx(Math.min(span.endCycle, view.toCycle), view, widthPx);
    if (endPx - xPx >= MIN_WIDTH_PX) {
      flush();
      placed.push({ xPx, widthPx: endPx - xPx, spans: [span] });
      continue;
    }
    if (narrow.length > 0) {
      const firstPx = cycleToPx(narrow[0]!.startCycle, view, widthPx);
      if (endPx - firstPx > MIN_WIDTH_PX) flush();
    }
    narrow.push(span);
  }
  flush();
  return placed;
}

/** Returns the x position of a cycle in a plot of the given width. */
export function cycleToPx(cycle: number, view: GanttView, widthPx: number): number {
  return ((cycle - view.fromCycle) / (view.toCycle - view.fromCycle)) * widthPx;
}

/** Returns the cycle at an x position. */
export function pxToCycle(px: number, view: GanttView, widthPx: number): number {
  return view.fromCycle + (px / widthPx) * (view.toCycle - view.fromCycle);
}

/** Returns round cycles within the view, as many as fit. */
export function axisTicks({ fromCycle, toCycle }: GanttView, widthPx: number): number[] {
  const room = Math.max(1, Math.floor(widthPx / MIN_TICK_DISTANCE_PX));
  const step = Math.max(1, roundStep((toCycle - fromCycle) / room));
  const ticks: number[] = [];
  for (let tick = Math.ceil(fromCycle / step) * step; tick <= toCycle; tick += step) {
    ticks.push(tick);
  }
  return ticks;
}

/** Returns the next 1, 2 or 5 times a power of ten. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least) ?? 10;
  return factor * power;
}

/**
 * Returns the view with its length multiplied by `factor`. `aroundCycle` keeps its place if
 * possible.
 */
export function zoomView(
  view: GanttView,
  factor: number,
  aroundCycle: number,
  endCycle: number,
): GanttView {
  const length = view.toCycle - view.fromCycle;
  const wanted = Math.min(endCycle, Math.max(MIN_VIEW_CYCLES, length * factor));
  const share = (aroundCycle - view.fromCycle) / length;
  return viewFrom(aroundCycle - share * wanted, wanted, endCycle);
}

/** Returns the view moved by `cycles`, within 0 to `endCycle`. */
export function panView(view: GanttView, cycles: number, endCycle: number): GanttView {
  return viewFrom(view.fromCycle + cycles, view.toCycle - view.fromCycle, endCycle);
}

/**
 * Returns the view moved just enough to show the whole span, or its start if the span is longer
 * than the view.
 */
export function revealSpan(view: GanttView, span: Span, endCycle: number): GanttView {
  const length = view.toCycle - view.fromCycle;
  const least = span.endCycle - length;
  const from = Math.min(Math.max(view.fromCycle, least), span.startCycle);
  return viewFrom(from, length, endCycle);
}

function viewFrom(fromCycle: number, length: number, endCycle: number): GanttView {
  const from = Math.max(0, Math.min(fromCycle, endCycle - length));
  return { fromCycle: from, toCycle: from + length };
}
