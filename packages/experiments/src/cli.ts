/** The command line `tessera`. Exit status: 0 done, 2 bad input, 1 a bug. */
import { RenderError } from '@tessera/frame';
import { RENDER_USAGE, runRenderCommand } from './render-command.ts';
import { runShaderCommand, SHADER_USAGE } from './shader-command.ts';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  render: runRenderCommand,
  shader: runShaderCommand,
};

const [command, ...args] = process.argv.slice(2);
if (command === undefined || !Object.hasOwn(COMMANDS, command)) {
  process.stderr.write(
    `tessera: no command '${command ?? ''}'\n\n${RENDER_USAGE}\n${SHADER_USAGE}`,
  );
  process.exitCode = 2;
} else {
  try {
    await COMMANDS[command]!(args);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    process.stderr.write(`tessera ${command}: ${error.message} (${error.code})\n`);
    process.exitCode = 2;
  }
}
