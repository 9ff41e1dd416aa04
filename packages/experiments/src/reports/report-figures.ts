/** Figures of a frame's report by name, for budgets and comparisons. */
import { COUNTERS, RenderError, type Report } from '@tessera/frame';
import { FIGURE_NAMES, type FigureName } from './figure-names.ts';

type ReadFigure = (report: Report) => number | null;

/** Figures other than counters. A figure in cycles is null with functional timing. */
const FIGURES: Readonly<Record<FigureName, ReadFigure>> = {
  cycles: ({ totals }) => totals.cycles,
  simulatedMs: ({ totals }) => totals.simulatedMs,
  vertices: ({ totals }) => totals.vertices,
  primitives: ({ totals }) => totals.primitives,
  fragments: ({ totals }) => totals.fragments,
  passes: ({ passes }) => passes.length,
  bins: ({ bins }) => bins.length,
  chiplets: ({ chiplets }) => chiplets.length,
  visibilityCycles: ({ visibility }) => visibility.cycles,
  streamBytes: ({ visibility }) => visibility.streamBytes,
  makespanCycles: ({ assignment }) => assignment.makespanCycles,
  imbalance: ({ assignment }) => assignment.imbalance,
  linkBytes: ({ link }) => link.bytes,
  linkCycles: ({ link }) => link.cycles,
  // Typical energy. Reports of earlier versions have none.
  energyPj: ({ energy }) => energy?.total.total.typicalPj ?? null,
};

/**
 * Returns the figures of a report: those of {@link FIGURE_NAMES}, then each counter, summed over
 * the chiplets.
 */
export function readFigures(report: Report): Map<string, number | null> {
  const figures = new Map<string, number | null>(
    FIGURE_NAMES.map((name) => [name, FIGURES[name](report)]),
  );
  for (const name of Object.keys(COUNTERS)) {
    const counts = report.chiplets.map(
      ({ counters }) => (counters as Readonly<Record<string, number>>)[name] ?? 0,
    );
    figures.set(
      name,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }
  return figures;
}

/**
 * Splits lists such as `cycles=25000,fragments=28000` into names and values.
 *
 * @param option Name of the option, for messages.
 * @throws {RenderError} REQUEST_INVALID, naming an unknown figure or an entry without a value.
 */
export function splitLimits(option: string, lists: readonly string[]): [string, string][] {
  return lists
    .flatMap((list) => list.split(','))
    .map((entry) => {
      const [, name, value] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
      if (name === undefined || value === undefined) {
        throw new RenderError('REQUEST_INVALID', `${option}: '${entry}' is not NAME=VALUE`);
      }
      if (!Object.hasOwn(FIGURES, name) && !Object.hasOwn(COUNTERS, name)) {
        const message = `${option}: '${name}' is neither a counter (see tessera counters) nor one of ${FIGURE_NAMES.join(', ')}`;
        throw new RenderError('REQUEST_INVALID', message);
      }
      return [name, value];
    });
}
