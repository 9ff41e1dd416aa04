#!/usr/bin/env node
/** The command line `tessera`. Exit statuses: exit-status.ts. */
import { RenderError } from '@tessera/frame';
import { COMMANDS, OVERVIEW } from './commands/commands.ts';
import { exitStatusOf } from './terminal/exit-status.ts';
import { printNote, printText } from './terminal/terminal-output.ts';

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h' || (name === 'help' && args.length === 0)) {
  printText(OVERVIEW);
} else if (name === undefined || !Object.hasOwn(COMMANDS, name)) {
  printNote(`tessera: no command '${name ?? ''}'\n\n${OVERVIEW}`);
  process.exitCode = 2;
} else {
  try {
    await COMMANDS[name]!.run(args);
  } catch (error) {
    const status = exitStatusOf(error);
    const code = error instanceof RenderError ? ` (${error.code})` : '';
    const { message, stack } = error as Error;
    printNote(status === null ? `${stack}\n` : `tessera ${name}: ${message}${code}\n`);
    process.exitCode = status ?? 1;
  }
}
