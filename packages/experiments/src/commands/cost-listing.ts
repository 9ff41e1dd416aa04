/** Text of `tessera cost`. */
import type {
  Assumptions,
  BuildReport,
  CostAssumption,
  CostReport,
  GpuPlan,
  Range,
} from '@tessera/die-cost';
import { formatColumns } from '../terminal/text-columns.ts';

/** Options of a listing. */
export interface ListingOptions {
  /** Number of GPUs that share the design. */
  readonly volume: number | undefined;
  /** Cycles of a frame on one die ÷ cycles on the chiplets. */
  readonly speedUp: number | undefined;
}

/** Formats a report for reading. */
export function formatCostReport(
  plan: GpuPlan,
  report: CostReport,
  assumptions: Assumptions<CostAssumption>,
  { volume, speedUp }: ListingOptions,
): string {
  const { spec, node, packaging, dies } = plan;
  const design = volume === undefined ? 'without design' : `with design shared by ${volume}`;
  const parts = [
    `Area of a chiplet of ${spec.name} at ${node}, mm²\n\n${areaTable(report)}`,
    `Cost of ${dies} dies (${packaging}) and of one die with the same units, ${design}\n\n${costTable(report)}`,
    relativeText(report, assumptions),
  ];
  if (speedUp !== undefined) {
    const { low, typical, high } = report.relativeCost;
    const range = { low: speedUp / high, typical: speedUp / typical, high: speedUp / low };
    parts.push(`performance per cost ÷ that of one die: ${showRange(range)}\n`);
  }
  return parts.join('\n');
}

function areaTable({ units, chiplets }: CostReport): string {
  const row = (name: string, kind: string, mm2: Range) => [name, kind, ...ends(mm2)];
  const dominating = chiplets.dieMm2.effects[0];
  const table = formatColumns([
    ['unit', 'kind', 'low', 'typical', 'high'],
    ...units.map(({ unit, kind, mm2 }) => row(unit, kind, mm2)),
    row('die, with overhead and link', '', chiplets.dieMm2),
  ]);
  if (dominating === undefined) return table;
  const { name, atLow, atHigh } = dominating;
  return `${table}\n${name} dominates the area of the die: ${ends({ low: atLow, high: atHigh }).join(' to ')} mm²\n`;
}

function costTable({ chiplets, monolith }: CostReport): string {
  const rows: [string, (build: BuildReport) => string][] = [
    ['die, mm²', ({ dieMm2 }) => showRange(dieMm2)],
    ['yield', ({ dieYield }) => showRange(dieYield)],
    ['dies on a wafer', ({ diesPerWafer }) => showRange(diesPerWafer)],
    ['dies, US$', ({ diesUsd }) => show(diesUsd)],
    ['package, US$', ({ packageUsd }) => show(packageUsd)],
    ['lost in assembly, US$', ({ assemblyLossUsd }) => show(assemblyLossUsd)],
    ['design, million US$', ({ designUsd }) => show(designUsd / 1e6)],
    ['cost, US$', ({ usd }) => showRange(usd)],
  ];
  const table = formatColumns([
    ['', 'chiplets', 'one die'],
    ...rows.map(([name, of]) => [name, of(chiplets), of(monolith)]),
  ]);
  const warning = monolith.exceedsReticle
    ? '\nThe one die exceeds what a scanner exposes at once, so it cannot be built.\n'
    : '';
  return table + warning;
}

function relativeText(
  { relativeCost, worstRelativeCost }: CostReport,
  assumptions: Assumptions<CostAssumption>,
): string {
  const { least, most } = worstRelativeCost;
  const [dominating] = relativeCost.effects;
  const head = `cost of the chiplets ÷ cost of one die: ${showRange(relativeCost)}; with all assumptions at their ends ${show(least)} to ${show(most)}\n`;
  if (dominating === undefined) return head;
  const rows = relativeCost.effects.map(({ name, atLow, atHigh }) => {
    const { low, typical, high, unit } = assumptions[name];
    return [
      name,
      `${show(low)} … ${show(typical)} … ${show(high)}`,
      unit,
      show(atLow),
      show(atHigh),
    ];
  });
  const table = formatColumns([
    ['assumption', 'low … typical … high', 'unit', 'ratio at low', 'at high'],
    ...rows,
  ]);
  return `${head}${dominating.name} dominates it: ${show(dominating.atLow)} to ${show(dominating.atHigh)}\n\n${table}`;
}

function ends(range: { low: number; typical?: number; high: number }): string[] {
  const { low, typical, high } = range;
  return [low, ...(typical === undefined ? [] : [typical]), high].map(show);
}

function showRange(range: Range): string {
  return ends(range).join(' … ');
}

/** Returns a number with three digits. */
function show(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
