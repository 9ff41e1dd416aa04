/**
 * Table of the commands. docs/cli.md shows the usage of each; a test compares them. A command is
 * loaded when it runs, so that a help text loads neither the simulator nor the client.
 */
import { COST_USAGE } from './usage/cost-usage.ts';
import {
  CAPTURE_USAGE,
  COUNTERS_USAGE,
  SCENES_USAGE,
  SHADER_USAGE,
  SPECS_USAGE,
  VALIDATE_USAGE,
} from './usage/inspection-usage.ts';
import {
  COMPARE_USAGE,
  EXPLAIN_USAGE,
  PROFILE_USAGE,
  RENDER_USAGE,
  SEQUENCE_USAGE,
} from './usage/render-usage.ts';
import { ENERGY_USAGE, RECORD_USAGE, REPORT_DIFF_USAGE } from './usage/report-usage.ts';
import { CHIPLETS_USAGE, SUBMIT_USAGE, UPLOAD_USAGE, VERIFY_USAGE } from './usage/service-usage.ts';
import { STUDY_USAGE, studyUsage } from './usage/study-usage.ts';

/** A command of the table. */
export interface Command {
  readonly meaning: string;
  readonly usage: string;
  /** Help text for some arguments, if it differs from `usage`. */
  readonly usageOf?: (args: readonly string[]) => string;
  readonly run: (args: readonly string[]) => Promise<void>;
  /**
   * Whether the process ends with the command although something could still happen in it. Programs
   * of users leave ports, sockets and servers open.
   */
  readonly isLast?: boolean;
}

/** Commands by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  render: {
    meaning: 'render a model, a frame of a capture or a generated scene in this process',
    usage: RENDER_USAGE,
    run: async (args) => (await import('./render-command.ts')).runRenderCommand(args),
  },
  sequence: {
    meaning: 'render frames in order, overlapped in simulated time',
    usage: SEQUENCE_USAGE,
    run: async (args) => (await import('./sequence-command.ts')).runSequenceCommand(args),
  },
  record: {
    meaning: 'run a WebGL program on simulated chiplets',
    usage: RECORD_USAGE,
    run: async (args) => (await import('./record-command.ts')).runRecordCommand(args),
    isLast: true,
  },
  compare: {
    meaning: 'compare an image with a reference',
    usage: COMPARE_USAGE,
    run: async (args) => (await import('./compare-command.ts')).runCompareCommand(args),
  },
  'report-diff': {
    meaning: 'compare the figures of two reports',
    usage: REPORT_DIFF_USAGE,
    run: async (args) => (await import('./report-diff-command.ts')).runReportDiffCommand(args),
  },
  explain: {
    meaning: 'explain what a frame waits for, what bounds it, and what faster hardware would give',
    usage: EXPLAIN_USAGE,
    run: async (args) => (await import('./explain-command.ts')).runExplainCommand(args),
  },
  energy: {
    meaning: 'list the energy of a frame by unit, chiplet and link',
    usage: ENERGY_USAGE,
    run: async (args) => (await import('./energy-command.ts')).runEnergyCommand(args),
  },
  study: {
    meaning: 'run a study over models, captures and generated scenes',
    usage: STUDY_USAGE,
    usageOf: studyUsage,
    run: async (args) => (await import('./study-command.ts')).runStudyCommand(args),
  },
  shader: {
    meaning: 'compile a shader and show its forms',
    usage: SHADER_USAGE,
    run: async (args) => (await import('./shader-command.ts')).runShaderCommand(args),
  },
  profile: {
    meaning: 'list the source lines of the shaders of a frame by cost',
    usage: PROFILE_USAGE,
    run: async (args) => (await import('./profile-command.ts')).runProfileCommand(args),
  },
  capture: {
    meaning: 'describe a capture of an OpenGL program',
    usage: CAPTURE_USAGE,
    run: async (args) => (await import('./capture-command.ts')).runCaptureCommand(args),
  },
  submit: {
    meaning: 'send a model, capture or generated scene to a running service and fetch the image',
    usage: SUBMIT_USAGE,
    run: async (args) => (await import('./submit-command.ts')).runSubmitCommand(args),
  },
  upload: {
    meaning: 'send a file to a gateway, and continue an upload that was cut',
    usage: UPLOAD_USAGE,
    run: async (args) => (await import('./upload-command.ts')).runUploadCommand(args),
  },
  chiplets: {
    meaning: 'list the chiplets of a running service',
    usage: CHIPLETS_USAGE,
    run: async (args) => (await import('./chiplets-command.ts')).runChipletsCommand(args),
  },
  scenes: {
    meaning: 'list the scenes of the benchmark set',
    usage: SCENES_USAGE,
    run: async (args) => (await import('./scenes-command.ts')).runScenesCommand(args),
  },
  specs: {
    meaning: 'list the hardware parameters of a chiplet',
    usage: SPECS_USAGE,
    run: async (args) => (await import('./specs-command.ts')).runSpecsCommand(args),
  },
  cost: {
    meaning: 'estimate the area of a chiplet, and the cost of several dies against one',
    usage: COST_USAGE,
    run: async (args) => (await import('./cost-command.ts')).runCostCommand(args),
  },
  validate: {
    meaning: 'compare the cycle model with arithmetic and published figures',
    usage: VALIDATE_USAGE,
    run: async (args) => (await import('./validate-command.ts')).runValidateCommand(args),
  },
  verify: {
    meaning: "check the files of a coordinator's data folder",
    usage: VERIFY_USAGE,
    run: async (args) => (await import('./verify-command.ts')).runVerifyCommand(args),
  },
  counters: {
    meaning: 'look up counters, or read those of a report',
    usage: COUNTERS_USAGE,
    run: async (args) => (await import('./counters-command.ts')).runCountersCommand(args),
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

/** Returns the help text that a command line requests, or `null` if it requests none. */
export function requestedUsage(name: string | undefined, args: readonly string[]): string | null {
  if (name === '--help' || name === '-h' || (name === 'help' && args.length === 0)) return OVERVIEW;
  if (name === undefined || !Object.hasOwn(COMMANDS, name)) return null;
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  if (!options.includes('--help') && !options.includes('-h')) return null;
  const { usage, usageOf } = COMMANDS[name]!;
  return usageOf?.(args) ?? usage;
}
