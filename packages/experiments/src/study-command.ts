/** `tessera study NAME PATH...`: a study over models and captures. */
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { RenderError } from '@tessera/frame';
import { integerOption, parseOptions } from './command-options.ts';
import { withProgress } from './progress-bar.ts';
import { BIN_STUDY_USAGE, runBinStudyCommand } from './studies/bin-study-command.ts';
import {
  type BoundingBoxRow,
  formatCsv,
  formatTable,
  pixelWeightedGain,
  studyBoundingBox,
} from './studies/bounding-box.ts';
import {
  CHIPLET_STUDY_NAMES,
  CHIPLET_STUDY_USAGE,
  runChipletStudyCommand,
} from './studies/chiplets/chiplet-study-command.ts';
import { plotGains } from './studies/gain-plot.ts';
import { MEMORY_BANDWIDTH_USAGE, runMemoryBandwidthCommand } from './studies/memory-bandwidth.ts';
import { listScenes, sceneName } from './studies/scene-files.ts';
import {
  runVisibilityStreamCommand,
  VISIBILITY_STREAM_USAGE,
} from './studies/visibility-stream.ts';
import {
  runWarpSchedulingCommand,
  WARP_SCHEDULING_USAGE,
} from './studies/warp-scheduling/warp-scheduling-command.ts';

const BOUNDING_BOX_USAGE = `tessera study bounding-box PATH... [options]

  Counts the sub-tiles that each level of the rasterizer hands on, with and without the bounding-box test.
  A path is a model (.glb, .gltf), a capture (.trace), or a folder that is searched for them.

      --csv FILE     the counts
      --json         print the counts as JSON
      --svg FILE     a plot of the gains
      --frame N      which frame of captures (default 0)
      --centre       tiles are tested at sample points, not at their corners
      --from-top     primitives enter at level 1, not at the level of their box

  npx tessera study bounding-box captures/ --csv gains.csv --svg gains.svg
`;

export const STUDY_USAGE = `${BOUNDING_BOX_USAGE}\n${BIN_STUDY_USAGE}\n${VISIBILITY_STREAM_USAGE}\n${WARP_SCHEDULING_USAGE}\n${MEMORY_BANDWIDTH_USAGE}\n${CHIPLET_STUDY_USAGE}`;

/** Runs the command. @throws {RenderError} On bad options; files that cannot be read are reported and left out. */
export async function runStudyCommand(args: readonly string[]): Promise<void> {
  if (args[0] === 'bin-cost' || args[0] === 'bin-assignment') return runBinStudyCommand(args);
  if (CHIPLET_STUDY_NAMES.includes(args[0] ?? '')) return runChipletStudyCommand(args);
  if (args[0] === 'visibility-stream') return runVisibilityStreamCommand(args.slice(1));
  if (args[0] === 'warp-scheduling') return runWarpSchedulingCommand(args.slice(1));
  if (args[0] === 'memory-bandwidth') return runMemoryBandwidthCommand(args.slice(1));
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
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
    throw new RenderError(
      'REQUEST_INVALID',
      'give a study (bounding-box with at least one path, bin-cost, bin-assignment, visibility-stream, warp-scheduling, memory-bandwidth, ' +
        `${CHIPLET_STUDY_NAMES.join(', ')})`,
    );
  }
  const files = (await Promise.all(paths.map(listScenes))).flat();
  const rows: BoundingBoxRow[] = [];
  for (const file of withProgress(files, sceneName)) {
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
    values.json
      ? `${JSON.stringify(rows, null, 2)}\n`
      : `${formatTable(rows)}\n\npixel-weighted mean: ${(100 * pixelWeightedGain(rows)).toFixed(2)} %\n`,
  );
  if (values.csv !== undefined) await writeFile(values.csv, formatCsv(rows));
  if (values.svg !== undefined) await writeFile(values.svg, plotGains(rows));
}
