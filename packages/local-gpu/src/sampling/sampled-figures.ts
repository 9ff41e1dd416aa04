/** Figures that are measured on the sampled frames and estimated for all frames. */
import { COUNTERS, type CounterName, RenderError, type Report } from '@tessera/frame';

/** Rendered frame. */
export interface MeasuredFrame {
  readonly report: Report;
  /** Cycles of the frame on one chiplet; 0 without cycle timing. */
  readonly oneChipletCycles: number;
}

/** Figure of a sequence. */
export interface SampledFigure {
  readonly name: string;
  /**
   * `total`: the sum over all frames. `mean`: the mean of a figure that does not add up, computed
   * for each sampled frame.
   */
  readonly kind: 'total' | 'mean';
  readonly unit: string;
  /** Whether functional rendering counts the figure too, so that its total is exact. */
  readonly isCounted: boolean;
  /** Value of one frame with cycle timing or, if functional rendering counts it, without. */
  readonly read: (frame: MeasuredFrame) => number;
}

type FigureEntry = Omit<SampledFigure, 'name'>;

const total = (unit: string, read: (report: Report) => number | null): FigureEntry => ({
  kind: 'total',
  unit,
  isCounted: false,
  // Figures in cycles are null without cycle timing only.
  read: ({ report }) => read(report)!,
});
const counted = (unit: string, read: (report: Report) => number): FigureEntry => ({
  ...total(unit, read),
  isCounted: true,
});
const mean = (unit: string, read: (frame: MeasuredFrame) => number): FigureEntry => ({
  kind: 'mean',
  unit,
  isCounted: false,
  read,
});

/** Figures that are no counters, by name. */
const FIGURES: Readonly<Record<string, FigureEntry>> = {
  cycles: total('cycles', ({ totals }) => totals.cycles),
  visibilityCycles: total('cycles', ({ visibility }) => visibility.cycles),
  vertices: counted('vertices', ({ totals }) => totals.vertices),
  primitives: counted('primitives', ({ totals }) => totals.primitives),
  fragments: counted('fragments', ({ totals }) => totals.fragments),
  streamBytes: counted('bytes', ({ visibility }) => visibility.streamBytes),
  linkBytes: total('bytes', ({ link }) => link.bytes),
  linkCycles: total('cycles', ({ link }) => link.cycles),
  speedUp: mean('ratio', ({ report, oneChipletCycles }) => {
    return oneChipletCycles / report.totals.cycles!;
  }),
  makespanCycles: mean('cycles', ({ report }) => report.assignment.makespanCycles!),
  imbalance: mean('ratio', ({ report }) => report.assignment.imbalance),
};

/** Stages whose counters do not depend on timing. */
const COUNTED_STAGES = ['visibility', 'geometry', 'binning', 'raster', 'shading', 'output'];

/** All figures: those of the frame, then the counters, summed over the chiplets. */
export const SAMPLED_FIGURES: readonly SampledFigure[] = [
  ...Object.entries(FIGURES).map(([name, entry]) => ({ name, ...entry })),
  ...Object.entries(COUNTERS).flatMap(([name, info]) =>
    // The maximum of all frames does not follow from a sample.
    'isMaximum' in info && info.isMaximum ? [] : [describeCounter(name as CounterName, info.unit)],
  ),
];

function describeCounter(name: CounterName, unit: string): SampledFigure {
  const describe = COUNTED_STAGES.includes(name.split('.')[0]!) ? counted : total;
  return { name, ...describe(unit, (report) => sumOverChiplets(report, name)) };
}

/** Figures that functional rendering counts in every frame. */
export const COUNTED_FIGURES = SAMPLED_FIGURES.filter(({ isCounted }) => isCounted);

/**
 * Returns figures by name.
 *
 * @throws {RenderError} REQUEST_INVALID, naming an unknown figure, if the list is empty or has one.
 */
export function requireFigures(names: readonly string[]): SampledFigure[] {
  if (names.length === 0) throw new RenderError('REQUEST_INVALID', 'figures: the list is empty');
  return names.map((name) => {
    const figure = SAMPLED_FIGURES.find((each) => each.name === name);
    if (figure !== undefined) return figure;
    const others = Object.keys(FIGURES).join(', ');
    throw new RenderError(
      'REQUEST_INVALID',
      `figures: '${name}' is neither a counter that adds up nor one of ${others}`,
    );
  });
}

/** Returns a counter of a frame, summed over the chiplets. */
export function sumOverChiplets({ chiplets }: Report, name: CounterName): number {
  return chiplets.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
}
