/**
 * View state of a Gantt chart: the visible interval, the units shown, the selected and the marked
 * span.
 */
import { type GanttView, type PlacedSpan, panView, revealSpan, zoomView } from './gantt-layout.ts';
import type { GanttRow, GanttSpan, TimelineRows } from './timeline-rows.ts';

/** The timeline of one frame or sequence. */
export interface GanttGroup {
  /** Heading of the group; shown if the chart has several groups. */
  readonly title: string;
  readonly timeline: TimelineRows;
}

/** One bar of the chart: a span, or several narrow ones, in its row. */
export interface GanttBar {
  /** Index of the row among the visible rows of all groups. */
  readonly rowIndex: number;
  readonly row: GanttRow;
  readonly placed: PlacedSpan<GanttSpan>;
}

/** Number of steps from the selected bar: rows down, and spans to the right within its row. */
export interface GanttStep {
  readonly rows: number;
  readonly spans: number;
}

/** View state of a Gantt chart. It does not draw; the chart redraws after each change. */
export class GanttModel {
  readonly groups: readonly GanttGroup[];
  readonly endCycle: number;
  /** Number of the chiplet whose units are shown, or an empty string. */
  unitsOf = '';
  #view: GanttView;
  #selected: { readonly rowIndex: number; readonly span: GanttSpan } | null = null;
  #markedBin: string | null = null;

  constructor(groups: readonly GanttGroup[]) {
    this.groups = groups;
    this.endCycle = Math.max(1, ...groups.map(({ timeline }) => timeline.endCycle));
    this.#view = { fromCycle: 0, toCycle: this.endCycle };
  }

  /** Visible interval of simulated cycles. */
  get view(): GanttView {
    return this.#view;
  }

  /** Returns the visible rows of a group. */
  rowsOf({ timeline }: GanttGroup): readonly GanttRow[] {
    return timeline.rows.filter(
      ({ kind, chiplet }) => kind !== 'unit' || String(chiplet) === this.unitsOf,
    );
  }

  /** Returns the chiplets whose timeline has units. */
  chipletsWithUnits(): readonly (number | null)[] {
    const chiplets = this.groups.flatMap(({ timeline }) =>
      timeline.rows.filter(({ kind }) => kind === 'unit').map(({ chiplet }) => chiplet),
    );
    return [...new Set(chiplets)];
  }

  /** Multiplies the length of the view by `factor`. `around` keeps its place if possible. */
  zoom(factor: number, around = (this.#view.fromCycle + this.#view.toCycle) / 2): void {
    this.#view = zoomView(this.#view, factor, around, this.endCycle);
  }

  /**
   * Zooms around the selected span and keeps it visible, or around the middle without a selection.
   */
  zoomAtSelection(factor: number): void {
    const span = this.#selected?.span;
    if (span === undefined) {
      this.zoom(factor);
      return;
    }
    this.zoom(factor, (span.startCycle + span.endCycle) / 2);
    this.#view = revealSpan(this.#view, span, this.endCycle);
  }

  /** Moves the view by a share of its length. */
  pan(share: number): void {
    const cycles = share * (this.#view.toCycle - this.#view.fromCycle);
    this.#view = panView(this.#view, cycles, this.endCycle);
  }

  /** Shows an interval of cycles. */
  showView(view: GanttView): void {
    this.#view = view;
  }

  /** Shows the whole time. */
  showAll(): void {
    this.#view = { fromCycle: 0, toCycle: this.endCycle };
  }

  /** Selects a bar and marks its bin. Returns the bin, or null if the bar is not a single bin. */
  select({ rowIndex, placed }: GanttBar): string | null {
    const [span] = placed.spans;
    this.#selected = { rowIndex, span: span! };
    const bin = placed.spans.length === 1 ? span!.bin : null;
    this.#markedBin = this.groups.length === 1 ? bin : null;
    return bin;
  }

  /** Marks a bin and clears the selection. */
  mark(bin: string | null): void {
    this.#markedBin = bin;
    this.#selected = null;
  }

  /** Returns whether the bar contains the selected span. */
  isSelected({ rowIndex, placed }: GanttBar): boolean {
    const selected = this.#selected;
    return (
      selected !== null && selected.rowIndex === rowIndex && placed.spans.includes(selected.span)
    );
  }

  /** Returns whether the bar contains the marked bin. */
  isMarked({ placed }: GanttBar): boolean {
    const marked = this.#markedBin;
    return (
      marked !== null && placed.spans.some(({ bin, kind }) => bin === marked && kind === 'bin')
    );
  }

  /**
   * Returns the bar that is a step away from the selected one: its neighbor in the row, or the bar
   * of another row that is closest in time. Without a selection returns the first bar.
   */
  barBeside<Bar extends GanttBar>(bars: readonly Bar[], step: GanttStep): Bar | undefined {
    const at = bars.findIndex((bar) => this.isSelected(bar));
    const from = bars[at];
    if (from === undefined) return bars[0];
    if (step.rows === 0) {
      const beside = bars[at + step.spans];
      return beside?.rowIndex === from.rowIndex ? beside : from;
    }
    const rows = [...new Set(bars.map(({ rowIndex }) => rowIndex))];
    const wanted = rows[rows.indexOf(from.rowIndex) + step.rows] ?? from.rowIndex;
    const middle = ({ placed }: Bar) => placed.xPx + placed.widthPx / 2;
    const distance = (bar: Bar) => Math.abs(middle(bar) - middle(from));
    return bars
      .filter(({ rowIndex }) => rowIndex === wanted)
      .sort((a, b) => distance(a) - distance(b))[0];
  }
}
