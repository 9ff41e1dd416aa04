/** `tessera validate`: compares the cycle model with arithmetic and with published figures. */
import { readFile, writeFile } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import { measurePointerChase } from '../studies/validation/pointer-chase.ts';
import { measureRooflines } from '../studies/validation/rooflines.ts';
import { judge } from '../studies/validation/validation-rows.ts';
import { formatRows, showValidation } from '../studies/validation/validation-table.ts';
import { replaceTable } from '../tables/document-tables.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';

/** Help text of the command. */
export const VALIDATE_USAGE = `tessera validate [options]

  Compares figures of the cycle model with arithmetic and with published measurements. Each row has a tolerance, and a
  row outside of it has a reason. The exit status is 1 if a row without a reason is outside.

      --json         print the rows as JSON
      --doc FILE     document whose table is rewritten

  npx tessera validate --doc docs/validation.md
`;

/**
 * Runs the command.
 *
 * @throws {RenderError} On bad options, or if a row is outside its tolerance without a reason.
 */
export async function runValidateCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    json: { type: 'boolean', default: false },
    doc: { type: 'string' },
  });
  if (values.help) {
    printText(VALIDATE_USAGE);
    return;
  }
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `validate takes no argument: ${positionals[0]}`);
  }
  const rows = [...(await measureRooflines()), ...(await measurePointerChase())];
  if (values.json) printJson(rows);
  else printText(formatRows(rows));
  if (values.doc !== undefined) {
    const document = await readFile(values.doc, 'utf8');
    await writeFile(values.doc, replaceTable(document, '', showValidation(rows)));
  }
  const broken = rows.filter((row) => row.reason === '' && !judge(row).isInside);
  if (broken.length > 0) {
    const names = broken.map(({ name }) => name).join(', ');
    throw new RenderError('INTERNAL', `outside the tolerance without a reason: ${names}`);
  }
}
