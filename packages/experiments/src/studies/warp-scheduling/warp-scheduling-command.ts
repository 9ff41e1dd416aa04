/** `tessera study warp-scheduling [PATH...]`: slot policies in the paper's set-up and on frames. */
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Frame, RenderError } from '@tessera/frame';
import type { ProgramCache } from '@tessera/multi-chiplet';
import {
  cubeFrame,
  firstFrame,
  randomTrianglesFrame,
  terrainFrame,
  texturedQuadFrame,
} from '@tessera/scenes';
import { parseOptions } from '../../command-options.ts';
import { withProgress } from '../../progress-bar.ts';
import { readFrame } from '../../read-frame.ts';
import { listScenes, sceneName } from '../scene-files.ts';
import { type FrameRow, studyFrame } from './frame-study.ts';
import { plotStrategies } from './strategy-plot.ts';
import { SET_UPS, studyStrategies } from './strategy-study.ts';
import {
  formatCsv,
  formatEffort,
  formatFrames,
  formatMetric,
  METRIC_NAMES,
} from './study-tables.ts';

export const WARP_SCHEDULING_USAGE = `tessera study warp-scheduling [PATH...] [options]

  Compares the slot policies of the task scheduler: five ratios of vertex to fragment tasks, dependent and not,
  then frames: scenes made by code, and the models (.glb, .gltf), captures (.trace) and folders given.

      --csv FILE     all figures
      --json         print all figures as JSON
      --svg FILE     a plot of the groups finished

  npx tessera study warp-scheduling models/ --csv warps.csv --svg warps.svg
`;

/** Of scenes made by code and models; captures have their own. */
const SIZE = { widthPx: 320, heightPx: 240 } as const;

type MakeFrame = (programs: ProgramCache) => Frame | Promise<Frame>;

const MADE_SCENES: Readonly<Record<string, MakeFrame>> = {
  cube: () => cubeFrame(SIZE),
  'textured quad': () => texturedQuadFrame(SIZE),
  'random triangles': () => randomTrianglesFrame({ ...SIZE, seed: 7, count: 300 }),
  'terrain, 20000 triangles': () => terrainFrame({ ...SIZE, triangles: 20_000 }),
  'terrain, 200000 triangles': () => terrainFrame({ ...SIZE, triangles: 200_000 }),
  first: () => firstFrame(SIZE),
};

/** Runs the study. @throws {RenderError} On bad options; files that cannot be read are reported and left out. */
export async function runWarpSchedulingCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    svg: { type: 'string' },
  });
  if (values.help) {
    process.stdout.write(WARP_SCHEDULING_USAGE);
    return;
  }
  const files = (await Promise.all(positionals.map(listScenes))).flat();
  const strategies = SET_UPS.flatMap((setUp) => {
    const rows = studyStrategies(setUp);
    const tables = METRIC_NAMES.map((metric) => formatMetric(rows, metric));
    if (!values.json)
      process.stdout.write(`${setUp.name}\n\n${[...tables, formatEffort(rows)].join('\n\n')}\n\n`);
    return rows;
  });
  const frames: FrameRow[] = [];
  for (const [name, makeFrame] of Object.entries(MADE_SCENES)) {
    frames.push(...(await studyFrame(name, makeFrame)));
  }
  for (const file of withProgress(files, sceneName)) frames.push(...(await studyFile(file)));
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ strategies, frames }, null, 2)}\n`
      : `${formatFrames(frames)}\n`,
  );
  if (values.csv !== undefined) await writeFile(values.csv, formatCsv(strategies, frames));
  if (values.svg !== undefined) await writeFile(values.svg, plotStrategies(strategies));
}

async function studyFile(file: string): Promise<FrameRow[]> {
  const size = extname(file) === '.trace' ? {} : SIZE;
  try {
    return await studyFrame(
      sceneName(file),
      async (programs) => (await readFrame(file, size, programs)).frame,
    );
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    process.stderr.write(`${sceneName(file)}: left out: ${error.message}\n`);
    return [];
  }
}
