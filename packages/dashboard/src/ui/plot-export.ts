/** Downloads of a plot: the image as SVG or PNG, and its figures as CSV. And a link to it. */
import { textField } from '@tessera/study/csv-fields';
import type { copyLink } from './copy-link.ts';
import { element } from './dom.ts';

/** Properties of style sheets that a plot uses, which a file of its own needs in its elements. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
] as const;
/** Pixels of a PNG per pixel of the page. */
const PNG_SCALE = 2;

/** Table of figures. The first row has the names. */
export type Figures = readonly (readonly (string | number)[])[];

/**
 * Creates the buttons that download a plot, and the one that copies its link.
 *
 * @param name Name of the files, without an ending.
 * @param plot Called for the plot at each download; it is in the page.
 * @param figures Called for the figures of the plot.
 * @param link Button and place of its link.
 */
export function plotExport(
  name: string,
  plot: () => SVGElement,
  figures: () => Figures,
  link: ReturnType<typeof copyLink>,
): HTMLElement {
  const button = (ending: string, makeFile: () => Blob | Promise<Blob>) => {
    const onclick = async () => download(`${name}.${ending}`, await makeFile());
    return element('button', { type: 'button', onclick }, ending.toUpperCase());
  };
  const toolbar = element(
    'div',
    { class: 'toolbar', role: 'group', 'aria-label': 'Download or link the plot' },
    'Download ',
    button('svg', () => new Blob([writeSvg(plot())], { type: 'image/svg+xml' })),
    button('png', () => writePng(plot())),
    button('csv', () => new Blob([writeCsv(figures())])),
    link.button,
  );
  return element('div', { class: 'plot-tools' }, toolbar, link.place);
}

/** Returns an SVG document that looks like the plot on the page. */
function writeSvg(plot: SVGElement): string {
  const copy = plot.cloneNode(true) as SVGElement;
  const originals = [plot, ...plot.querySelectorAll('*')];
  for (const [index, part] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(originals[index]!);
    for (const property of PROPERTIES) {
      part.setAttribute(property, style.getPropertyValue(property));
    }
    part.removeAttribute('class');
    part.removeAttribute('tabindex');
  }
  const { width, height } = plot.getBoundingClientRect();
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const background = getComputedStyle(document.body).backgroundColor;
  copy.style.setProperty('background', background);
  return new XMLSerializer().serializeToString(copy);
}

async function writePng(plot: SVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(writeSvg(plot))}`;
  await image.decode();
  const [width, height] = [image.naturalWidth * PNG_SCALE, image.naturalHeight * PNG_SCALE];
  const canvas = element('canvas', { width, height });
  canvas.getContext('2d')!.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => {
      if (png === null) reject(new Error('the plot is too large for a PNG'));
      else resolve(png);
    });
  });
}

/** Returns a table as CSV. */
export function writeCsv(rows: Figures): string {
  const fieldOf = (cell: string | number) =>
    typeof cell === 'string' ? textField(cell) : String(cell);
  return rows.map((row) => `${row.map(fieldOf).join(',')}\n`).join('');
}

function download(name: string, file: Blob): void {
  const href = URL.createObjectURL(file);
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}
