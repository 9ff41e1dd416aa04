/** `tessera study bounding-box PATH...`: a study over models and captures. */
import { readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { RenderError } from '@tessera/frame';
import { integerOption, parseOptions } from './command-options.ts';
import {
  type BoundingBoxRow,
  formatCsv,
  formatTable,
  pixelWeightedGain,
  studyBoundingBox,
} from './studies/bounding-box.ts';
import { plotGains } from './studies/gain-plot.ts';

export const STUDY_USAGE = `tessera study bounding-box PATH... [options]

  Counts the sub-tiles that each level of the rasterizer hands on, with and without the bounding-box test.
  A path is a model (.glb, .gltf), a capture (.trace), or a folder that is searched for them.

      --csv FILE     the counts
      --svg FILE     a plot of the gains
      --frame N      which frame of captures (default 0)
      --centre       tiles are tested at sample points, not at their corners
      --from-top     primitives enter at level 1, not at the level of their box

  node packages/experiments/src/cli.ts study bounding-box captures/ --csv gains.csv --svg gains.svg
`;

const ENDINGS = ['.glb', '.gltf', '.trace'];

/** Runs the command. @throws {RenderError} On bad options; files that cannot be read are reported and left out. */
export async function runStudyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    csv: { type: 'string' },
    svg: { type: 'string' },
    frame: { type: 'string', default: '0' },
    centre: { type: 'boolean', default: false },
    'from-top': { type: 'boolean', default: false },
  });
  if (values.help) {
    process.stdout.write(STUDY_USAGE);
    return;
  }
  const [study, ...paths] = positionals;
  if (study !== 'bounding-box' || paths.length === 0) {
    throw new RenderError('REQUEST_INVALID', 'give a study (bounding-box) and at least one path');
  }
  const files = (await Promise.all(paths.map(listScenes))).flat();
  const rows: BoundingBoxRow[] = [];
  for (const file of files) {
    const isCapture = extname(file) === '.trace';
    try {
      const row = await studyBoundingBox(sceneName(file), file, {
        entersAtBoxLevel: !values['from-top'],
        tilePoint: values.centre ? 'centre' : 'corner',
        frameIndex: isCapture
          ? integerOption('frame', values.frame, 0, Number.MAX_SAFE_INTEGER)
          : undefined,
      });
      rows.push(row);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      process.stderr.write(`${sceneName(file)}: left out: ${error.message}\n`);
    }
  }
  if (rows.length === 0) throw new RenderError('REQUEST_INVALID', 'no scene could be read');
  process.stdout.write(
    `${formatTable(rows)}\n\npixel-weighted mean: ${(100 * pixelWeightedGain(rows)).toFixed(2)} %\n`,
  );
  if (values.csv !== undefined) await writeFile(values.csv, formatCsv(rows));
  if (values.svg !== undefined) await writeFile(values.svg, plotGains(rows));
}

/** Models and captures at a path, in the order of their names. */
async function listScenes(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `${path}: cannot be read`, { cause: error });
  }
  if (!isFolder) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => ENDINGS.includes(extname(name)))
    .sort()
    .map((name) => join(path, name));
}

/** A capture is named by its folder, and the one around it where that says a size; a model by itself. */
function sceneName(file: string): string {
  const name = basename(file, extname(file));
  if (extname(file) !== '.trace') return name;
  const folder = basename(dirname(file));
  return /^\d+x\d+$/.test(folder) ? `${basename(dirname(dirname(file)))} ${folder}` : folder;
}
