/** Figures of a report: the key figures, and all figures by name for comparisons. */

import type { Report } from '../api/types.ts';
import { GLOSSARY_MEANINGS } from '../ui/meanings.ts';

/** Parts of a report that are not single figures, or that differ between any two runs. */
const EXCLUDED = ['wall', 'bins', 'chiplets', 'passes'];

/** Returns every single figure of a report by its path in the JSON, such as `totals.cycles`. */
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
    if (!EXCLUDED.includes(name)) walk(name, part);
  }
  return figures;
}

/** Returns a counter over all chiplets: the sum, or the largest value if it is a maximum. */
export function totalOf(report: Report, counter: string, isMaximum: boolean): number {
  const counts = report.chiplets.map(({ counters }) => countOf(counters, counter));
  return isMaximum ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0);
}

/** Returns a counter, or 0 if the report omits it. */
export function countOf(counters: Report['chiplets'][number]['counters'], name: string): number {
  return (counters as Readonly<Record<string, number | undefined>>)[name] ?? 0;
}

/** A figure with its name and meaning. */
export interface Fact {
  readonly name: string;
  readonly value: number | null;
  readonly form: 'number' | 'bytes' | 'share';
  readonly meaning: string;
}

/** Returns the key figures of a frame. */
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
    fact('cycles', totals.cycles, 'simulated cycles from the start of the frame to its last pixel'),
    fact('simulated ms', totals.simulatedMs, 'cycles at the clock rate of the specification'),
    fact('visibility cycles', visibility.cycles, 'cycles of the visibility phases'),
    fact('makespan', assignment.makespanCycles, GLOSSARY_MEANINGS.makespan),
    fact(
      'lower bound',
      assignment.lowerBoundCycles,
      'cycles; lower bound on the makespan of any assignment',
    ),
    fact('imbalance', assignment.imbalance, 'largest share of the bins ÷ mean share; 1 is best'),
    fact('idle', meanIdle, 'cycles without work ÷ cycles, mean of all chiplets', 'share'),
    fact('vertices', totals.vertices, 'vertices fetched and shaded for coarse bins'),
    fact(
      'primitives',
      totals.primitives,
      'primitives read by coarse bins; one that touches several bins counts in each of them',
    ),
    fact('culled', culledSum, 'primitives omitted by the visibility phase'),
    fact('fragments', totals.fragments, 'covered samples before the output merger'),
    fact('link', link.bytes, 'bytes sent over the link', 'bytes'),
  ];
}
