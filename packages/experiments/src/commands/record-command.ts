/**
 * `tessera record PROGRAM`: runs a WebGL program, a module or an HTML page, in this process.
 * Simulated chiplets here or in a service render its frames.
 */
import { writeFile } from 'node:fs/promises';
import { type BinReport, RenderError, type Report } from '@tessera/frame';
import type { SimulatedGpuChoice } from '@tessera/webgl';
import {
  type ProgramBackEnd,
  type ProgramFrame,
  RunningProgram,
  toProgramError,
} from '@tessera/webgl/program-runner';
import { askService, readServiceAccess } from '../inputs/service-options.ts';
import { specQuery } from '../inputs/spec-option.ts';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { GPU_OPTIONS, readGpuOptions } from './gpu-options.ts';
import { CHECK_OPTIONS, RecordChecks } from './record-checks.ts';

/**
 * Runs the command. A check that is missed sets the exit status to 1.
 *
 * @throws {RenderError} On bad options, a program that draws nothing, and errors of the service.
 * @throws {ProgramError} On errors of the program.
 */
export async function runRecordCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseRecordArgs(args);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new RenderError(
      'REQUEST_INVALID',
      'give exactly one program, a JavaScript module or an HTML page',
    );
  }
  const frameCount = integerOption('frames', values.frames, 1, 9999);
  const imagePaths = Array.from({ length: frameCount }, (_, index) =>
    numberedPath(values.output, index, frameCount),
  );
  const checks = await RecordChecks.read(values, imagePaths);
  // Timers and promises of the program can fail between its frames.
  const endWithError = (error: unknown): never => {
    printNote(`tessera record: ${toProgramError(path, error).message}\n`);
    process.exit(2);
  };
  process.once('uncaughtException', endWithError);
  const program = await RunningProgram.start({
    path,
    widthPx: integerOption('width', values.width, 1, 8192),
    heightPx: integerOption('height', values.height, 1, 8192),
    backEnd: await readBackEnd(values),
    isIdleFirst: values['wait-idle'],
  });
  const written: object[] = [];
  let isNoted = values['wait-idle'];
  try {
    for (let index = 0; index < frameCount; index++) {
      await program.drawFrame(index);
      const { image, png, report, sentBytes, pending } =
        values.service === undefined
          ? await program.takeFrame()
          : await askService(values.service, () => program.takeFrame());
      const imagePath = imagePaths[index]!;
      await writeFile(imagePath, png);
      if (pending.length > 0 && !isNoted) {
        isNoted = true;
        printNote(describePending(imagePath, pending));
      }
      let reportPath: string | null = null;
      if (values.report !== undefined) {
        reportPath = numberedPath(values.report, index, frameCount);
        await writeFile(reportPath, `${JSON.stringify(report, null, 2)}\n`);
      }
      if (!values.json) printText(describeFrame(imagePath, report, sentBytes));
      const results = await checks.check({ index, imagePath, image, report });
      for (const { isMet, text } of results) {
        if (!isMet) printNote(`FAIL  ${text}\n`);
        else if (!values.json) printText(`pass  ${text}\n`);
      }
      if (results.some(({ isMet }) => !isMet)) process.exitCode = 1;
      written.push({
        picture: imagePath,
        reportFile: reportPath,
        sentBytes,
        checks: results,
        report,
      });
    }
  } finally {
    program.close();
    process.off('uncaughtException', endWithError);
  }
  if (values.json) printJson(written);
}

/** Number of names of pending work that a note lists. */
const MAX_NAMES = 8;

/** Describes the work that the image can lack. */
function describePending(imagePath: string, pending: readonly string[]): string {
  const rest = pending.length - MAX_NAMES;
  const names = pending.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `note: ${imagePath} was recorded before loading ended (--wait-idle waits); pending: ${names}\n`;
}

type RecordValues = ReturnType<typeof parseRecordArgs>['values'];

/** Options of the GPU that are passed to a service unchanged. */
const SHARED_OPTIONS = [
  'chiplets',
  'policy',
  'bins',
  'grid',
  'split',
  'visibility',
  'timing',
  'coupling',
] as const;

/**
 * Selects this process or a service. The service checks the options of its chiplets and has
 * defaults for those not given.
 */
async function readBackEnd(values: RecordValues): Promise<ProgramBackEnd> {
  if (values.service === undefined) return { kind: 'in-process', gpu: readGpu(values) };
  const parameters: Record<string, string> = {};
  for (const name of SHARED_OPTIONS) {
    const text = values[name];
    if (text !== undefined) parameters[name] = text;
  }
  Object.assign(parameters, specQuery(values.spec, values.set));
  const access = await readServiceAccess('service', values.service, values['token-file']);
  // Texts in place of numbers: the service reads both.
  return {
    kind: 'service',
    service: { ...access, parameters: parameters as object },
  };
}

function readGpu(values: RecordValues): SimulatedGpuChoice {
  const complete: Record<string, unknown> = { ...GPU_DEFAULTS };
  for (const name of SHARED_OPTIONS) complete[name] = values[name] ?? GPU_DEFAULTS[name];
  complete.spec = values.spec ?? GPU_DEFAULTS.spec;
  complete.set = values.set;
  // Every option of the table has a value.
  const { hardware, options } = readGpuOptions(
    complete as unknown as Parameters<typeof readGpuOptions>[0],
  );
  const { policy, timing, coupling, visibilityShader, splits, grid } = options;
  return { ...hardware, policy, timing, coupling, visibilityShader, splits, grid };
}

const GPU_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(GPU_OPTIONS).map(([name, option]) => [
    name,
    'default' in option ? option.default : undefined,
  ]),
);

/** Numbers the files of several frames: `out.png` becomes `out-0000.png`. */
function numberedPath(path: string, index: number, count: number): string {
  if (count === 1) return path;
  const number = String(index).padStart(4, '0');
  return path.replace(/(\.[^./]*)?$/, (ending) => `-${number}${ending}`);
}

/** Describes the frame, the share of each chiplet, and the owners of the bins of its last pass. */
function describeFrame(
  imagePath: string,
  report: Report,
  sentBytes: ProgramFrame['sentBytes'],
): string {
  const { totals, chiplets, passes, policy } = report;
  const cycles = totals.cycles === null ? '' : `, ${totals.cycles} cycles`;
  const lines = [
    `${imagePath}: ${report.frame.widthPx}×${report.frame.heightPx}, ${passes.length} passes, ${policy}, ` +
      `${totals.primitives} primitives, ${totals.fragments} fragments${cycles}`,
  ];
  if (sentBytes !== null) {
    const { frame, resources } = sentBytes;
    lines.push(`  sent: ${frame} bytes of frame, ${resources} bytes of resources`);
  }
  for (const { id, binCount, busyCycles } of chiplets) {
    const fragments = report.bins
      .filter(({ chiplet }) => chiplet === id)
      .reduce((sum, bin) => sum + bin.fragments, 0);
    const busy = busyCycles === null ? '' : `, busy ${busyCycles} cycles`;
    lines.push(`  chiplet ${id}: ${binCount} bins, ${fragments} fragments${busy}`);
  }
  const last = report.bins.filter(({ passIndex }) => passIndex === passes.length - 1);
  return `${[...lines, ...drawOwners(last)].join('\n')}\n`;
}

/** Draws the chiplets that rendered the bins of a pass, in the layout of the bins. */
function drawOwners(bins: readonly BinReport[]): string[] {
  const rows = new Map<number, BinReport[]>();
  for (const bin of bins) rows.set(bin.y, [...(rows.get(bin.y) ?? []), bin]);
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([, row]) => {
      const ordered = row.toSorted((a, b) => a.x - b.x);
      return `    ${ordered.map(({ chiplet }) => String(chiplet).padStart(2)).join(' ')}`;
    });
}

function parseRecordArgs(args: readonly string[]) {
  return parseOptions(args, {
    output: { type: 'string', short: 'o', default: 'out.png' },
    report: { type: 'string' },
    frames: { type: 'string', default: '1' },
    width: { type: 'string', default: '640' },
    height: { type: 'string', default: '360' },
    'wait-idle': { type: 'boolean', default: false },
    service: { type: 'string' },
    'token-file': { type: 'string' },
    ...CHECK_OPTIONS,
    json: { type: 'boolean', default: false },
    chiplets: { type: 'string' },
    policy: { type: 'string' },
    bins: { type: 'string' },
    grid: { type: 'string' },
    split: { type: 'string' },
    visibility: { type: 'string' },
    timing: { type: 'string' },
    coupling: { type: 'string' },
    spec: { type: 'string' },
    set: { type: 'string', multiple: true },
  });
}
