/** `tessera profile FILE`: lists the source lines of a frame's shaders by cost. */
import {
  type DrawPlace,
  PROGRAM_STAGES,
  type ProgramSummary,
  RenderError,
  type ShaderProfile,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { optionalInteger, parseOptions, wordOption } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { FRAME_FILE_OPTIONS, onlyFile, readFrameFile } from './frame-file.ts';
import { GPU_OPTIONS, readGpuOptions } from './gpu-options.ts';
import { listCosts } from './profile-listing.ts';

/** Runs the command. @throws {RenderError} On bad options, a bad file, or no such program. */
export async function runProfileCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseProfileArgs(args);
  const path = onlyFile(positionals);
  const program = optionalInteger('program', values.program, 0, Number.MAX_SAFE_INTEGER);
  const draw = values.draw === undefined ? undefined : parseDraw(values.draw);
  const stage =
    values.stage === undefined ? undefined : wordOption('stage', values.stage, PROGRAM_STAGES);
  const lineCount = optionalInteger('lines', values.lines, 1, Number.MAX_SAFE_INTEGER) ?? Infinity;
  const { hardware, options } = readGpuOptions(values);
  const gpu = new LocalGpu(hardware);
  const { frame } = await readFrameFile(path, values, gpu.programs);
  const { waits } = values;
  // Frames whose chiplets share memory have no other timing.
  const probe = gpu.probe(frame, waits ? { ...options, timing: 'cycle' } : options);
  const programs = probe.shaders({ waits });
  const profiles = choosePrograms(programs, program, draw)
    .map((chosen) => probe.shaderProfile({ program: chosen, draw, waits }))
    .map((profile) => withStage(profile, stage));
  const stages = programs.flatMap((summary) => summary.stages);
  const issued = stages.reduce((sum, each) => sum + each.issued, 0);
  if (values.json) printJson({ issued, programs, profiles });
  else printText(listCosts(programs, profiles, { issued, lineCount, showsIsa: values.isa }));
}

/** Returns the programs whose profiles are requested. @throws {RenderError} NOT_FOUND. */
function choosePrograms(
  programs: readonly ProgramSummary[],
  program: number | undefined,
  draw: DrawPlace | undefined,
): number[] {
  if (program !== undefined) return [program];
  const chosen = programs.filter(
    ({ draws }) =>
      draw === undefined || draws.some((of) => of.pass === draw.pass && of.draw === draw.draw),
  );
  if (chosen.length > 0 || draw === undefined) return chosen.map((summary) => summary.program);
  throw new RenderError('NOT_FOUND', `draw: there is no draw ${draw.draw} of pass ${draw.pass}`);
}

function withStage(profile: ShaderProfile, stage: string | undefined): ShaderProfile {
  if (stage === undefined) return profile;
  return { ...profile, stages: profile.stages.filter((each) => each.stage === stage) };
}

/** Reads `PASS/DRAW`. @throws {RenderError} REQUEST_INVALID. */
function parseDraw(text: string): DrawPlace {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (match !== null) return { pass: Number(match[1]), draw: Number(match[2]) };
  const message = `draw: '${text}' is not PASS/DRAW, such as 0/3`;
  throw new RenderError('REQUEST_INVALID', message);
}

function parseProfileArgs(args: readonly string[]) {
  return parseOptions(args, {
    program: { type: 'string' },
    draw: { type: 'string' },
    stage: { type: 'string' },
    lines: { type: 'string', default: '20' },
    waits: { type: 'boolean', default: false },
    isa: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    ...GPU_OPTIONS,
    ...FRAME_FILE_OPTIONS,
  });
}
