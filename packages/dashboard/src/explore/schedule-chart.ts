/**
 * Chart of an estimated schedule on a canvas, which is redrawn within a frame of the display for
 * any setting, and moves from one schedule to another.
 */
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { drawSchedule, layoutOf, placeAt, type ScheduleLayout } from './draw-schedule.ts';
import { IN_MEMORY } from './number-sprites.ts';
import { barAt, blendSchedules, type Schedule } from './schedule.ts';
import { ScheduleLegend } from './schedule-colors.ts';

/** Duration of a move. */
const MOVE_MS = 900;

/** A chart on the page. */
export class ScheduleChart {
  readonly root: HTMLElement;
  readonly #canvas = element('canvas', { class: 'explore-chart', role: 'img' });
  readonly #context = this.#canvas.getContext('2d', IN_MEMORY)!;
  readonly #described = element(
    'p',
    { class: 'described hint' },
    'Point at a bar for its estimated cycles.',
  );
  readonly #legend: ScheduleLegend;
  readonly #onMove: (share: number) => void;
  #schedule: Schedule | null = null;
  #layout: ScheduleLayout | null = null;
  #widthPx = 0;
  #move = 0;

  /**
   * @param signal Signal that is aborted when the page is left.
   * @param onMove Called during a move with the share of the way, 0 to 1.
   */
  constructor(signal: AbortSignal, onMove: (share: number) => void) {
    this.#onMove = onMove;
    this.#legend = new ScheduleLegend(() => this.#draw(), signal);
    this.root = element('div', {}, this.#canvas, this.#described, this.#legend.root);
    const observer = new ResizeObserver(([entry]) => {
      const widthPx = Math.floor(entry!.contentRect.width);
      if (widthPx === this.#widthPx) return;
      this.#widthPx = widthPx;
      this.#draw();
    });
    observer.observe(this.root);
    signal.addEventListener('abort', () => {
      observer.disconnect();
      cancelAnimationFrame(this.#move);
    });
    this.#canvas.addEventListener('pointermove', (event) => this.#describe(event));
  }

  /** Shows a schedule at once, and ends a move. */
  show(schedule: Schedule, label: string): void {
    cancelAnimationFrame(this.#move);
    this.#schedule = schedule;
    this.#canvas.setAttribute('aria-label', label);
    this.#draw();
  }

  /** Moves to a schedule of the same frames, at once if the reader prefers reduced motion. */
  moveTo(schedule: Schedule, label: string): void {
    const from = this.#schedule;
    this.show(from ?? schedule, label);
    if (from === null || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.show(schedule, label);
      this.#onMove(1);
      return;
    }
    const startMs = performance.now();
    const step = (nowMs: number) => {
      const share = Math.min(1, Math.max(0, nowMs - startMs) / MOVE_MS);
      this.#schedule = share === 1 ? schedule : blendSchedules(from, schedule, easeInOut(share));
      this.#draw();
      this.#onMove(easeInOut(share));
      if (share < 1) this.#move = requestAnimationFrame(step);
    };
    this.#move = requestAnimationFrame(step);
  }

  #draw(): void {
    // Before the chart is on the page it has neither a width nor the colors of the theme.
    if (this.#schedule === null || this.#widthPx === 0) return;
    const layout = layoutOf(this.#schedule, this.#widthPx);
    const scale = devicePixelRatio;
    const [width, height] = [layout.widthPx * scale, layout.heightPx * scale].map(Math.round);
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width!;
      this.#canvas.height = height!;
      this.#canvas.style.height = `${layout.heightPx}px`;
    }
    this.#context.setTransform(scale, 0, 0, scale, 0, 0);
    drawSchedule(this.#context, this.#schedule, layout, this.#legend.colors);
    this.#layout = layout;
  }

  #describe({ offsetX, offsetY }: PointerEvent): void {
    if (this.#schedule === null || this.#layout === null) return;
    const { row, cycle } = placeAt(this.#layout, offsetX, offsetY);
    const bar = barAt(this.#schedule, row, cycle);
    if (bar === undefined) return;
    const { bin, frame, startCycle, endCycle } = bar;
    const work = bin === null ? 'visibility phase' : `bin ${bin.replace(/^0\//, '')}`;
    const ofFrame = this.#schedule.frameCount > 1 ? ` of frame ${frame}` : '';
    const cycles = `cycles ${formatNumber(startCycle)} to ${formatNumber(endCycle)}`;
    this.#described.textContent = `Estimate: chiplet ${row}, ${work}${ofFrame}, ${cycles}`;
  }
}

function easeInOut(share: number): number {
  return share * share * (3 - 2 * share);
}
