/**
 * `tessera energy REPORT`: lists the energy of a frame by unit, chiplet and channel of the link.
 */
import { defineEnergyOptions, energyOfReport } from '@tessera/energy';
import { type EnergyPj, type EnergyReport, RenderError } from '@tessera/frame';
import { readReport } from '../reports/read-report.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';

/** Runs the command. @throws {RenderError} On bad options, or a file without energies. */
export async function runEnergyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    memory: { type: 'string' },
    link: { type: 'string' },
    'package-link': { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new RenderError('REQUEST_INVALID', 'give one report');
  }
  const report = await readReport(path);
  if ((report.energy ?? null) === null) {
    const message = `${path}: has no energy; it needs --timing cycle and a version that computes it`;
    throw new RenderError('REQUEST_INVALID', message);
  }
  const { memory, link: linkClass, 'package-link': packageLinkClass } = values;
  const isAsReported = [memory, linkClass, packageLinkClass].every((name) => name === undefined);
  const energy = isAsReported
    ? report.energy!
    : energyOfReport(report, defineEnergyOptions({ memory, linkClass, packageLinkClass }));
  if (values.json) printJson(energy);
  else printText(describe(energy));
}

const HEAD = ['µJ', 'dynamic', 'leakage', 'refresh', 'low', 'typical', 'high'];

function describe(energy: EnergyReport): string {
  const { technology, averagePower, total, units, chiplets, link } = energy;
  const { nodeNm, memory, linkClass, packageLinkClass } = technology;
  const { lowMw, typicalMw, highMw } = averagePower;
  const watts = [lowMw, typicalMw, highMw].map((mw) => `${(mw / 1000).toPrecision(3)} W`);
  const used = units.filter(({ total: own }) => own.highPj > 0);
  const rows = [
    HEAD,
    ...used.map((unit) => [unit.unit, ...cellsOf(unit)]),
    ...chiplets.map((chiplet) => [`chiplet ${chiplet.id}`, ...cellsOf(chiplet)]),
    ...link.channels.map(({ channel, linkClass: name, dynamic }) => [
      `${channel} (${name})`,
      ...cellsOf({ dynamic, leakage: NONE, refresh: NONE, total: dynamic }),
    ]),
    ['total', ...cellsOf(total)],
  ];
  return [
    `${nodeNm} nm, ${memory}, links ${linkClass}, between packages ${packageLinkClass}\n`,
    `average power ${watts[1]}, from ${watts[0]} to ${watts[2]}\n\n`,
    formatColumns(rows),
    '\nThe first three columns are typical values. Units and links, or chiplets and links, add up to the total.\n',
  ].join('');
}

const NONE: EnergyPj = { lowPj: 0, typicalPj: 0, highPj: 0 };

function cellsOf(energy: EnergyReport['total']): string[] {
  const { dynamic, leakage, refresh, total } = energy;
  const typical = [dynamic, leakage, refresh].map(({ typicalPj }) => typicalPj);
  return [...typical, total.lowPj, total.typicalPj, total.highPj].map(formatMicrojoules);
}

function formatMicrojoules(pj: number): string {
  const microjoules = pj / 1e6;
  return microjoules === 0 ? '–' : microjoules.toFixed(microjoules < 10 ? 2 : 0);
}
