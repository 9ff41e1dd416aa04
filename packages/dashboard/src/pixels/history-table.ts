/** History of a pixel as a table. */
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';
import type { PixelEvent, PixelHistory } from './pixel-types.ts';

const HEADS = ['draw', 'primitive', 'outcome', 'stencil', 'depth', 'outputs', 'before', 'after'];
const MEANINGS: Readonly<Record<string, string>> = {
  primitive: 'Index of the primitive in its draw, over all instances',
  stencil: 'Reference, comparison and stored value of the stencil test',
  depth: 'Depth of the fragment, comparison and stored depth',
  outputs: 'Outputs of the fragment shader',
  before: 'Color before the fragment',
  after: 'Color after the fragment',
};
const COMPARE_SIGNS: Readonly<Record<string, string>> = {
  never: 'never',
  less: '<',
  equal: '=',
  'less-equal': '≤',
  greater: '>',
  'not-equal': '≠',
  'greater-equal': '≥',
  always: 'always',
};
const DEPTH_MAX = 2 ** 24 - 1;

/** Creates the history of a pixel. */
export function historyTable(history: PixelHistory): HTMLElement {
  const { x, y, pass, bin, events, omitted, initial } = history;
  const place = `Pixel (${x}, ${y}) of pass ${pass}, coarse bin ${bin}`;
  const count = events.length + omitted;
  const rows = events.map(eventRow);
  const start = element(
    'tr',
    {},
    element('th', { scope: 'row', colspan: HEADS.length - 1 }, startText(omitted)),
    colorCell(omitted > 0 ? (events[0]?.before.colors[0] ?? null) : (initial.colors[0] ?? null)),
  );
  const table = element(
    'table',
    { class: 'pixel-history' },
    tableHead(HEADS, (name) => name === 'draw' || name === 'primitive', MEANINGS),
    element('tbody', {}, start, ...rows),
  );
  return element(
    'div',
    {},
    element('h3', {}, place),
    element('p', {}, count === 1 ? '1 fragment' : `${count} fragments, in order`),
    scrollingTable(`History of ${place}`, table, 'tall'),
  );
}

function startText(omitted: number): string {
  return omitted === 0 ? 'start of the pass' : `after ${omitted} earlier fragments`;
}

function eventRow(event: PixelEvent): HTMLElement {
  const { draw, primitive, outcome, depthTest, stencilTest, outputs, before, after } = event;
  const sign = (compare: string) => COMPARE_SIGNS[compare] ?? compare;
  const depth =
    depthTest === null
      ? '–'
      : `${depthText(depthTest.depth)} ${sign(depthTest.compare)} ${depthText(depthTest.stored)}`;
  const stencil =
    stencilTest === null
      ? '–'
      : `${stencilTest.reference & stencilTest.readMask} ${sign(stencilTest.compare)} ${stencilTest.stored & stencilTest.readMask}`;
  return element(
    'tr',
    { class: outcome === 'written' ? null : 'dropped' },
    element('th', { scope: 'row', class: 'number' }, draw),
    element('td', { class: 'number' }, formatNumber(primitive)),
    element('td', {}, outcome),
    element('td', {}, stencil),
    element('td', {}, depth),
    element('td', {}, outputs === null ? 'not shaded' : outputs.map(outputText).join(' ')),
    colorCell(before.colors[0] ?? null),
    colorCell(after.colors[0] ?? null),
  );
}

/** Returns a depth from 0 to 1. */
function depthText(depth: number): string {
  return (depth / DEPTH_MAX).toFixed(5);
}

function outputText({ value }: { readonly value: number | null }): string {
  return value === null ? 'none' : String(Number(value.toPrecision(4)));
}

function colorCell(color: readonly number[] | null): HTMLElement {
  if (color === null) return element('td', {}, '–');
  const isBytes = color.every((value) => Number.isInteger(value) && value >= 0 && value <= 255);
  const text = color.map((value) => (isBytes ? value : Number(value.toPrecision(4)))).join(' ');
  const mark = element('span', { class: 'color-mark', 'aria-hidden': 'true' });
  if (isBytes) mark.style.background = `rgb(${color.slice(0, 3).join(' ')})`;
  return element('td', { class: 'color' }, isBytes && mark, text);
}
