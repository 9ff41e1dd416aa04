/** A picture with its coarse bins drawn over it, coloured by owner or by cost; each can be pointed at. */
import type { FrameStatus, Report } from '../api/types.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { chipletColor, costColor, cssColor, type Rgb } from '../ui/colors.ts';
import { element, replace, svgElement } from '../ui/dom.ts';
import { formatCompact, formatNumber } from '../ui/format.ts';
import { type Bin, costOf, type KeyedBin, keyBins, neighbour, screenPass } from './bin-figures.ts';

const COLORINGS = { none: 'hidden', owner: 'by owner', cost: 'by cost' } as const;
type Coloring = keyof typeof COLORINGS;

export interface PictureWithBins {
  readonly root: HTMLElement;
  /** Marks a bin and tells its figures; `null` marks none. */
  readonly markBin: (key: string | null) => void;
}

export interface PictureOptions {
  readonly status: FrameStatus;
  readonly report: Report;
  /** Called with a bin that is pointed at. */
  readonly onBin: (key: string) => void;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function pictureWithBins({ status, report, onBin }: PictureOptions): PictureWithBins {
  const bins = keyBins(report);
  let coloring: Coloring = 'owner';
  let passIndex = screenPass(report);
  let rectByKey = new Map<string, SVGRectElement>();
  /** The bin that the tab key reaches. */
  let reachedKey: string | null = null;

  const figure = element('div', { class: 'picture' });
  const told = element('div', { class: 'bin-told', 'aria-live': 'polite' });
  const legend = element('div', { class: 'legend-box' });
  const root = element(
    'div',
    { class: 'picture-with-bins' },
    element('div', { class: 'toolbar' }, coloringChoice(), passChoice()),
    element('div', { class: 'picture-and-figures' }, figure, element('div', {}, legend, told)),
  );

  function coloringChoice(): HTMLElement {
    const choices = Object.entries(COLORINGS).map(([value, label]) => {
      const radio = element('input', {
        type: 'radio',
        name: 'coloring',
        value,
        checked: value === coloring,
        onchange: () => {
          coloring = value as Coloring;
          draw();
        },
      });
      return element('label', { class: 'choice' }, radio, label);
    });
    return element('fieldset', {}, element('legend', {}, 'Bins'), ...choices);
  }

  function passChoice(): HTMLElement | null {
    if (report.passes.length < 2) return null;
    const select = element(
      'select',
      {
        onchange: () => {
          passIndex = Number(select.value);
          reachedKey = null;
          draw();
        },
      },
      ...report.passes.map(({ target, draws }, index) => {
        const label = `${index}: ${target}, ${draws} draws`;
        return element('option', { value: index, selected: index === passIndex }, label);
      }),
    );
    return element('label', {}, 'Pass ', select);
  }

  function draw(): void {
    const { widthPx, heightPx } = report.passes[passIndex]!;
    const isScreen = passIndex === screenPass(report);
    const shown = bins.filter(({ bin }) => bin.passIndex === passIndex);
    const image = element('img', {
      src: isScreen ? status.links.image : `${status.links.image}?target=${passIndex}`,
      width: widthPx,
      height: heightPx,
      alt: `Picture of ${status.model}, ${widthPx} × ${heightPx} pixels`,
    });
    rectByKey = new Map();
    replace(figure, image, coloring === 'none' ? null : drawOverlay(shown, widthPx, heightPx));
    drawLegend(shown);
    tell(null);
  }

  function drawOverlay(shown: readonly KeyedBin[], widthPx: number, heightPx: number): SVGElement {
    const most = Math.max(1, ...shown.map(({ bin }) => costOf(bin)));
    const overlay = svgElement('svg', {
      viewBox: `0 0 ${widthPx} ${heightPx}`,
      role: 'group',
      'aria-label': 'Coarse bins; arrow keys go from bin to bin',
    });
    reachedKey ??= shown[0]?.key ?? null;
    for (const { key, bin } of shown) {
      const color: Rgb =
        coloring === 'owner' ? chipletColor(bin.chiplet) : costColor(costOf(bin) / most);
      const point = () => {
        reach(key);
        tell(bin);
        markRect(key);
        onBin(key);
      };
      const rect = svgElement('rect', {
        class: 'picture-bin',
        x: bin.x,
        y: bin.y,
        width: bin.width,
        height: bin.height,
        tabindex: key === reachedKey ? 0 : -1,
        role: 'img',
        'aria-label': describeBin(bin),
        onpointerenter: point,
        onfocus: point,
        onkeydown: (event: KeyboardEvent) => {
          const direction = ARROWS[event.key];
          const next = direction === undefined ? null : neighbour(shown, bin, direction);
          if (direction !== undefined) event.preventDefault();
          if (next !== null) rectByKey.get(next.key)?.focus();
        },
      });
      rect.style.setProperty('--bin-color', cssColor(color));
      rectByKey.set(key, rect);
      const sizePx = Math.min(bin.width, bin.height) * (coloring === 'owner' ? 0.34 : 0.24);
      const label = svgElement(
        'text',
        {
          class: 'bin-label',
          x: bin.x + bin.width / 2,
          y: bin.y + bin.height / 2,
          'font-size': sizePx,
          'stroke-width': sizePx / 6,
          'aria-hidden': 'true',
        },
        coloring === 'owner' ? bin.chiplet : formatCompact(costOf(bin)),
      );
      overlay.append(rect, label);
    }
    return overlay;
  }

  function reach(key: string): void {
    if (reachedKey !== null) rectByKey.get(reachedKey)?.setAttribute('tabindex', '-1');
    reachedKey = key;
    rectByKey.get(key)?.setAttribute('tabindex', '0');
  }

  function drawLegend(shown: readonly KeyedBin[]): void {
    if (coloring === 'none') {
      replace(legend);
    } else if (coloring === 'owner') {
      const chiplets = [...new Set(shown.map(({ bin }) => bin.chiplet))].sort((a, b) => a - b);
      const entries = chiplets.map((chiplet) => {
        const own = shown.filter(({ bin }) => bin.chiplet === chiplet);
        const cost = own.reduce((sum, { bin }) => sum + costOf(bin), 0);
        const unit = report.timing === 'cycle' ? 'cycles' : 'estimated';
        const figures = `${own.length} bins, ${formatCompact(cost)} ${unit}`;
        return element('li', {}, chipletMark(chiplet), `chiplet ${chiplet}: ${figures}`);
      });
      replace(legend, element('ul', { class: 'legend column' }, ...entries));
    } else {
      const costs = shown.map(({ bin }) => costOf(bin));
      const scale = element('div', { class: 'cost-scale', 'aria-hidden': 'true' });
      const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => cssColor(costColor(share)));
      scale.style.backgroundImage = `linear-gradient(to right, ${stops.join(', ')})`;
      const unit = report.timing === 'cycle' ? 'simulated cycles' : 'estimated cycles';
      const least = formatNumber(Math.min(...costs));
      const most = formatNumber(Math.max(...costs));
      replace(
        legend,
        scale,
        element('p', { class: 'scale-ends' }, element('span', {}, '0'), element('span', {}, most)),
        element('p', {}, `From ${least} to ${most} ${unit} a bin.`),
      );
    }
  }

  function tell(bin: Bin | null): void {
    if (bin === null) {
      const hint =
        coloring === 'none' ? '' : 'Point at a bin, or reach it with the tab and arrow keys.';
      replace(told, element('p', { class: 'hint' }, hint));
      return;
    }
    const facts: readonly (readonly [string, string])[] = [
      ['chiplet', String(bin.chiplet)],
      ['place', `${bin.x}, ${bin.y}; ${bin.width} × ${bin.height} px`],
      ['primitives', formatNumber(bin.primitives)],
      ['fragments', formatNumber(bin.fragments)],
      ['start', formatNumber(bin.startCycle)],
      ['end', formatNumber(bin.endCycle)],
      ['cycles', report.timing === 'cycle' ? formatNumber(costOf(bin)) : formatNumber(null)],
      ['estimated', formatNumber(bin.estimatedCost)],
    ];
    const early = bin.isEarly ? ' (within the visibility phase)' : '';
    replace(
      told,
      element('h3', {}, `Bin ${bin.id}${early}`),
      element(
        'dl',
        { class: 'facts' },
        ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
      ),
    );
  }

  function markRect(key: string | null): void {
    for (const [other, rect] of rectByKey) rect.classList.toggle('marked', other === key);
  }

  draw();
  return {
    root,
    markBin: (key) => {
      markRect(key);
      const marked = bins.find((candidate) => candidate.key === key);
      if (marked !== undefined && rectByKey.has(marked.key)) tell(marked.bin);
    },
  };
}

function describeBin(bin: Bin): string {
  const cycles =
    bin.startCycle === null ? 'not simulated in time' : `${formatNumber(costOf(bin))} cycles`;
  return `Bin ${bin.id}: chiplet ${bin.chiplet}, ${cycles}, ${bin.primitives} primitives, ${bin.fragments} fragments`;
}
