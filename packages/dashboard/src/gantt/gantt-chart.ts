/**
 * A Gantt chart in simulated cycles of one frame, of several frames on one axis, or of a sequence:
 * the work of each chiplet and the transfers over the link. Mouse and keyboard zoom and select; the
 * figures of the selected span are shown below.
 */
import {
  applyAddress,
  linkedPlot,
  plotLink,
  readChoice,
  readInteger,
} from '../ui/address-state.ts';
import { element, replace, svgElement } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { type DrawnBar, drawGantt } from './draw-gantt.ts';
import { listenToKeys, listenToWheel, PAN_SHARE, ZOOM_STEP } from './gantt-keys.ts';
import { ganttLegend } from './gantt-legend.ts';
import { type GanttBar, type GanttGroup, GanttModel } from './gantt-model.ts';

/** Name of the chart in a link. */
const PLOT_NAME = 'schedule';
/** Width of the chart before it has a layout. */
const DEFAULT_WIDTH_PX = 800;

/** A Gantt chart on the page. */
export interface GanttChart {
  readonly root: HTMLElement;
  /** Marks a bin; `null` marks none. */
  readonly markBin: (bin: string | null) => void;
}

/** Options of {@link ganttChart}. */
export interface GanttOptions {
  /** Called with the selected bin, or `null` if another span is selected. */
  readonly onBin?: (bin: string | null) => void;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Signal that is aborted when the page is left. */
  readonly signal: AbortSignal;
}

/** Creates a chart that redraws itself until `signal` is aborted. */
export function ganttChart(groups: readonly GanttGroup[], options: GanttOptions): GanttChart {
  const model = new GanttModel(groups);
  const linked = linkedPlot(PLOT_NAME);
  const problem =
    linked && applyAddress(() => applyLink(model, linked), 'the whole chart is shown');
  const link = plotLink(PLOT_NAME, options.announce, () => stateOf(model));
  let bars: readonly DrawnBar[] = [];
  const svg = makeSvg();
  const description = element(
    'p',
    { class: 'described', 'aria-live': 'polite' },
    'Point at a span for its figures.',
  );
  const legend = element('ul', { class: 'legend' });

  const draw = () => {
    const drawing = drawGantt(model, svg.clientWidth || DEFAULT_WIDTH_PX, select);
    bars = drawing.bars;
    svg.setAttribute('height', String(drawing.heightPx));
    svg.replaceChildren(...drawing.content);
    replace(legend, ...ganttLegend(bars, model.unitsOf !== ''));
    highlight();
  };
  const highlight = () => {
    for (const bar of bars) {
      bar.rect.classList.toggle('current', model.isSelected(bar));
      bar.rect.classList.toggle('marked', model.isMarked(bar));
    }
  };
  const select = (bar: GanttBar) => {
    const bin = model.select(bar);
    description.textContent = describeBar(bar);
    highlight();
    options.onBin?.(bin);
  };
  const change = (apply: (changed: GanttModel) => void) => {
    apply(model);
    draw();
  };
  const actions = {
    change,
    walk: (step: { readonly rows: number; readonly spans: number }) => {
      const bar = model.barBeside(bars, step);
      if (bar !== undefined) select(bar);
    },
  };
  listenToKeys(svg, actions);
  listenToWheel(svg, actions);
  redrawOnResize(svg, draw, options.signal);
  const toolbar = makeToolbar(model, change);
  toolbar.append(link.button);
  const parts = [problem, toolbar, link.place, svg, description, legend];
  const root = element('div', { class: 'gantt-chart' }, ...parts);
  // The caller adds the chart to the page first.
  if (linked !== null) requestAnimationFrame(() => root.scrollIntoView());
  return {
    root,
    markBin: (bin) => {
      model.mark(bin);
      highlight();
    },
  };
}

/**
 * Returns the state of a chart for a link: visible cycles, and the chiplet whose units it shows.
 */
function stateOf({ view, unitsOf, endCycle }: GanttModel): Record<string, string | number> {
  const { fromCycle, toCycle } = view;
  const isWhole = fromCycle === 0 && toCycle === endCycle;
  return {
    ...(isWhole ? {} : { from: Math.floor(fromCycle), to: Math.ceil(toCycle) }),
    ...(unitsOf === '' ? {} : { units: unitsOf }),
  };
}

/** @throws {RangeError} If the chart does not have the cycles or the chiplet of the link. */
function applyLink(model: GanttModel, linked: URLSearchParams): void {
  const end = Math.ceil(model.endCycle);
  const fromCycle = readInteger(linked, 'from', { min: 0, max: end - 1 }, 0);
  const toCycle = readInteger(linked, 'to', { min: fromCycle + 1, max: end }, end);
  model.unitsOf = readChoice(linked, 'units', ['', ...model.chipletsWithUnits().map(String)], '');
  model.showView({ fromCycle, toCycle: Math.min(toCycle, model.endCycle) });
}

function makeSvg(): SVGSVGElement {
  return svgElement('svg', {
    class: 'gantt',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'Gantt chart',
    'aria-label':
      'Chiplets over simulated cycles. Arrow keys select spans and rows, plus and minus zoom, 0 shows all.',
  });
}

type Change = (apply: (model: GanttModel) => void) => void;

function makeToolbar(model: GanttModel, change: Change): HTMLElement {
  const button = (text: string, label: string, apply: (changed: GanttModel) => void) => {
    const onclick = () => change(apply);
    return element('button', { type: 'button', 'aria-label': label, title: label, onclick }, text);
  };
  const units = element(
    'select',
    {
      onchange: () =>
        change((changed) => {
          changed.unitsOf = units.value;
        }),
    },
    element('option', { value: '' }, 'none'),
    ...model
      .chipletsWithUnits()
      .map((chiplet) => element('option', { value: chiplet }, `chiplet ${chiplet}`)),
  );
  units.value = model.unitsOf;
  return element(
    'div',
    { class: 'toolbar' },
    button('+', 'Zoom in', (changed) => changed.zoom(ZOOM_STEP)),
    button('−', 'Zoom out', (changed) => changed.zoom(1 / ZOOM_STEP)),
    button('◀', 'Earlier', (changed) => changed.pan(-PAN_SHARE)),
    button('▶', 'Later', (changed) => changed.pan(PAN_SHARE)),
    button('All', 'Show all cycles', (changed) => changed.showAll()),
    element('label', {}, 'Units of ', units),
  );
}

function redrawOnResize(svg: SVGSVGElement, draw: () => void, signal: AbortSignal): void {
  let drawnPx = 0;
  const observer = new ResizeObserver(() => {
    if (svg.clientWidth === drawnPx) return;
    drawnPx = svg.clientWidth;
    draw();
  });
  observer.observe(svg);
  signal.addEventListener('abort', () => observer.disconnect());
}

function describeBar({ row, placed: { spans } }: GanttBar): string {
  const [first, last] = [spans[0]!, spans.at(-1)!];
  const time = `cycles ${formatNumber(first.startCycle)} to ${formatNumber(last.endCycle)}`;
  if (spans.length > 1) {
    return `${row.name}: ${spans.length} spans, ${time}; zoom in to separate them`;
  }
  const figures = Object.entries(first.figures).map(([name, value]) =>
    typeof value === 'number' ? `${name} ${formatNumber(value)}` : `${name} ${value}`,
  );
  return [`${row.name}: ${first.name}`, time, ...figures].join(' · ');
}
