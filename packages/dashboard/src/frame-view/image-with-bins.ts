/** The image of a frame with its coarse bins drawn over it, and the figures of one bin. */
import type { FrameStatus, Report } from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';
import { binDetails } from './bin-details.ts';
import { keyBins, screenPass } from './bin-figures.ts';
import { binLegend } from './bin-legend.ts';
import { BinOverlay, COLORINGS, type Coloring } from './bin-overlay.ts';

/** An image with bins on the page. */
export interface ImageWithBins {
  readonly root: HTMLElement;
  /** Marks a bin and shows its figures; `null` marks none. */
  readonly markBin: (key: string | null) => void;
}

/** Options of {@link imageWithBins}. */
export interface ImageOptions {
  readonly status: FrameStatus;
  readonly report: Report;
  /** Called with the bin that is pointed at. */
  readonly onBin: (key: string) => void;
}

/** Creates the image with its controls. */
export function imageWithBins({ status, report, onBin }: ImageOptions): ImageWithBins {
  const bins = keyBins(report);
  const isTimed = report.timing === 'cycle';
  let coloring: Coloring = 'owner';
  let passIndex = screenPass(report);
  let overlay: BinOverlay | null = null;
  let reachedKey: string | null = null;
  const figure = element('div', { class: 'image' });
  const details = element('div', { class: 'bin-details', 'aria-live': 'polite' });
  const legend = element('div', { class: 'legend-box' });

  const showHint = () => {
    const hint =
      coloring === 'none' ? '' : 'Point at a bin, or reach it with the tab and arrow keys.';
    replace(details, element('p', { class: 'hint' }, hint));
  };
  const draw = () => {
    const shown = bins.filter(({ bin }) => bin.passIndex === passIndex);
    reachedKey = overlay?.reachedKey ?? reachedKey;
    overlay =
      coloring === 'none'
        ? null
        : new BinOverlay(shown, report.passes[passIndex]!, coloring, reachedKey, ({ key, bin }) => {
            replace(details, ...binDetails(bin, isTimed));
            onBin(key);
          });
    replace(figure, imageOfPass(status, report, passIndex), overlay?.root);
    replace(legend, ...binLegend(shown, coloring, isTimed));
    showHint();
  };
  const setColoring = (chosen: Coloring) => {
    coloring = chosen;
    draw();
  };
  const setPass = (chosen: number) => {
    passIndex = chosen;
    overlay = null;
    reachedKey = null;
    draw();
  };
  draw();
  return {
    root: element(
      'div',
      { class: 'image-with-bins' },
      element(
        'div',
        { class: 'toolbar' },
        coloringChoice(coloring, setColoring),
        passChoice(report, passIndex, setPass),
      ),
      element('div', { class: 'image-and-figures' }, figure, element('div', {}, legend, details)),
    ),
    markBin: (key) => {
      overlay?.mark(key);
      const marked = bins.find((candidate) => candidate.key === key);
      if (marked === undefined || overlay?.has(marked.key) !== true) return;
      replace(details, ...binDetails(marked.bin, isTimed));
    },
  };
}

/** Creates the image of a pass. */
export function imageOfPass(status: FrameStatus, report: Report, passIndex: number): HTMLElement {
  const { widthPx, heightPx } = report.passes[passIndex]!;
  const isScreen = passIndex === screenPass(report);
  return element('img', {
    src: isScreen ? status.links.image : `${status.links.image}?target=${passIndex}`,
    width: widthPx,
    height: heightPx,
    alt: `Image of ${status.model}, ${widthPx} × ${heightPx} pixels`,
  });
}

function coloringChoice(chosen: Coloring, onChoice: (coloring: Coloring) => void): HTMLElement {
  const choices = Object.entries(COLORINGS).map(([value, label]) => {
    const radio = element('input', {
      type: 'radio',
      name: 'coloring',
      value,
      checked: value === chosen,
      onchange: () => onChoice(value as Coloring),
    });
    return element('label', { class: 'choice' }, radio, label);
  });
  return element('fieldset', {}, element('legend', {}, 'Bins'), ...choices);
}

/** Returns a select element for the pass, or null if there is only one pass. */
export function passChoice(
  { passes }: Report,
  chosen: number,
  onChoice: (passIndex: number) => void,
): HTMLElement | null {
  if (passes.length < 2) return null;
  const select = element(
    'select',
    { onchange: () => onChoice(Number(select.value)) },
    ...passes.map(({ target, draws }, index) => {
      const label = `${index}: ${target}, ${draws} draws`;
      return element('option', { value: index, selected: index === chosen }, label);
    }),
  );
  return element('label', {}, 'Pass ', select);
}
