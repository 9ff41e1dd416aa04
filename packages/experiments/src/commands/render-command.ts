/**
 * `tessera render FILE -o out.png`: renders one frame in this process, through the flow of the
 * service.
 */
import { writeFile } from 'node:fs/promises';
import { DEFAULT_FRAME_LIMITS, RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { readFrame } from '../inputs/read-frame.ts';
import { numberOption, optionalInteger, parseOptions } from '../terminal/command-options.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { GPU_OPTIONS, readGpuOptions } from './gpu-options.ts';

/** Runs the command. @throws {RenderError} On bad options or a bad model. */
export async function runRenderCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseRenderArgs(args);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new RenderError('REQUEST_INVALID', 'give exactly one model or capture file');
  }
  const { hardware, options } = readGpuOptions(values);
  const gpu = new LocalGpu(hardware);
  if (values.timeline !== undefined && options.timing !== 'cycle') {
    throw new RenderError('REQUEST_INVALID', 'timeline: requires --timing cycle');
  }
  const { frame, warnings } = await readFrame(
    path,
    {
      widthPx: optionalInteger('width', values.width, 1, DEFAULT_FRAME_LIMITS.maxEdgePx),
      heightPx: optionalInteger('height', values.height, 1, DEFAULT_FRAME_LIMITS.maxEdgePx),
      cameraIndex: optionalInteger('camera', values.camera, 0, 65_535),
      timeSeconds: values.time === undefined ? undefined : numberOption('time', values.time),
      frameIndex: optionalInteger('frame', values.frame, 0, Number.MAX_SAFE_INTEGER),
    },
    gpu.programs,
  );
  for (const warning of warnings) printNote(`warning: ${warning}\n`);
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
    width: { type: 'string' },
    height: { type: 'string' },
    ...GPU_OPTIONS,
    camera: { type: 'string' },
    time: { type: 'string' },
    frame: { type: 'string' },
  });
}
