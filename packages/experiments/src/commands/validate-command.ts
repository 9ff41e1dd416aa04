/** `tessera validate`: compares the cycle model with arithmetic and with published figures. */
import { readFile, writeFile } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import { measureRows } from '../studies/validation/measure-rows.ts';
import {
  agrees,
  measurePipelineStatistics,
  showStatistics,
} from '../studies/validation/pipeline-statistics.ts';
import { judge } from '../studies/validation/validation-rows.ts';
import { formatRows, showValidation } from '../studies/validation/validation-table.ts';
import { replaceTable } from '../tables/document-tables.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';

/**
 * Runs the command.
 *
 * @throws {RenderError} On bad options or captures, or if a row is outside its tolerance without a
 *   reason.
 */
export async function runValidateCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean', default: false },
    doc: { type: 'string' },
    captures: { type: 'string' },
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `validate takes no argument: ${positionals[0]}`);
  }
  const captures =
    values.captures === undefined ? [] : await measurePipelineStatistics(values.captures);
  const rows = await measureRows();
  if (values.json) printJson({ rows, captures });
  else printText(formatRows(rows) + (captures.length === 0 ? '' : showStatistics(captures)));
  if (values.doc !== undefined) {
    let document = await readFile(values.doc, 'utf8');
    document = replaceTable(document, 'model', showValidation(rows));
    if (captures.length > 0) {
      document = replaceTable(document, 'captures', showStatistics(captures));
    }
    await writeFile(values.doc, document);
  }
  const broken = [
    ...rows.filter((row) => row.reason === '' && !judge(row).isInside).map(({ name }) => name),
    ...captures.filter((capture) => !agrees(capture)).map(({ capture }) => capture),
  ];
  if (broken.length > 0) {
    throw new RenderError(
      'INTERNAL',
      `outside the tolerance without a reason: ${broken.join(', ')}`,
    );
  }
}
