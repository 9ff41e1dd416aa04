/** Runs a command of the table and reports its error. */
import { RenderError } from '@tessera/frame';
import { exitStatusOf } from '../terminal/exit-status.ts';
import { finishOutput, printNote } from '../terminal/terminal-output.ts';
import { COMMANDS, OVERVIEW } from './commands.ts';

/** Runs the command with this name. Sets the exit status of the process if it fails. */
export async function runCommand(name: string | undefined, args: readonly string[]): Promise<void> {
  if (name === undefined || !Object.hasOwn(COMMANDS, name)) {
    const problem = name === undefined ? '' : `tessera: no command '${name}'\n\n`;
    printNote(`${problem}${OVERVIEW}`);
    process.exitCode = 2;
    return;
  }
  const { run, isLast } = COMMANDS[name]!;
  try {
    await run(args);
  } catch (error) {
    const status = exitStatusOf(error);
    // Most bad options and files have this code, so it would explain nothing.
    const isCoded = error instanceof RenderError && error.code !== 'REQUEST_INVALID';
    const code = isCoded ? ` (${error.code})` : '';
    const { message, stack } = error as Error;
    printNote(status === null ? `${stack}\n` : `tessera ${name}: ${message}${code}\n`);
    process.exitCode = status ?? 1;
  }
  if (isLast === true) {
    await finishOutput();
    process.exit();
  }
}
