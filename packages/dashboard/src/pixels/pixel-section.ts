/**
 * Section of a frame that looks into its pixels: heat maps over the image, the history of a pixel,
 * and the frame draw by draw. The service renders passes again for it, so it loads on request.
 */
import { getJson } from '../api/requests.ts';
import type { FrameStatus, Report } from '../api/types.ts';
import { screenPass } from '../frame-view/bin-figures.ts';
import { passChoice } from '../frame-view/image-with-bins.ts';
import { totalOf } from '../frame-view/report-figures.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { documentLinks, type PageContext, sectionOnRequest, showingProblems } from '../ui/page.ts';
import { drawTable } from './draw-table.ts';
import { historyTable } from './history-table.ts';
import {
  type DescribedHeatMap,
  type HeatMetricName,
  METRIC_LABELS,
  type PixelHistory,
  type ProbedDraw,
} from './pixel-types.ts';
import { PixelView, showHeatLegend } from './pixel-view.ts';

/** Creates the section. */
export function pixelSection(
  context: PageContext,
  status: FrameStatus,
  report: Report,
): HTMLElement {
  return sectionOnRequest(
    'Pixels and draws',
    'Renders the passes again: heat maps, the history of a pixel, and each draw.',
    'Look into pixels and draws',
    () => new PixelExplorer(context, status, report).root,
    documentLinks(['Look into pixels and draws', 'how-to/look-into-pixels.md']),
  );
}

class PixelExplorer {
  readonly root: HTMLElement;
  readonly #context: PageContext;
  readonly #status: FrameStatus;
  readonly #report: Report;
  readonly #view: PixelView;
  readonly #homes: HTMLElement;
  readonly #problem = element('div', {});
  readonly #legend = element('div', { class: 'legend-box' });
  readonly #value = element('p', { class: 'pixel-value', 'aria-live': 'polite' });
  readonly #history = element('div', { class: 'pixel-history-box', 'aria-live': 'polite' });
  readonly #drawPlace = element('div', {}, element('p', { class: 'hint' }, 'Draws …'));
  readonly #slider = element('input', { type: 'range', min: 0, max: 0, value: 0 });
  readonly #sliderText = element('output', {});
  #pass: number;
  #metric: HeatMetricName | null = 'overdraw';
  #blockPx = 1;
  /** Chiplet whose memory has the lines; empty for all. */
  #home = '';
  #map: DescribedHeatMap | null = null;
  #draws: readonly ProbedDraw[] = [];
  /** Number of the last request, whose answer is shown. */
  #asked = 0;

  constructor(context: PageContext, status: FrameStatus, report: Report) {
    this.#context = context;
    this.#status = status;
    this.#report = report;
    this.#pass = Math.max(0, screenPass(report));
    this.#view = new PixelView({
      onPoint: (x, y) => this.#showValue(x, y),
      onChoose: (x, y) => this.#showHistory(x, y),
    });
    this.#homes = this.#homeChoice();
    this.#slider.addEventListener('change', () => this.#showStep());
    this.#slider.addEventListener('input', () => this.#nameStep());
    this.root = element(
      'div',
      { class: 'pixel-explorer' },
      element(
        'div',
        { class: 'toolbar' },
        this.#metricChoice(),
        this.#blockChoice(),
        this.#homes,
        passChoice(report, this.#pass, (pass) => {
          this.#pass = pass;
          this.#showPass();
        }),
      ),
      this.#problem,
      element(
        'div',
        { class: 'image-and-figures' },
        this.#view.root,
        element(
          'div',
          {},
          this.#legend,
          this.#value,
          element('p', { class: 'hint' }, 'Choose a pixel by click, or by arrow keys and enter.'),
        ),
      ),
      element(
        'label',
        { class: 'draw-slider' },
        'Step through draws ',
        this.#slider,
        this.#sliderText,
      ),
      this.#history,
      this.#drawPlace,
    );
    this.#showPass();
  }

  get #base(): string {
    return this.#status.links.self;
  }

  #showPass(): void {
    const { widthPx, heightPx } = this.#report.passes[this.#pass]!;
    this.#view.showImage(this.#imageHref(null), this.#imageText(''), widthPx, heightPx);
    replace(this.#history);
    this.#loadHeat();
    this.#loadDraws();
  }

  #imageHref(draw: number | null): string {
    const after = draw === null ? '' : `&draw=${draw}`;
    return `${this.#status.links.image}?target=${this.#pass}${after}`;
  }

  #imageText(after: string): string {
    return `Image of pass ${this.#pass} of ${this.#status.model}${after}`;
  }

  async #loadHeat(): Promise<void> {
    const asked = ++this.#asked;
    this.#map = null;
    this.#view.showHeat(null);
    replace(this.#problem);
    if (this.#metric === null) return showHeatLegend(this.#legend, null, null);
    replace(this.#legend, element('p', { class: 'hint' }, 'Heat map …'));
    await showingProblems(this.#problem, async () => {
      const home = this.#metric === 'remoteBytes' && this.#home !== '' ? `&home=${this.#home}` : '';
      const query = `metric=${this.#metric}&pass=${this.#pass}&block=${this.#blockPx}${home}`;
      const path = `${this.#base}/heatmap?${query}`;
      const map = await getJson<DescribedHeatMap>(path, this.#context.signal);
      if (asked !== this.#asked) return;
      this.#map = map;
      this.#view.showHeat(map);
      showHeatLegend(this.#legend, map, this.#countedBy(map.counter));
    });
  }

  /** Returns the sum of a counter over the chiplets; null if the report does not have it. */
  #countedBy(counter: DescribedHeatMap['counter']): number | null {
    if (counter === 'link.remote.textureBytes') {
      const rows = this.#report.link.remote!.textureBytes; // There is a map.
      const bytes = rows.flatMap((row) => (this.#home === '' ? row : row[Number(this.#home)]!));
      return bytes.reduce((sum, each) => sum + each, 0);
    }
    const isCycleOnly = counter === 'textureUnit.linesLogged';
    if (counter === null || (isCycleOnly && this.#report.timing !== 'cycle')) return null;
    return totalOf(this.#report, counter, false);
  }

  #showValue(x: number, y: number): void {
    const map = this.#map;
    if (map === null) {
      replace(this.#value, `(${x}, ${y})`);
      return;
    }
    const at = Math.floor(y / map.blockPx) * map.columns + Math.floor(x / map.blockPx);
    replace(this.#value, `(${x}, ${y}): ${formatNumber(map.values[at])}`);
  }

  #showHistory(x: number, y: number): void {
    replace(this.#history, element('p', { class: 'hint' }, `History of pixel (${x}, ${y}) …`));
    showingProblems(this.#history, async () => {
      const path = `${this.#base}/pixels/${x}/${y}?pass=${this.#pass}`;
      const history = await getJson<PixelHistory>(path, this.#context.signal);
      replace(this.#history, historyTable(history));
    });
  }

  #loadDraws(): void {
    showingProblems(this.#drawPlace, async () => {
      const path = `${this.#base}/draws`;
      const { draws } = await getJson<{ draws: ProbedDraw[] }>(path, this.#context.signal);
      this.#draws = draws.filter(({ pass }) => pass === this.#pass);
      const last = this.#draws.length - 1;
      Object.assign(this.#slider, { max: last, value: last, disabled: last < 1 });
      this.#nameStep();
      const table = drawTable(
        this.#draws,
        ({ draw }) => this.#imageHref(draw),
        ({ draw }) => {
          this.#slider.value = String(draw);
          this.#showStep();
        },
      );
      replace(this.#drawPlace, element('h3', {}, `Draws of pass ${this.#pass}`), table);
    });
  }

  #nameStep(): void {
    const count = this.#draws.length;
    this.#sliderText.value =
      count === 0 ? 'no draws' : `after draw ${this.#slider.value} of ${count - 1}`;
  }

  #showStep(): void {
    this.#nameStep();
    const draw = Number(this.#slider.value);
    const { widthPx, heightPx } = this.#report.passes[this.#pass]!;
    const text = this.#imageText(` after draw ${draw}`);
    // The heat map is that of the whole pass and would hide the step.
    this.#view.showHeat(null);
    this.#view.showImage(this.#imageHref(draw), text, widthPx, heightPx);
  }

  #metricChoice(): HTMLElement {
    const { timing, link } = this.#report;
    const options = Object.entries(METRIC_LABELS).map(([value, label]) => {
      const disabled =
        (value === 'cyclesAttributed' && timing !== 'cycle') ||
        (value === 'remoteBytes' && link.remote === null);
      return element('option', { value, selected: value === this.#metric, disabled }, label);
    });
    const select = element(
      'select',
      {
        onchange: () => {
          this.#metric = select.value === '' ? null : (select.value as HeatMetricName);
          this.#homes.hidden = this.#metric !== 'remoteBytes';
          this.#loadHeat();
        },
      },
      element('option', { value: '' }, 'none'),
      ...options,
    );
    return element('label', {}, 'Heat map ', select);
  }

  /** Creates the choice of the memory for bytes from other memories, which is hidden for others. */
  #homeChoice(): HTMLElement {
    const select = element(
      'select',
      {
        onchange: () => {
          this.#home = select.value;
          this.#loadHeat();
        },
      },
      element('option', { value: '' }, 'all chiplets'),
      ...this.#report.chiplets.map(({ id }) => element('option', { value: id }, `chiplet ${id}`)),
    );
    return element('label', { hidden: true }, 'Memory of ', select);
  }

  #blockChoice(): HTMLElement {
    const select = element(
      'select',
      {
        onchange: () => {
          this.#blockPx = Number(select.value);
          this.#loadHeat();
        },
      },
      element('option', { value: 1 }, 'pixel'),
      element('option', { value: 4 }, '4×4 block'),
    );
    return element('label', {}, 'Values per ', select);
  }
}
