/** `tessera study warp-scheduling [PATH...]`: slot policies in the paper's set-up and on frames. */
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
import { readRevision } from '@tessera/study/revision';
import { readFrame, STUDIED } from '../../inputs/read-frame.ts';
import { withContext, withoutContext } from '../../tables/context-columns.ts';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { writeStudyFiles } from '../../tables/study-files.ts';
import { parseOptions } from '../../terminal/command-options.ts';
import { withProgress } from '../../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../../terminal/terminal-output.ts';
import { nameScenes, type SceneFile } from '../scenes/scene-files.ts';
import { type FrameRow, studyFrame, studyRatioFrames } from './frame-study.ts';
import { plotStrategies } from './strategy-plot.ts';
import { SET_UPS, studyStrategies } from './strategy-study.ts';
import { documentTables, type Figures, figuresTable, readFigures } from './study-tables.ts';

/** Size of generated scenes and models. Captures have their own. */
const SIZE = { widthPx: 320, heightPx: 240 } as const;

type MakeFrame = (programs: ProgramCache) => Frame | Promise<Frame>;

/** Generated scenes by their names. */
export const GENERATED_SCENES: Readonly<Record<string, MakeFrame>> = {
  cube: () => cubeFrame(SIZE),
  'textured quad': () => texturedQuadFrame(SIZE),
  'random triangles': () => randomTrianglesFrame({ ...SIZE, seed: 7, count: 300 }),
  'terrain, 20000 triangles': () => terrainFrame({ ...SIZE, triangles: 20_000 }),
  'terrain, 200000 triangles': () => terrainFrame({ ...SIZE, triangles: 200_000 }),
  first: () => firstFrame(SIZE),
};

/**
 * Runs the study. Files that cannot be read are reported and skipped.
 *
 * @throws {RenderError} On bad options.
 */
export async function runWarpSchedulingCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    svg: { type: 'string' },
    doc: { type: 'string' },
    'no-context': { type: 'boolean', default: false },
    only: { type: 'boolean', default: false },
  });
  if (values.only && positionals.length === 0) {
    throw new RenderError('REQUEST_INVALID', 'only: give at least one path');
  }
  const generated = values.only ? [] : Object.entries(GENERATED_SCENES);
  const names = generated.map(([name]) => name);
  const scenes = await nameScenes(positionals, names);
  const strategies = SET_UPS.flatMap((setUp) => studyStrategies(setUp));
  const ratioFrames = await studyRatioFrames();
  const frames: FrameRow[] = [];
  for (const [i, makeFrame] of generated.map(([, make]) => make).entries()) {
    frames.push(...(await studyFrame(scenes.generated[i]!, makeFrame)));
  }
  for (const file of withProgress(scenes.files, ({ name }) => name)) {
    frames.push(...(await studyFile(file)));
  }
  const figures = withContext(figuresTable({ strategies, frames, ratioFrames }), readRevision());
  const csv = formatCsv(values['no-context'] ? withoutContext(figures) : figures);
  const { tables, plot } = showWarpScheduling(csv);
  if (values.json) printJson({ strategies, frames, ratioFrames });
  else printText([...tables].map(([name, table]) => `${name}\n\n${table}\n`).join(''));
  await writeStudyFiles(values, { csv, makePlot: () => plot, tables });
}

/** Returns the document's tables by their names, and the SVG plot, from a results file. */
export function showWarpScheduling(csv: string): {
  readonly tables: ReadonlyMap<string, string>;
  readonly plot: string;
} {
  const figures: Figures = readFigures(readRecords(parseCsv(csv)));
  return { tables: documentTables(figures), plot: plotStrategies(figures.strategies) };
}

async function studyFile({ name, path }: SceneFile): Promise<FrameRow[]> {
  const size = extname(path) === '.trace' ? {} : { ...SIZE, ...STUDIED };
  try {
    return await studyFrame(
      name,
      async (programs) => (await readFrame(path, size, programs)).frame,
    );
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    printNote(`${name}: skipped: ${error.message}\n`);
    return [];
  }
}
