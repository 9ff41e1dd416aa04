/** Source of a shader beside its instructions. Choosing a line marks its instructions, and back. */
import type { LineWaits, ShaderProfile, StageProfile } from '@tessera/frame';
import { element, replace } from '../ui/dom.ts';
import { formatNumber, formatShare } from '../ui/format.ts';
import { CodeList, type CodeRow } from './code-list.ts';

/** Text in place of the source of code that no line asks for. */
const NO_LINE = 'outputs and initial values';

/**
 * Creates the view of a stage.
 *
 * @param all Number of instructions that warps issued in the frame.
 */
export function stageView(profile: ShaderProfile, stage: StageProfile, all: number): HTMLElement {
  const isFragment = stage.stage === 'fragment';
  const text = isFragment ? profile.fragmentSource : profile.vertexSource;
  const counts = new Map(stage.lines.map((counts) => [counts.line ?? 0, counts]));
  const rowOf = (line: number, text: string): CodeRow => {
    const { issued = null, waits } = counts.get(line) ?? {};
    return { text, number: line || null, line, issued, waited: waitedOf(waits) };
  };
  const lines = text.split(/\r\n?|\n\r?/).map((source, index) => rowOf(index + 1, source));
  if (counts.has(0)) lines.push(rowOf(0, NO_LINE));
  const instructions = stage.instructions.map(
    ({ text, line, issued, waits }): CodeRow => ({
      text,
      number: line,
      line: line ?? 0,
      issued,
      waited: waitedOf(waits),
    }),
  );
  const status = element('p', { class: 'pixel-value', 'aria-live': 'polite' });
  const choose = (line: number, chosen?: CodeRow) => {
    source.mark(line, chosen);
    code.mark(line, chosen);
    const count = instructions.filter((row) => row.line === line).length;
    const { issued = 0, issueCycles = 0, lanes = 0, lookups, waits } = counts.get(line) ?? {};
    const share = formatShare(all === 0 ? 0 : issued / all);
    const each = issued === 0 ? '' : `, ${formatNumber(lanes / issued)} lanes each`;
    const name = line === 0 ? 'No line' : `Line ${line}`;
    const cost = `${formatNumber(issued)} issued (${share} of the frame) in ${formatNumber(issueCycles)} cycles${each}`;
    const read = lookups ? `, ${formatNumber(lookups)} texture lookups` : '';
    replace(status, `${name}: ${count} instructions, ${cost}${read}${describeWaits(waits)}`);
  };
  const source = new CodeList('Source', lines, (row) => choose(row.line, row));
  const code = new CodeList('Instructions', instructions, (row) => choose(row.line, row));
  const [costliest] = stage.lines.toSorted((a, b) => b.issued - a.issued);
  const view = element(
    'div',
    {},
    status,
    element('div', { class: 'shader-code' }, source.root, code.root),
  );
  // The lists scroll to the line, so they must be on the page.
  requestAnimationFrame(() => choose(costliest?.line ?? 0));
  return view;
}

/** Returns the cycles of all waits. */
function waitedOf(waits: LineWaits | undefined): number | undefined {
  return waits && Object.values(waits).reduce((sum, cycles) => sum + cycles, 0);
}

function describeWaits(waits: LineWaits | undefined): string {
  const parts = Object.entries(waits ?? {}).filter(([, cycles]) => cycles > 0);
  if (parts.length === 0) return '';
  return `; warps wait ${parts.map(([kind, cycles]) => `${formatNumber(cycles)} (${kind})`).join(', ')} cycles`;
}
