/** Tables of docs/area-and-cost.md. */
import { chipletPreset } from '@tessera/chiplet-spec';
import { costAssumptions, predictDies, reportUnits } from '@tessera/die-cost';
import { formatMarkdownTable } from '../tables/document-tables.ts';

const NODE = 'N7';
const PRESETS = ['default', 'rdna2-like', 'mobile-like'] as const;

/** Returns the tables by their names in the document. */
export function costTables(): ReadonlyMap<string, string> {
  return new Map([
    ['assumptions', assumptionsTable()],
    ['units', unitsTable()],
    ['dies', diesTable()],
  ]);
}

function assumptionsTable(): string {
  const assumptions = costAssumptions(NODE, 'organic');
  return formatMarkdownTable({
    head: ['assumption', 'low', 'typical', 'high', 'unit', 'meaning', 'confidence', 'source'],
    rows: Object.entries(assumptions).map(
      ([name, { low, typical, high, unit, meaning, confidence, source }]) => [
        `\`${name}\``,
        ...[low, typical, high].map((value) => String(Number(value.toPrecision(3)))),
        ...[unit, meaning, confidence, source],
      ],
    ),
  });
}

function unitsTable(): string {
  const assumptions = costAssumptions(NODE, 'organic');
  const areas = PRESETS.map((name) =>
    reportUnits({ spec: chipletPreset(name), node: NODE }, assumptions),
  );
  return formatMarkdownTable({
    head: ['unit', 'kind', ...PRESETS.map((name) => `\`${name}\``)],
    rows: areas[0]!.map(({ unit, kind }, i) => [
      unit,
      kind,
      ...areas.map((units) => {
        const { low, typical, high } = units[i]!.mm2;
        return [low, typical, high].map((mm2) => mm2.toFixed(2)).join(' … ');
      }),
    ]),
  });
}

function diesTable(): string {
  return formatMarkdownTable({
    head: [
      ...['die', 'node', 'M transistors in a mm²', 'published, mm²', 'range', 'ends', 'is in'],
      ...['derived from it', 'source'],
    ],
    rows: predictDies().map(
      ({ die, isInFit, estimate: { low, typical, high }, ends, agreement }) => [
        die.name,
        die.node,
        die.millionTransistors === null ? '–' : (die.millionTransistors / die.mm2).toFixed(1),
        String(die.mm2),
        [low, typical, high].map((mm2) => mm2.toFixed(0)).join(' … '),
        [ends.least, ends.most].map((mm2) => mm2.toFixed(0)).join(' … '),
        agreement === 'outside' ? 'neither' : agreement,
        isInFit ? 'yes' : 'no',
        die.source,
      ],
    ),
  });
}
