/** `tessera study NAME PATH...`: runs a study over models and captures. */
import { extname } from 'node:path';
import { RenderError } from '@tessera/frame';
import { readRevision } from '@tessera/study/revision';
import { runBinStudyCommand } from '../studies/bins/bin-study-command.ts';
import { runVisibilityStreamCommand } from '../studies/bins/visibility-stream.ts';
import {
  type BoundingBoxRow,
  pixelWeightedGain,
  studyBoundingBox,
} from '../studies/bounding-box/bounding-box.ts';
import { countsTable, gainsTable, showGains } from '../studies/bounding-box/bounding-box-tables.ts';
import { plotGains } from '../studies/bounding-box/gain-plot.ts';
import { runBoundsCommand } from '../studies/bounds/bounds-command.ts';
import { runChipletStudyCommand } from '../studies/chiplets/chiplet-study-command.ts';
import { runDieCountCommand } from '../studies/die-count/die-count-command.ts';
import { runMemoryBandwidthCommand } from '../studies/memory-bandwidth/memory-bandwidth-command.ts';
import { listScenes } from '../studies/scenes/scene-files.ts';
import { runSweepCommand } from '../studies/sweep/sweep-command.ts';
import { runWarpSchedulingCommand } from '../studies/warp-scheduling/warp-scheduling-command.ts';
import { withContext, withoutContext } from '../tables/context-columns.ts';
import { formatCsv } from '../tables/csv.ts';
import { formatMarkdownTable } from '../tables/document-tables.ts';
import { writeStudyFiles } from '../tables/study-files.ts';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { withProgress } from '../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { CHIPLET_STUDY_NAMES } from './usage/study-usage.ts';

/**
 * Runs the command. Files that cannot be read are reported and skipped.
 *
 * @throws {RenderError} On bad options.
 */
export async function runStudyCommand(args: readonly string[]): Promise<void> {
  if (args[0] === 'sweep') return runSweepCommand(args.slice(1));
  // A service runs sweeps only.
  if (args.some((arg) => /^--service(=|$)/.test(arg))) return runSweepCommand(args);
  if (args[0] === 'bin-cost' || args[0] === 'bin-assignment') return runBinStudyCommand(args);
  if (CHIPLET_STUDY_NAMES.includes(args[0] ?? '')) return runChipletStudyCommand(args);
  if (args[0] === 'visibility-stream') return runVisibilityStreamCommand(args.slice(1));
  if (args[0] === 'warp-scheduling') return runWarpSchedulingCommand(args.slice(1));
  if (args[0] === 'memory-bandwidth') return runMemoryBandwidthCommand(args.slice(1));
  if (args[0] === 'bounds') return runBoundsCommand(args.slice(1));
  if (args[0] === 'die-count') return runDieCountCommand(args.slice(1));
  const { values, positionals } = parseOptions(args, {
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    svg: { type: 'string' },
    doc: { type: 'string' },
    'no-context': { type: 'boolean', default: false },
    frame: { type: 'string', default: '0' },
    centre: { type: 'boolean', default: false },
    'from-top': { type: 'boolean', default: false },
  });
  const [study, ...paths] = positionals;
  if (study !== 'bounding-box' || paths.length === 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      'give a study (sweep, bounding-box with at least one path, bin-cost, bin-assignment, visibility-stream, warp-scheduling, memory-bandwidth, die-count, bounds, ' +
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
  const figures = withContext(countsTable(rows), readRevision());
  const csv = formatCsv(values['no-context'] ? withoutContext(figures) : figures);
  const { tables } = showGains(csv);
  await writeStudyFiles(values, { csv, makePlot: () => plotGains(shown), tables });
}
