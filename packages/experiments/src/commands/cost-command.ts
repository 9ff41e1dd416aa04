/** `tessera cost`: area of a chiplet by unit, and cost of a GPU on several dies and on one. */
import {
  type CostAssumption,
  costAssumptions,
  fixAssumptions,
  type GpuPlan,
  NODE_NAMES,
  PACKAGING_NAMES,
  reportCost,
} from '@tessera/die-cost';
import { RenderError } from '@tessera/frame';
import { DEFAULT_INTERCONNECT } from '@tessera/multi-chiplet';
import { readSpecOption } from '../inputs/spec-option.ts';
import { rewriteTables } from '../tables/study-files.ts';
import {
  integerOption,
  numberOption,
  optionalInteger,
  parseOptions,
  wordOption,
} from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { costTables } from './cost-documents.ts';
import { formatCostReport } from './cost-listing.ts';

const MAX_CHIPLETS = 64;
const MAX_LINK_BYTES_PER_CYCLE = 65_536;
const MAX_VOLUME = 1e9;

/** Runs the command. @throws {RenderError} On bad options. */
export async function runCostCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    spec: { type: 'string', default: 'default' },
    set: { type: 'string', multiple: true },
    chiplets: { type: 'string', default: '4' },
    node: { type: 'string', default: 'N7' },
    package: { type: 'string', default: 'organic' },
    'link-bytes-per-cycle': { type: 'string' },
    assume: { type: 'string', multiple: true },
    volume: { type: 'string' },
    cycles: { type: 'string' },
    json: { type: 'boolean', default: false },
    doc: { type: 'string' },
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `cost takes no argument: ${positionals[0]}`);
  }
  const link = optionalInteger(
    'link-bytes-per-cycle',
    values['link-bytes-per-cycle'],
    1,
    MAX_LINK_BYTES_PER_CYCLE,
  );
  const dies = integerOption('chiplets', values.chiplets, 1, MAX_CHIPLETS);
  const plan: GpuPlan = {
    spec: readSpecOption(values.spec, values.set),
    chipletUnits: dies,
    dies,
    node: wordOption('node', values.node, NODE_NAMES),
    packaging: wordOption('package', values.package, PACKAGING_NAMES),
    linkBytesPerCycle: link ?? DEFAULT_INTERCONNECT.bytesPerCycle,
  };
  const volume = optionalInteger('volume', values.volume, 1, MAX_VOLUME);
  const speedUp = values.cycles === undefined ? undefined : readSpeedUp(values.cycles);
  const { assumptions, report } = atRange(() => {
    const all = costAssumptions(plan.node, plan.packaging);
    const fixed = fixAssumptions<CostAssumption>(all, readAssumed(values.assume ?? []));
    return { assumptions: fixed, report: reportCost(plan, fixed, volume) };
  });
  if (values.json) {
    const { spec, ...others } = plan;
    printJson({ spec: spec.name, ...others, volume: volume ?? null, ...report, assumptions });
  } else printText(formatCostReport(plan, report, assumptions, { volume, speedUp }));
  if (values.doc !== undefined) await rewriteTables(values.doc, costTables());
}

/** Returns cycles on one die ÷ cycles on the chiplets. */
function readSpeedUp(text: string): number {
  const cycles = text.split(',').map((part) => {
    return integerOption('cycles', part, 1, Number.MAX_SAFE_INTEGER);
  });
  if (cycles.length === 2) return cycles[1]! / cycles[0]!;
  throw new RenderError('REQUEST_INVALID', `cycles: '${text}' is not two numbers with a comma`);
}

function readAssumed(texts: readonly string[]): Record<string, number> {
  const assumed: Record<string, number> = {};
  for (const part of texts.flatMap((text) => text.split(','))) {
    const [name = '', value, ...rest] = part.trim().split('=');
    if (value === undefined || rest.length > 0) {
      throw new RenderError('REQUEST_INVALID', `assume: '${part.trim()}' is not name=value`);
    }
    assumed[name] = numberOption(`assume ${name}`, value);
  }
  return assumed;
}

function atRange<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RenderError('REQUEST_INVALID', error.message, { cause: error });
  }
}
