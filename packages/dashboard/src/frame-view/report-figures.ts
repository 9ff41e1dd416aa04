/** Figures of a report: those that are shown first, and all of them by name, for comparisons. */
import type { Report } from '../api/types.ts';

/** Parts that are no single figure, or differ between any two runs. */
const LEFT_OUT = ['wall', 'bins', 'chiplets', 'passes'];

/** Every single figure of a report by its path in the JSON, such as `totals.cycles`. */
export function flattenReport(report: Report): Map<string, string | number | boolean | null> {
  const figures = new Map<string, string | number | boolean | null>();
  const walk = (path: string, value: unknown) => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) walk(`${path}.${name}`, part);
    } else {
      figures.set(path, value as string | number | boolean | null);
    }
  };
  for (const [name, part] of Object.entries(report)) {
    if (!LEFT_OUT.includes(name)) walk(name, part);
  }
  return figures;
}

/** A counter over all chiplets: the sum, or the greatest of a counter that is a greatest value. */
export function totalOf(report: Report, counter: string, isMaximum: boolean): number {
  const counts = report.chiplets.map(({ counters }) => countOf(counters, counter));
  return isMaximum ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0);
}

/** 0 for a counter that did not move, which reports leave out. */
export function countOf(counters: Report['chiplets'][number]['counters'], name: string): number {
  return (counters as Readonly<Record<string, number | undefined>>)[name] ?? 0;
}

export interface Fact {
  readonly name: string;
  readonly value: number | null;
  readonly form: 'number' | 'bytes' | 'share';
  readonly meaning: string;
}

/** What is shown of a frame first. */
export function keyFigures(report: Report): Fact[] {
  const { totals, visibility, assignment, link, chiplets } = report;
  const { culled } = visibility;
  const culledSum =
    culled.outsideView + culled.face + culled.zeroArea + culled.noSample + culled.occluded;
  const idleShares = chiplets.map(({ idleShare }) => idleShare ?? 0);
  const meanIdle =
    report.timing === 'cycle'
      ? idleShares.reduce((sum, share) => sum + share, 0) / idleShares.length
      : null;
  const fact = (
    name: string,
    value: number | null,
    meaning: string,
    form: Fact['form'] = 'number',
  ) => ({
    name,
    value,
    form,
    meaning,
  });
  return [
    fact('cycles', totals.cycles, 'simulated, from the start of the frame to its last pixel'),
    fact('simulated ms', totals.simulatedMs, 'cycles at the clock of the specification'),
    fact('visibility cycles', visibility.cycles, 'of the visibility phases'),
    fact(
      'makespan',
      assignment.makespanCycles,
      'cycles from the first bin’s start to the last one’s end',
    ),
    fact(
      'lower bound',
      assignment.lowerBoundCycles,
      'cycles; no assignment of the bins is shorter',
    ),
    fact('imbalance', assignment.imbalance, 'largest share of the bins ÷ mean share; best 1'),
    fact('idle', meanIdle, 'share of all chiplets’ cycles', 'share'),
    fact('vertices', totals.vertices, 'of all draws'),
    fact('primitives', totals.primitives, 'of all draws'),
    fact('culled', culledSum, 'primitives that the visibility phase left out'),
    fact('fragments', totals.fragments, 'covered samples before the output merger'),
    fact('link', link.bytes, 'sent over the link', 'bytes'),
  ];
}
