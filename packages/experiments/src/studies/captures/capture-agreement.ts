/**
 * Study: differences between images of captured OpenGL programs and those of Mesa's two software
 * renderers, and between the latter. Each capture is rendered with each timing on each number of
 * chiplets, which must give bit-identical images. Prints the Markdown table of
 * docs/studies/captures.md and writes results/capture-agreement.csv. Exits with status 1 if an
 * image is outside its gate.
 *
 *       npm run study:captures -- [FOLDER] [--csv FILE] [--chiplets N,N] [--only NAME] [--doc FILE]
 *                                 [--timing functional|cycle|both]
 *
 * A capture is a folder under FOLDER with `trace.trace`, `ref-llvmpipe.png` and `ref-softpipe.png`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RenderError } from '@tessera/frame';
import { formatCsv } from '../../tables/csv.ts';
import { replaceTable } from '../../tables/document-tables.ts';
import { parseOptions } from '../../terminal/command-options.ts';
import { printNote, printText } from '../../terminal/terminal-output.ts';
import {
  type Agreement,
  comparisonsTable,
  listCaptures,
  listWays,
  measureCapture,
  type Refusal,
  showAgreement,
} from './capture-comparison.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');

/** Runs the study. @returns The exit status. */
async function main(): Promise<number> {
  const { values, positionals } = parseOptions(process.argv.slice(2), {
    csv: { type: 'string', default: join(ROOT, 'results/capture-agreement.csv') },
    chiplets: { type: 'string', default: '1,4' },
    timing: { type: 'string', default: 'both' },
    only: { type: 'string' },
    doc: { type: 'string' },
  });
  const folder = resolve(positionals[0] ?? join(ROOT, '../shared/captures'));
  if (!existsSync(folder)) {
    throw new RenderError('REQUEST_INVALID', `${folder}: no such folder`);
  }
  const ways = listWays(values.timing, values.chiplets);
  const names = listCaptures(folder).filter((name) => name === (values.only ?? name));
  const results: (Agreement | Refusal)[] = [];
  for (const name of names) {
    printNote(`${name}\n`);
    results.push(await measureCapture(folder, name, ways));
  }
  const csv = formatCsv(comparisonsTable(results));
  mkdirSync(dirname(values.csv), { recursive: true });
  writeFileSync(values.csv, csv);
  const table = showAgreement(csv);
  printText(table);
  if (values.doc !== undefined) {
    writeFileSync(values.doc, replaceTable(readFileSync(values.doc, 'utf8'), '', table));
  }
  const failures = results.flatMap((result) => {
    if (!('ours' in result)) return [`${result.name}: ${result.reason}`];
    return result.isWithinGate ? [] : [`${result.name}: outside of its gate`];
  });
  for (const failure of failures) printText(`\n${failure}\n`);
  return failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof RenderError)) throw error;
  printNote(`study:captures: ${error.message} (${error.code})\n`);
  process.exitCode = 2;
}
