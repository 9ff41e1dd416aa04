/** Plot of a study. The service reduces its rows to lines. */
import { getJson } from '../api/requests.ts';
import { applyAddress, linkedPlot, plotLink, readChoice } from '../ui/address-state.ts';
import { element, replace } from '../ui/dom.ts';
import { section } from '../ui/page.ts';
import { plotExport } from '../ui/plot-export.ts';
import { linePlot, lineSample } from './line-plot.ts';
import type { StudySeries, StudyStatus } from './study-types.ts';

/** Meanings of the figures that can be plotted. */
const PLOTTED = {
  cycles: 'simulated cycles',
  speedUp: 'speed-up over one chiplet',
  efficiency: 'speed-up ÷ chiplets',
  imbalance: 'largest share of bins ÷ mean share',
  linkBytes: 'bytes over the link',
  energyTypicalPj: 'energy in picojoules',
  powerTypicalMw: 'power in milliwatts',
  energyDelayTypicalPjS: 'energy × delay in picojoule seconds',
} as const;
type PlottedFigure = keyof typeof PLOTTED;

/** Returns the figures of a study with their meanings. */
function figuresOf({ links }: StudyStatus): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(PLOTTED).filter(([name]) => name in links.plots));
}

/** Name of the plot in a link. */
const PLOT_NAME = 'study';
/** Name of the horizontal axis that shows the number of chiplets. */
const CHIPLETS_AXIS = 'chiplets';

/** Plot of a study. The chosen figure stays when rows are added. */
export class StudyPlot {
  readonly root = element('div', {});
  readonly #signal: AbortSignal;
  readonly #onChoice: () => void;
  readonly #plot = element('div', {});
  readonly #link: ReturnType<typeof plotLink>;
  #figure: PlottedFigure = 'cycles';
  #axis = CHIPLETS_AXIS;
  #hasControls = false;

  /**
   * @param announce Announces a text to screen readers.
   * @param onChoice Called when the user chooses another figure or axis; calls {@link load}.
   */
  constructor(signal: AbortSignal, announce: (text: string) => void, onChoice: () => void) {
    this.#signal = signal;
    this.#onChoice = onChoice;
    this.#link = plotLink(PLOT_NAME, announce, () => ({ figure: this.#figure, over: this.#axis }));
  }

  /**
   * Loads the lines of the chosen figure.
   *
   * @throws {ProblemError}
   */
  async load(study: StudyStatus): Promise<void> {
    const linked = this.#hasControls ? null : linkedPlot(PLOT_NAME);
    if (!this.#hasControls) this.#addControls(study, linked);
    this.#hasControls = true;
    const [figure, over] = [this.#figure, this.#axis];
    const query = new URLSearchParams({ figure, over });
    const series = await getJson<StudySeries>(`${study.links.series}?${query}`, this.#signal);
    if (figure === this.#figure && over === this.#axis) this.#draw(series);
    if (linked !== null) this.root.scrollIntoView();
  }

  #addControls(study: StudyStatus, linked: URLSearchParams | null): void {
    const figures = figuresOf(study);
    const swept = Object.entries(study.sweep.parameters);
    const numbers = swept.filter(([, [value]]) => typeof value === 'number');
    const axes = [CHIPLETS_AXIS, ...numbers.map(([name]) => name)];
    const problem =
      linked === null
        ? null
        : applyAddress(() => {
            const names = Object.keys(figures) as PlottedFigure[];
            const figure = readChoice(linked, 'figure', names, this.#figure);
            this.#axis = readChoice(linked, 'over', axes, this.#axis);
            this.#figure = figure;
          }, 'the plot of cycles is shown');
    const figureSelect = choice(figures, this.#figure, (value) => {
      this.#figure = value as PlottedFigure;
      this.#onChoice();
    });
    const axisSelect = choice(
      Object.fromEntries(axes.map((name) => [name, name])),
      this.#axis,
      (value) => {
        this.#axis = value;
        this.#onChoice();
      },
    );
    const toolbar = element(
      'div',
      { class: 'toolbar' },
      element('label', {}, 'Figure ', figureSelect),
      element('label', {}, 'over ', axisSelect),
    );
    replace(this.root, section('Plot', problem ?? '', toolbar, this.#plot));
  }

  #draw({ figure, over, isMean, lineCount, lines }: StudySeries): void {
    const plot = linePlot(lines, PLOTTED[figure as PlottedFigure], over);
    const legend = lines.map(({ name }, index) => element('li', {}, lineSample(index), name));
    const figures = () => [
      ['line', over, figure],
      ...lines.flatMap(({ name, points }) => points.map(({ x, y }) => [name, x, y])),
    ];
    const notes = [
      ...(isMean ? ['Points are geometric means over the frames.'] : []),
      ...(lineCount > lines.length
        ? [`The first ${lines.length} of ${lineCount} lines are shown.`]
        : []),
    ];
    replace(
      this.#plot,
      notes.length > 0 && element('p', { class: 'hint' }, notes.join(' ')),
      plot,
      element('ul', { class: 'legend' }, ...legend),
      plotExport(`${figure}-over-${over}`, () => plot, figures, this.#link),
    );
  }
}

/** Creates a select element. */
function choice(
  labels: Readonly<Record<string, string>>,
  chosen: string,
  onChange: (value: string) => void,
): HTMLSelectElement {
  const options = Object.entries(labels).map(([value, label]) =>
    element('option', { value, selected: value === chosen }, label),
  );
  const select = element('select', { onchange: () => onChange(select.value) }, ...options);
  return select;
}
