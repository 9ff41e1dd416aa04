/**
 * `tessera render FILE -o out.png`: renders one frame in this process, through the flow of the
 * service.
 */
import { writeFile } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { parseOptions } from '../terminal/command-options.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { FRAME_FILE_OPTIONS, onlyFile, readFrameFile } from './frame-file.ts';
import { GPU_OPTIONS, readGpuOptions } from './gpu-options.ts';

/** Runs the command. @throws {RenderError} On bad options or a bad model. */
export async function runRenderCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseRenderArgs(args);
  const path = onlyFile(positionals);
  const { hardware, options } = readGpuOptions(values);
  const gpu = new LocalGpu(hardware);
  if (values.timeline !== undefined && options.timing !== 'cycle') {
    throw new RenderError('REQUEST_INVALID', 'timeline: requires --timing cycle');
  }
  const { frame, warnings } = await readFrameFile(path, values, gpu.programs);
  const bar = new ProgressBar();
  const { image, report, timeline } = await gpu
    .render(frame, {
      ...options,
      onProgress: ({ phase, binsDone, binCount }) => bar.update(binsDone, binCount, phase),
    })
    .finally(() => bar.end());
  await writeFile(values.output, await encodePng(image));
  if (values.report !== undefined) {
    await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (values.timeline !== undefined) {
    await writeFile(values.timeline, `${JSON.stringify(timeline)}\n`);
  }
  if (values.json) {
    const files = { picture: values.output, report: values.report, timeline: values.timeline };
    printJson({ files, warnings, report });
    return;
  }
  const { totals, wall } = report;
  printText(
    `${values.output}: ${image.widthPx}×${image.heightPx}, ${report.chiplets.length} chiplets, ` +
      `${report.policy}, ${totals.primitives} primitives, ${totals.fragments} fragments, ` +
      `${totals.cycles === null ? '' : `${totals.cycles} cycles, `}${Math.round(wall.totalMs)} ms wall\n`,
  );
}

function parseRenderArgs(args: readonly string[]) {
  return parseOptions(args, {
    output: { type: 'string', short: 'o', default: 'out.png' },
    report: { type: 'string' },
    timeline: { type: 'string' },
    json: { type: 'boolean', default: false },
    ...GPU_OPTIONS,
    ...FRAME_FILE_OPTIONS,
  });
}
