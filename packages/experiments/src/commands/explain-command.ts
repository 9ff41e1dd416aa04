/** `tessera explain FILE`: explains the time of a frame, and checks what it predicts. */
import { type CausesReport, RenderError, type Report } from '@tessera/frame';
import { LocalGpu, type TriedBound, tryBounds } from '@tessera/local-gpu';
import { readReport } from '../reports/read-report.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { FRAME_FILE_OPTIONS, onlyFile, readFrameFile } from './frame-file.ts';
import { GPU_OPTIONS, readGpuOptions } from './gpu-options.ts';

/**
 * Runs the command. @throws {RenderError} On bad options, a bad file, or a report without causes.
 */
export async function runExplainCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseExplainArgs(args);
  const path = onlyFile(positionals);
  if (path.endsWith('.json')) {
    show(requireCauses(path, await readReport(path)), [], values.json);
    return;
  }
  const { hardware, options } = readGpuOptions(values);
  const gpu = new LocalGpu(hardware);
  const { frame } = await readFrameFile(path, values, gpu.programs);
  const { report } = await gpu.render(frame, options);
  const causes = requireCauses(path, report);
  const tried = values['no-check'] ? [] : await tryBounds(frame, causes.bounds, hardware, options);
  show(causes, tried, values.json);
}

function requireCauses(path: string, { causes }: Report): CausesReport {
  // Reports of earlier versions have none.
  if ((causes ?? null) !== null) return causes!;
  const message = `${path}: has no causes; they need --timing cycle and a version that finds them`;
  throw new RenderError('REQUEST_INVALID', message);
}

function show(causes: CausesReport, tried: readonly TriedBound[], isJson: boolean): void {
  if (isJson) {
    const checks = tried.map(({ bound, settings, cycles }) => ({
      ...{ settings, predictedCycles: bound.predictedCycles, cycles },
    }));
    printJson({ causes, checks });
    return;
  }
  const checks = tried.map(({ bound, settings, cycles }) => {
    const names = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const error = (100 * (bound.predictedCycles / cycles - 1)).toFixed(1);
    return `Checked with ${names.join(',')}: ${cycles.toLocaleString('en')} cycles; the prediction is off by ${error} %.`;
  });
  printText([...causes.explanation, ...checks].map((line) => `${line}\n`).join(''));
}

function parseExplainArgs(args: readonly string[]) {
  return parseOptions(args, {
    'no-check': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    ...GPU_OPTIONS,
    ...FRAME_FILE_OPTIONS,
  });
}
