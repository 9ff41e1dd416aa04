/** `tessera render model.glb -o out.png`: one frame, in this process, through the service's flow. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { importGltf } from '@tessera/scenes';
import { LocalGpu } from './local-gpu.ts';
import { readModel } from './read-model.ts';

export const RENDER_USAGE = `tessera render MODEL [options]

  Renders a glTF model (.glb or .gltf) on a simulated multi-chiplet GPU in this process.

  -o, --output FILE      picture, PNG (default: out.png)
      --report FILE      report, JSON
      --width PX         default 1280
      --height PX        default 720
      --chiplets N       chiplets, the visibility chiplet among them (default 4)
      --policy NAME      static, dynamic or a policy of the table (default dynamic)
      --bins N           coarse bins (default 32)
      --visibility NAME  minimal or full vertex shader in the visibility phase (default minimal)
      --camera N         which of the model's cameras; without one, or with none, a framing camera
      --time SECONDS     point in time of the animation (default 0)

  npm run render -- model.glb -o picture.png --chiplets 8 --policy static
`;

/** Runs the command. @throws {RenderError} On bad options or a bad model. */
export async function runRenderCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseRenderArgs(args);
  if (values.help) {
    process.stdout.write(RENDER_USAGE);
    return;
  }
  const [model] = positionals;
  if (model === undefined || positionals.length > 1) {
    throw new RenderError('REQUEST_INVALID', 'give exactly one model file');
  }
  const { frame, warnings } = await importGltf(await readModel(model), {
    widthPx: integerOption('width', values.width, 1, 8192),
    heightPx: integerOption('height', values.height, 1, 8192),
    ...(values.camera === undefined
      ? {}
      : { cameraIndex: integerOption('camera', values.camera, 0, 65_535) }),
    timeSeconds: numberOption('time', values.time),
  });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  if (values.visibility !== 'minimal' && values.visibility !== 'full') {
    throw new RenderError(
      'REQUEST_INVALID',
      `visibility: '${values.visibility}' is not minimal or full`,
    );
  }
  const gpu = new LocalGpu(integerOption('chiplets', values.chiplets, 1, 64));
  const { image, report } = await gpu.render(frame, {
    policy: values.policy,
    binCount: integerOption('bins', values.bins, 1, 1024),
    visibilityShader: values.visibility,
  });
  await writeFile(values.output, await encodePng(image));
  if (values.report !== undefined) {
    await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
  }
  const { totals, wall } = report;
  process.stdout.write(
    `${values.output}: ${image.widthPx}×${image.heightPx}, ${report.chiplets.length} chiplets, ` +
      `${report.policy}, ${totals.primitives} primitives, ${totals.fragments} fragments, ` +
      `${Math.round(wall.totalMs)} ms wall\n`,
  );
}

function parseRenderArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        output: { type: 'string', short: 'o', default: 'out.png' },
        report: { type: 'string' },
        width: { type: 'string', default: '1280' },
        height: { type: 'string', default: '720' },
        chiplets: { type: 'string', default: '4' },
        policy: { type: 'string', default: 'dynamic' },
        bins: { type: 'string', default: '32' },
        visibility: { type: 'string', default: 'minimal' },
        camera: { type: 'string' },
        time: { type: 'string', default: '0' },
      },
    });
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', (error as Error).message, { cause: error });
  }
}

function integerOption(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${name}: '${text}' is not an integer from ${min} to ${max}`,
    );
  }
  return value;
}

function numberOption(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new RenderError('REQUEST_INVALID', `${name}: '${text}' is not a number`);
  }
  return value;
}
