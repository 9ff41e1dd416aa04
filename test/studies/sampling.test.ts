/**
 * Samples of real sequences, from the figures of all their frames in results/sequences. Nothing is
 * rendered.
 */
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  JUDGED_FIGURES,
  type JudgedFigure,
  judgeSampling,
} from '../../packages/experiments/src/studies/sampling/judge-sampling.ts';
import {
  judgementTable,
  type NamedJudgement,
} from '../../packages/experiments/src/studies/sampling/judgement-table.ts';
import {
  formatFigures,
  parseFigures,
} from '../../packages/experiments/src/studies/sampling/sequence-figures.ts';
import {
  FRAME_COUNT,
  figuresPath,
  SAMPLING_DOCUMENT,
  SEQUENCE_SOURCES,
} from '../../packages/experiments/src/studies/sampling/sequence-sources.ts';
import {
  formatMarkdownTable,
  readTable,
} from '../../packages/experiments/src/tables/document-tables.ts';

const MAX_FILE_BYTES = 200_000;
const FIGURES = Object.keys(JUDGED_FIGURES) as JudgedFigure[];
const judgements: NamedJudgement[] = [];

describe.each(SEQUENCE_SOURCES.map(({ name }) => name))('samples of %s', (name) => {
  const csv = readFileSync(figuresPath(name), 'utf8');
  const frames = parseFigures(csv);

  it('are drawn from the figures of all frames, which differ', () => {
    expect(frames).toHaveLength(FRAME_COUNT);
    expect(formatFigures(frames)).toBe(csv);
    expect(statSync(figuresPath(name)).size).toBeLessThan(MAX_FILE_BYTES);
    expect(new Set(frames.map(({ features }) => features.id)).size).toBeGreaterThan(400);
  });

  it.each(FIGURES)('hold, order the policies, find odd frames, and beat chance: %s', (figure) => {
    const judged = judgeSampling(frames, figure);
    judgements.push({ name, figure, judged });
    expect(judged.measuredFrames).toBeLessThan(FRAME_COUNT / 3);
    expect(judged.halfWidthShare).toBeLessThanOrEqual(0.01);
    expect(judged.held).toBeGreaterThanOrEqual(0.93);
    expect(judged.held).toBeLessThanOrEqual(0.97);
    expect(judged.meanTau).toBeGreaterThanOrEqual(0.95);
    expect(judged.oddFramesFound).toBe(1);
    expect(judged.error).toBeLessThan(judged.randomError);
  });
});

it('the table shows these figures', () => {
  const table = readTable(readFileSync(SAMPLING_DOCUMENT, 'utf8'), '');
  expect(table).toBe(formatMarkdownTable(judgementTable(judgements)));
});
