/** `tessera study NAME PATH...`: runs a study over models and captures. */
import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { RenderError } from '@tessera/frame';
import { BIN_STUDY_USAGE, runBinStudyCommand } from '../studies/bins/bin-study-command.ts';
import {
  runVisibilityStreamCommand,
  VISIBILITY_STREAM_USAGE,
} from '../studies/bins/visibility-stream.ts';
import {
  type BoundingBoxRow,
  pixelWeightedGain,
  studyBoundingBox,
} from '../studies/bounding-box/bounding-box.ts';
import { countsTable, gainsTable, showGains } from '../studies/bounding-box/bounding-box-tables.ts';
import { plotGains } from '../studies/bounding-box/gain-plot.ts';
import {
  CHIPLET_STUDY_NAMES,
  CHIPLET_STUDY_USAGE,
  runChipletStudyCommand,
} from '../studies/chiplets/chiplet-study-command.ts';
import {
  MEMORY_BANDWIDTH_USAGE,
  runMemoryBandwidthCommand,
} from '../studies/memory-bandwidth/memory-bandwidth-command.ts';
import { listScenes } from '../studies/scenes/scene-files.ts';
import {
  runWarpSchedulingCommand,
  WARP_SCHEDULING_USAGE,
} from '../studies/warp-scheduling/warp-scheduling-command.ts';
import { formatCsv } from '../tables/csv.ts';
import { formatMarkdownTable, replaceTable } from '../tables/document-tables.ts';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { withProgress } from '../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';

const BOUNDING_BOX_USAGE = `tessera study bounding-box PATH... [options]

  Counts the sub-tiles that pass each level of the rasterizer, with and without the bounding-box test.
  A path is a model (.glb, .gltf), a capture (.trace), or a folder with such files.

      --csv FILE     the counts, for tiles tested at their corners and at sample points
      --json         print the counts as JSON
      --svg FILE     plot of the gains
      --doc FILE     document whose tables are rewritten
      --frame N      index of a capture's frame (default 0)
      --centre       show the gains of tests at sample points instead of corners
      --from-top     start primitives at level 1 instead of the level of their box

  npx tessera study bounding-box captures/ --csv gains.csv --svg gains.svg
`;

/** Help text of all studies. */
export const STUDY_USAGE = `${BOUNDING_BOX_USAGE}\n${BIN_STUDY_USAGE}\n${VISIBILITY_STREAM_USAGE}\n${WARP_SCHEDULING_USAGE}\n${MEMORY_BANDWIDTH_USAGE}\n${CHIPLET_STUDY_USAGE}`;

/**
 * Runs the command. Files that cannot be read are reported and skipped.
 *
 * @throws {RenderError} On bad options.
 */
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
    doc: { type: 'string' },
    frame: { type: 'string', default: '0' },
    centre: { type: 'boolean', default: false },
    'from-top': { type: 'boolean', default: false },
  });
  if (values.help) {
    printText(STUDY_USAGE);
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
  const rows: BoundingBoxRow[] = [];
  for (const { name, path } of withProgress(await listScenes(paths), (file) => file.name)) {
    const isCapture = extname(path) === '.trace';
    try {
      const found = await studyBoundingBox(name, path, {
        entersAtBoxLevel: !values['from-top'],
        frameIndex: isCapture
          ? integerOption('frame', values.frame, 0, Number.MAX_SAFE_INTEGER)
          : undefined,
      });
      rows.push(...found);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      printNote(`${name}: skipped: ${error.message}\n`);
    }
  }
  if (rows.length === 0) throw new RenderError('REQUEST_INVALID', 'no scene could be read');
  const shown = rows.filter(({ tilePoint }) => tilePoint === (values.centre ? 'centre' : 'corner'));
  const mean = (100 * pixelWeightedGain(shown)).toFixed(2);
  if (values.json) printJson(rows);
  else printText(`${formatMarkdownTable(gainsTable(shown))}\npixel-weighted mean: ${mean} %\n`);
  const csv = formatCsv(countsTable(rows));
  if (values.csv !== undefined) await writeFile(values.csv, csv);
  if (values.svg !== undefined) await writeFile(values.svg, plotGains(shown));
  if (values.doc !== undefined) {
    const document = await readFile(values.doc, 'utf8');
    const { tables } = showGains(csv);
    const rewritten = [...tables].reduce((text, table) => replaceTable(text, ...table), document);
    await writeFile(values.doc, rewritten);
  }
}
