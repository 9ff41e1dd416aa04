/** The command line `tessera`. Exit status: 0 done, 2 bad input, 1 a bug, or a limit of `compare` passed. */
import { RenderError } from '@tessera/frame';
import { CAPTURE_USAGE, runCaptureCommand } from './capture-command.ts';
import { COMPARE_USAGE, runCompareCommand } from './compare-command.ts';
import { RENDER_USAGE, runRenderCommand } from './render-command.ts';
import { runSequenceCommand, SEQUENCE_USAGE } from './sequence-command.ts';
import { runShaderCommand, SHADER_USAGE } from './shader-command.ts';
import { runStudyCommand, STUDY_USAGE } from './study-command.ts';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  render: runRenderCommand,
  sequence: runSequenceCommand,
  compare: runCompareCommand,
  capture: runCaptureCommand,
  shader: runShaderCommand,
  study: runStudyCommand,
};

const USAGE = [
  RENDER_USAGE,
  SEQUENCE_USAGE,
  COMPARE_USAGE,
  CAPTURE_USAGE,
  SHADER_USAGE,
  STUDY_USAGE,
].join('\n');

const [command, ...args] = process.argv.slice(2);
if (command === '--help' || command === '-h') {
  process.stdout.write(USAGE);
} else if (command === undefined || !Object.hasOwn(COMMANDS, command)) {
  process.stderr.write(`tessera: no command '${command ?? ''}'\n\n${USAGE}`);
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
