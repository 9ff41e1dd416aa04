/**
 * `tessera verify`: checks the files of a service's data folder against their names and lengths.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { RenderError } from '@tessera/frame';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';
import type { DamagedFile } from './data-folder.ts';

/** @throws {RenderError} REQUEST_INVALID if this Node cannot read the journal. */
function requireSqlite(): void {
  // Node 22.5 to 22.12 have the module only with an option.
  if (process.getBuiltinModule?.('node:sqlite') !== undefined) return;
  throw new RenderError(
    'REQUEST_INVALID',
    `reads the journal with node:sqlite, which Node ${process.versions.node} lacks; use Node 22.13 or later`,
  );
}

/**
 * Runs the command.
 *
 * @throws {RenderError} On bad options, or if the folder is not a data folder.
 */
export async function runVerifyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean', default: false },
    data: { type: 'string', default: process.env.TESSERA_DATA_DIR ?? 'out/data' },
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `verify takes no argument: ${positionals[0]}`);
  }
  const folder = resolve(values.data);
  if (!existsSync(resolve(folder, 'files'))) {
    throw new RenderError(
      'REQUEST_INVALID',
      `data: ${folder} is not a data folder: it has no files/`,
    );
  }
  requireSqlite();
  const { verifyDataFolder } = await import('./data-folder.ts');
  const found = await verifyDataFolder(folder);
  const isWhole = found.damaged.length === 0 && found.journal !== 'damaged';
  if (!isWhole) process.exitCode = 1;
  if (values.json) {
    printJson(found);
    return;
  }
  if (found.journal === 'in use') {
    printNote('a coordinator is using the folder, so missing files cannot be detected\n');
  }
  const rows = found.damaged.map(({ path, damage, users }: DamagedFile) => [
    path,
    damage,
    users.join(' '),
  ]);
  if (rows.length > 0) printText(formatColumns([['file', 'damage', 'used by'], ...rows]));
  if (found.journal === 'damaged') {
    printText(`journal.sqlite: damaged: ${found.journalDamage}\n`);
  }
  const { files, bytes, damaged } = found;
  printText(`${files} files, ${bytes} bytes, ${damaged.length} damaged or missing\n`);
}
