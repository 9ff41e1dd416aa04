#!/usr/bin/env node
/** The command line `tessera`. What it ends with: exit-status.ts. */
import { RenderError } from '@tessera/frame';
import { COMMANDS, OVERVIEW } from './commands.ts';
import { exitStatusOf } from './exit-status.ts';

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h' || (name === 'help' && args.length === 0)) {
  process.stdout.write(OVERVIEW);
} else if (name === undefined || !Object.hasOwn(COMMANDS, name)) {
  process.stderr.write(`tessera: no command '${name ?? ''}'\n\n${OVERVIEW}`);
  process.exitCode = 2;
} else {
  try {
    await COMMANDS[name]!.run(args);
  } catch (error) {
    const status = exitStatusOf(error);
    if (status === null) throw error;
    const code = error instanceof RenderError ? ` (${error.code})` : '';
    process.stderr.write(`tessera ${name}: ${(error as Error).message}${code}\n`);
    process.exitCode = status;
  }
}
