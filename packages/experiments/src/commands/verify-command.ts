/**
 * `tessera verify`: checks the files of a service's data folder against their names and lengths.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { RenderError } from '@tessera/frame';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';
import { type DamagedFile, verifyDataFolder } from './data-folder.ts';

/** Help text of the command. */
export const VERIFY_USAGE = `tessera verify [options]

  Reads every file of a coordinator's data folder. Compares its content with the SHA-256 that is its name and its length
  with the journal, and checks the journal itself. Lists damaged and missing files and the frames that use them. Changes
  nothing. Exits with status 1 if it finds damage.

  The check is complete only while the coordinator is stopped. A running coordinator locks the journal, so missing files
  cannot be detected. A running service recreates a damaged result when a client requests it. A damaged file that a
  client posted is replaced when the client posts it again.

      --data DIR         the data folder (default: TESSERA_DATA_DIR, or out/data)
      --json             print the findings as JSON

  npx tessera verify
  npx tessera verify --data /srv/tessera --json
`;

/**
 * Runs the command.
 *
 * @throws {RenderError} On bad options, or if the folder is not a data folder.
 */
export async function runVerifyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    json: { type: 'boolean', default: false },
    data: { type: 'string', default: process.env.TESSERA_DATA_DIR ?? 'out/data' },
  });
  if (values.help) {
    printText(VERIFY_USAGE);
    return;
  }
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
