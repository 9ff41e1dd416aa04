/** Draws of a pass with thumbnails, state and cost. */
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';
import type { ProbedDraw } from './pixel-types.ts';

/** Upper bound on the draws with a thumbnail, because each is rendered for it. */
const MAX_THUMBNAILS = 24;
const HEADS = [
  'draw',
  'after it',
  'primitives',
  'covered',
  'shaded',
  'written',
  'killed early',
  'helper lanes',
  'instructions',
  'state',
];
const TEXTS: readonly string[] = ['after it', 'state'];
const MEANINGS: Readonly<Record<string, string>> = {
  'after it': 'Image of the pass after the draw',
  covered: 'Fragments of its primitives',
  'killed early': 'Fragments that failed the depth test before they were shaded',
  instructions: 'Instructions of the fragment shader, with those of helper lanes',
};

/**
 * Creates the table.
 *
 * @param imageHref Returns the address of the image after a draw.
 * @param onChoose Called with the draw of a pressed button.
 */
export function drawTable(
  draws: readonly ProbedDraw[],
  imageHref: (draw: ProbedDraw) => string,
  onChoose: (draw: ProbedDraw) => void,
): HTMLElement {
  const thumbnails: HTMLImageElement[] = [];
  const rows = draws.map((of, index) => {
    const { draw, primitives, cost } = of;
    const hasThumbnail = index < MAX_THUMBNAILS;
    const image = element('img', { class: 'draw-thumbnail', alt: '' });
    image.dataset.href = imageHref(of);
    if (hasThumbnail) thumbnails.push(image);
    const choose = element(
      'button',
      { type: 'button', onclick: () => onChoose(of) },
      `Draw ${draw}`,
    );
    const figures = [
      primitives,
      cost.fragmentsCovered,
      cost.fragmentsShaded,
      cost.fragmentsWritten,
      cost.fragmentsEarlyKilled,
      cost.helperLanes,
      cost.instructions,
    ];
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, choose),
      element('td', {}, hasThumbnail ? image : '–'),
      ...figures.map((figure) => element('td', { class: 'number' }, formatNumber(figure))),
      element('td', {}, stateOf(of)),
    );
  });
  loadInTurn(thumbnails);
  const isNumber = (name: string) => name !== 'draw' && !TEXTS.includes(name);
  const table = element(
    'table',
    {},
    tableHead(HEADS, isNumber, MEANINGS),
    element('tbody', {}, ...rows),
  );
  return scrollingTable('Draws', table, 'tall');
}

/** Loads images one after the other, because the service renders each. */
function loadInTurn(images: readonly HTMLImageElement[]): void {
  const [image, ...others] = images;
  if (image === undefined) return;
  const next = () => {
    // The table was removed, so its images are not needed.
    if (image.isConnected) loadInTurn(others);
  };
  image.addEventListener('load', next, { once: true });
  image.addEventListener('error', next, { once: true });
  image.src = image.dataset.href!;
}

/** Returns the state that differs from draw to draw most often, and all of it on request. */
function stateOf({ topology, depthStage, program, state }: ProbedDraw): HTMLElement {
  const parts = [
    topology,
    `program ${program}`,
    depthStage === 'none' ? 'no depth test' : `${depthStage} depth ${state.depth.compare}`,
    state.blend.isEnabled && 'blend',
    state.stencil.isTestEnabled && 'stencil',
  ].filter((part) => part !== false);
  return element(
    'details',
    {},
    element('summary', {}, parts.join(', ')),
    element('pre', {}, JSON.stringify(state, null, 1)),
  );
}
