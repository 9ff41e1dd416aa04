/** Where the spans of a Gantt chart lie: from simulated cycles to pixels of the page. */

/** The part of the time that is shown. */
export interface GanttView {
  readonly fromCycle: number;
  readonly toCycle: number;
}

interface Span {
  readonly startCycle: number;
  readonly endCycle: number;
}

/** One span, or several neighbours that are too narrow to be drawn apart. */
export interface PlacedSpan<T extends Span> {
  readonly xPx: number;
  readonly widthPx: number;
  readonly spans: readonly T[];
}

/** Spans narrower than this are drawn together. */
const MIN_WIDTH_PX = 2;
/** No view is shorter. */
const MIN_VIEW_CYCLES = 20;
const MIN_TICK_DISTANCE_PX = 70;

/**
 * Places the spans of a row that are in view. Narrow ones are drawn together with those that follow, until they
 * are wide enough: a chart has no more rectangles than its width allows.
 *
 * @param spans By start, none overlapping.
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

export function cycleToPx(cycle: number, view: GanttView, widthPx: number): number {
  return ((cycle - view.fromCycle) / (view.toCycle - view.fromCycle)) * widthPx;
}

export function pxToCycle(px: number, view: GanttView, widthPx: number): number {
  return view.fromCycle + (px / widthPx) * (view.toCycle - view.fromCycle);
}

/** Round cycles within the view, as many as there is room for. */
export function axisTicks({ fromCycle, toCycle }: GanttView, widthPx: number): number[] {
  const room = Math.max(1, Math.floor(widthPx / MIN_TICK_DISTANCE_PX));
  const step = Math.max(1, roundStep((toCycle - fromCycle) / room));
  const ticks: number[] = [];
  for (let tick = Math.ceil(fromCycle / step) * step; tick <= toCycle; tick += step) {
    ticks.push(tick);
  }
  return ticks;
}

/** The next 1, 2 or 5 times a power of ten. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least) ?? 10;
  return factor * power;
}

/** The view with its length multiplied by `factor`; `aroundCycle` stays where it is if it can. */
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

/** The view moved by `cycles`, within the time that there is. */
export function panView(view: GanttView, cycles: number, endCycle: number): GanttView {
  return viewFrom(view.fromCycle + cycles, view.toCycle - view.fromCycle, endCycle);
}

/** The view moved no more than needed to show all of a span, or its start where it is longer than the view. */
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
