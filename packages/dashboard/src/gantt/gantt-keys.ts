/** Keyboard and wheel of a Gantt chart. */
import { ganttColumns } from './draw-gantt.ts';
import { pxToCycle } from './gantt-layout.ts';
import type { GanttModel, GanttStep } from './gantt-model.ts';

/** Factor of the length of the view per zoom step. */
export const ZOOM_STEP = 0.6;
/** Share of the view that a pan step moves it by. */
export const PAN_SHARE = 0.25;

/** Operations of the chart, each of which redraws it. */
export interface GanttActions {
  /** Changes the view. */
  readonly change: (change: (model: GanttModel) => void) => void;
  /** Selects the bar a step away from the selected one. */
  readonly walk: (step: GanttStep) => void;
}

/** Handles the keys of a chart. */
export function listenToKeys(svg: SVGElement, { change, walk }: GanttActions): void {
  const zoom = (factor: number) => change((model) => model.zoomAtSelection(factor));
  const pan = (share: number) => change((model) => model.pan(share));
  const showAll = () => change((model) => model.showAll());
  svg.addEventListener('keydown', (event) => {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? pan(-PAN_SHARE) : walk({ rows: 0, spans: -1 })),
      ArrowRight: () => (event.shiftKey ? pan(PAN_SHARE) : walk({ rows: 0, spans: 1 })),
      ArrowUp: () => walk({ rows: -1, spans: 0 }),
      ArrowDown: () => walk({ rows: 1, spans: 0 }),
      '+': () => zoom(ZOOM_STEP),
      '=': () => zoom(ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
      '0': showAll,
      Home: showAll,
    };
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}

/** Zooms around the pointer with Ctrl or Shift and the wheel. The wheel alone scrolls the page. */
export function listenToWheel(svg: SVGElement, { change }: GanttActions): void {
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const { left, width } = svg.getBoundingClientRect();
    const { labelPx, plotPx } = ganttColumns(width);
    const factor = event.deltaY + event.deltaX < 0 ? ZOOM_STEP : 1 / ZOOM_STEP;
    change((model) =>
      model.zoom(factor, pxToCycle(event.clientX - left - labelPx, model.view, plotPx)),
    );
  };
  svg.addEventListener('wheel', onWheel, { passive: false });
}
