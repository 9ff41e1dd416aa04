/** `tessera shader file.frag`: shows the compiled forms of a shader. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { RenderError } from '@tessera/frame';
import {
  type CompiledStage,
  compileStage,
  disassemble,
  formatDiagnostics,
  type IsaStatistics,
  printIr,
  type ShaderStage,
  type StageCode,
  type StageName,
  summarizeProgram,
} from '@tessera/shader';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';

const STAGE_BY_ENDING: Readonly<Record<string, ShaderStage>> = {
  '.vert': 'vertex',
  '.vs': 'vertex',
  '.frag': 'fragment',
  '.fs': 'fragment',
};

const PREFIX_BY_KIND = { uniform: 'c', sampler: 't', input: 'i', output: 'o' } as const;

/** Output of the command. */
export interface ShaderListing {
  readonly hasErrors: boolean;
  /** Text for the standard output; empty if the shader has errors. */
  readonly text: string;
  /** Errors and warnings, one per line. */
  readonly log: string;
}

/** Stage, language and requested forms of a shader. */
export interface ShaderListingOptions {
  readonly stage: ShaderStage;
  readonly defaultVersion: 100 | 110;
  readonly isWebGl: boolean;
  readonly showsIr: boolean;
  readonly showsIsa: boolean;
  readonly showsStatistics: boolean;
}

/**
 * Runs the command. A shader with errors sets the exit status to 2.
 *
 * @throws {RenderError} On bad options or an unreadable file.
 */
export async function runShaderCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseShaderArgs(args);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new RenderError('REQUEST_INVALID', 'give exactly one shader file');
  }
  const options = {
    stage: stageOption(values.stage, path),
    defaultVersion: versionOption(values.version),
    isWebGl: values.webgl,
    showsIr: values.ir,
    showsIsa: values.isa,
    showsStatistics: values.stats || !(values.ir || values.isa),
  };
  const source = await readSource(path);
  if (values.json) {
    const { hasErrors, listing } = shaderAsJson(source, options);
    printJson(listing);
    if (hasErrors) process.exitCode = 2;
    return;
  }
  const { hasErrors, text, log } = listShader(source, options);
  printNote(log);
  printText(text);
  if (hasErrors) process.exitCode = 2;
}

/** Compiles `source` and returns what the command prints. */
export function listShader(source: string, options: ShaderListingOptions): ShaderListing {
  const compiled = compileStage(source, options);
  const log = formatDiagnostics(compiled.diagnostics);
  const { code, positionOnly } = compiled;
  if (code === null) return { hasErrors: true, text: '', log };
  const parts = [describeNames(compiled)];
  if (options.showsIr) parts.push(`IR\n${printIr(code.ir)}`);
  if (options.showsIsa) parts.push(`ISA\n${disassemble(code.isa)}`);
  if (options.showsStatistics) parts.push(describeStatistics(code, positionOnly));
  return { hasErrors: false, text: parts.filter((part) => part !== '').join('\n'), log };
}

/**
 * Returns the contents of {@link listShader} as JSON: always the statistics, and the requested
 * forms.
 */
function shaderAsJson(source: string, options: ShaderListingOptions) {
  const { code, positionOnly, names, diagnostics } = compileStage(source, options);
  const listing = {
    diagnostics,
    names: names.map(({ kind, name, first }) => ({ kind, name, first })),
    statistics: code === null ? null : summarizeProgram(code.isa),
    positionOnlyStatistics: positionOnly === null ? null : summarizeProgram(positionOnly.isa),
    ...(options.showsIr && code !== null ? { ir: printIr(code.ir) } : {}),
    ...(options.showsIsa && code !== null ? { isa: disassemble(code.isa) } : {}),
  };
  return { hasErrors: code === null, listing };
}

function describeNames({ names }: CompiledStage): string {
  return names
    .map(({ kind, name, first }: StageName) => `${kind} ${name}: ${PREFIX_BY_KIND[kind]}${first}\n`)
    .join('');
}

/**
 * Returns the figures of the shader. For a vertex shader, those of its position-only part are
 * beside them.
 */
function describeStatistics(code: StageCode, positionOnly: StageCode | null): string {
  const columns = [code, ...(positionOnly === null ? [] : [positionOnly])].map(({ isa }) =>
    summarizeProgram(isa),
  );
  const row = (name: string, countOf: (statistics: IsaStatistics) => number): string =>
    `${name.padEnd(26)}${columns.map((each) => String(countOf(each)).padStart(14)).join('')}\n`;
  const classes = Object.keys(columns[0]!.instructionsByClass) as LatencyClassName[];
  const head = positionOnly === null ? [code.ir.stage] : ['vertex', 'position only'];
  return [
    `${'Statistics'.padEnd(26)}${head.map((title) => title.padStart(14)).join('')}\n`,
    row('instructions', (each) => each.instructionCount),
    ...classes
      .filter((name) => columns[0]!.instructionsByClass[name] > 0)
      .map((name) => row(`  ${name}`, (each) => each.instructionsByClass[name])),
    row('code, bytes', (each) => each.codeBytes),
    row('registers', (each) => each.registerCount),
    row('texture reads', (each) => each.textureReads),
    row('words of constants', (each) => each.constantWords),
    row('words of private arrays', (each) => each.arrayWords),
    row('literals', (each) => each.literalCount),
    row('loops', (each) => each.loopCount),
    row('  nested', (each) => each.loopDepth),
  ].join('');
}

type LatencyClassName = keyof IsaStatistics['instructionsByClass'];

async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function stageOption(name: string | undefined, path: string): ShaderStage {
  if (name === 'vertex' || name === 'fragment') return name;
  if (name !== undefined) {
    throw new RenderError('REQUEST_INVALID', `stage: '${name}' is not vertex or fragment`);
  }
  const ending = extname(path);
  if (!Object.hasOwn(STAGE_BY_ENDING, ending)) {
    throw new RenderError('REQUEST_INVALID', `${path}: the extension names no stage; give --stage`);
  }
  return STAGE_BY_ENDING[ending]!;
}

function versionOption(text: string): 100 | 110 {
  if (text === '100') return 100;
  if (text === '110') return 110;
  throw new RenderError('REQUEST_INVALID', `version: '${text}' is not 100 or 110`);
}

function parseShaderArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        stage: { type: 'string' },
        version: { type: 'string', default: '100' },
        webgl: { type: 'boolean', default: false },
        ir: { type: 'boolean', default: false },
        isa: { type: 'boolean', default: false },
        stats: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', (error as Error).message, { cause: error });
  }
}
