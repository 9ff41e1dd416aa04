/**
 * `npm run sampling:acceptance [-- FOLDER [NAME …]]`: judges samples of the sequences in
 * results/sequences and writes the table of docs/studies/sampling.md. With a folder of
 * `scripts/sampling/capture-programs.sh`, it first measures all sequences, or those of the given
 * names, and rewrites their figures.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatMarkdownTable, replaceTable } from '../../tables/document-tables.ts';
import { ProgressBar } from '../../terminal/progress-bar.ts';
import { printText } from '../../terminal/terminal-output.ts';
import { JUDGED_FIGURES, type JudgedFigure, judgeSampling } from './judge-sampling.ts';
import { judgementTable, type NamedJudgement } from './judgement-table.ts';
import { measureSequence } from './measure-sequence.ts';
import { formatFigures, parseFigures } from './sequence-figures.ts';
import {
  FRAME_COUNT,
  figuresPath,
  SAMPLING_DOCUMENT,
  SEQUENCE_SOURCES,
} from './sequence-sources.ts';

const [folder, ...names] = process.argv.slice(2);
const unknown = names.find((name) => SEQUENCE_SOURCES.every((source) => source.name !== name));
if (unknown !== undefined) {
  const known = SEQUENCE_SOURCES.map(({ name }) => name).join(', ');
  throw new Error(`sampling: '${unknown}' is none of ${known}`);
}
if (folder !== undefined) {
  const bar = new ProgressBar();
  for (const { name, frames } of SEQUENCE_SOURCES) {
    if (names.length > 0 && !names.includes(name)) continue;
    const measured = await measureSequence(
      (programs) => frames(folder, programs),
      (done) => bar.update(done, FRAME_COUNT, name),
    ).finally(() => bar.end());
    await mkdir(dirname(figuresPath(name)), { recursive: true });
    await writeFile(figuresPath(name), formatFigures(measured));
  }
}
const judgements: NamedJudgement[] = [];
for (const { name } of SEQUENCE_SOURCES) {
  const frames = parseFigures(await readFile(figuresPath(name), 'utf8'));
  for (const figure of Object.keys(JUDGED_FIGURES) as JudgedFigure[]) {
    judgements.push({ name, figure, judged: judgeSampling(frames, figure) });
  }
}
const table = formatMarkdownTable(judgementTable(judgements));
const document = await readFile(SAMPLING_DOCUMENT, 'utf8');
await writeFile(SAMPLING_DOCUMENT, replaceTable(document, '', table));
printText(table);
