/** Table of the commands. docs/cli.md shows the usage of each; a test compares them. */
import { CAPTURE_USAGE, runCaptureCommand } from './capture-command.ts';
import { CHIPLETS_USAGE, runChipletsCommand } from './chiplets-command.ts';
import { COMPARE_USAGE, runCompareCommand } from './compare-command.ts';
import { COUNTERS_USAGE, runCountersCommand } from './counters-command.ts';
import { RECORD_USAGE, runRecordCommand } from './record-command.ts';
import { RENDER_USAGE, runRenderCommand } from './render-command.ts';
import { REPORT_DIFF_USAGE, runReportDiffCommand } from './report-diff-command.ts';
import { runSequenceCommand, SEQUENCE_USAGE } from './sequence-command.ts';
import { runShaderCommand, SHADER_USAGE } from './shader-command.ts';
import { runSpecsCommand, SPECS_USAGE } from './specs-command.ts';
import { runStudyCommand, STUDY_USAGE } from './study-command.ts';
import { runSubmitCommand, SUBMIT_USAGE } from './submit-command.ts';
import { runValidateCommand, VALIDATE_USAGE } from './validate-command.ts';
import { runVerifyCommand, VERIFY_USAGE } from './verify-command.ts';

/** A command of the table. */
export interface Command {
  readonly meaning: string;
  readonly usage: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

/** Commands by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  render: {
    meaning: 'render a model or a frame of a capture in this process',
    usage: RENDER_USAGE,
    run: runRenderCommand,
  },
  sequence: {
    meaning: 'render frames in order, overlapped in simulated time',
    usage: SEQUENCE_USAGE,
    run: runSequenceCommand,
  },
  record: {
    meaning: 'run a WebGL program on simulated chiplets',
    usage: RECORD_USAGE,
    run: runRecordCommand,
  },
  compare: {
    meaning: 'compare an image with a reference',
    usage: COMPARE_USAGE,
    run: runCompareCommand,
  },
  'report-diff': {
    meaning: 'compare the figures of two reports',
    usage: REPORT_DIFF_USAGE,
    run: runReportDiffCommand,
  },
  study: {
    meaning: 'run a study over models and captures',
    usage: STUDY_USAGE,
    run: runStudyCommand,
  },
  shader: {
    meaning: 'compile a shader and show its forms',
    usage: SHADER_USAGE,
    run: runShaderCommand,
  },
  capture: {
    meaning: 'describe a capture of an OpenGL program',
    usage: CAPTURE_USAGE,
    run: runCaptureCommand,
  },
  submit: {
    meaning: 'send a model or capture to a running service and fetch the image',
    usage: SUBMIT_USAGE,
    run: runSubmitCommand,
  },
  chiplets: {
    meaning: 'list the chiplets of a running service',
    usage: CHIPLETS_USAGE,
    run: runChipletsCommand,
  },
  specs: {
    meaning: 'list the hardware parameters of a chiplet',
    usage: SPECS_USAGE,
    run: runSpecsCommand,
  },
  validate: {
    meaning: 'compare the cycle model with arithmetic and published figures',
    usage: VALIDATE_USAGE,
    run: runValidateCommand,
  },
  verify: {
    meaning: "check the files of a coordinator's data folder",
    usage: VERIFY_USAGE,
    run: runVerifyCommand,
  },
  counters: {
    meaning: 'look up counters, or read those of a report',
    usage: COUNTERS_USAGE,
    run: runCountersCommand,
  },
};

/** Text that `tessera --help` prints. */
export const OVERVIEW = `tessera COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { meaning }]) => `  ${name.padEnd(11)} ${meaning}\n`)
  .join('')}
tessera COMMAND --help explains a command and gives examples. With --json a command writes its results to the
standard output as JSON. Warnings and progress go to the standard error.
`;
