/** Table of the judgements of sampling, for the document. */
import type { Table } from '../../tables/csv.ts';
import type { JudgedFigure, SamplingJudgement } from './judge-sampling.ts';

/** Judgement of one figure of one sequence. */
export interface NamedJudgement {
  readonly name: string;
  readonly figure: JudgedFigure;
  readonly judged: SamplingJudgement;
}

/** Returns the table, one row per judgement. */
export function judgementTable(judgements: readonly NamedJudgement[]): Table {
  return {
    head: [
      'sequence',
      'figure',
      'strata',
      'timed',
      'half width',
      'held',
      'error',
      'random',
      'every n-th',
      'tau',
      'least tau',
      'odd frames',
    ],
    rows: judgements.map(({ name, figure, judged }) => [
      name,
      figure,
      judged.strata,
      judged.measuredFrames.toFixed(1),
      percent(judged.halfWidthShare, 2),
      percent(judged.held, 1),
      percent(judged.error, 3),
      percent(judged.randomError, 3),
      percent(judged.everyNthError, 3),
      judged.meanTau.toFixed(3),
      judged.leastTau.toFixed(3),
      percent(judged.oddFramesFound, 1),
    ]),
  };
}

function percent(share: number, digits: number): string {
  return `${(100 * share).toFixed(digits)} %`;
}
