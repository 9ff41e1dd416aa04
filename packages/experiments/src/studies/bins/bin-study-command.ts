/** `tessera study bin-cost PATH...` and `tessera study bin-assignment PATH...`. */
import { MAX_CHIPLETS, MAX_COARSE_BINS, RenderError } from '@tessera/frame';
import { defineInterconnect } from '@tessera/multi-chiplet';
import { readRevision } from '@tessera/study/revision';
import { withContext, withoutContext } from '../../tables/context-columns.ts';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { writeStudyFiles } from '../../tables/study-files.ts';
import { integerOption, optionalInteger, parseOptions } from '../../terminal/command-options.ts';
import { withProgress } from '../../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../../terminal/terminal-output.ts';
import { COMMON_CONTEXT, countScenes } from '../chiplets/chiplet-study.ts';
import { MeasurementStore } from '../scenes/measurement-store.ts';
import { listFileScenes } from '../scenes/study-scenes.ts';
import { compareAssignments, describeFit, summarizeAssignments } from './bin-costs.ts';
import {
  countJudged,
  familyOf,
  judgeCoefficients,
  type MeasuredScene,
  summarizeErrors,
} from './hold-out.ts';

/** Size of the image of models. */
const SIZE = { widthPx: 1280, heightPx: 720 } as const;

/**
 * Runs either study. Scenes that cannot be rendered are reported and skipped.
 *
 * @throws {RenderError} On bad options.
 */
export async function runBinStudyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    bins: { type: 'string', default: '64' },
    chiplets: { type: 'string', default: '8' },
    csv: { type: 'string' },
    doc: { type: 'string' },
    measurements: { type: 'string' },
    json: { type: 'boolean', default: false },
    'no-context': { type: 'boolean', default: false },
    'link-topology': { type: 'string' },
    'link-bytes-per-cycle': { type: 'string' },
    'link-latency-cycles': { type: 'string' },
  });
  const [study, ...paths] = positionals;
  if (paths.length === 0) throw new RenderError('REQUEST_INVALID', 'give at least one path');
  const binCount = integerOption('bins', values.bins, 1, MAX_COARSE_BINS);
  const chiplets = integerOption('chiplets', values.chiplets, 1, MAX_CHIPLETS);
  const most = Number.MAX_SAFE_INTEGER;
  const interconnect = defineInterconnect({
    topology: values['link-topology'],
    bytesPerCycle: optionalInteger('link-bytes-per-cycle', values['link-bytes-per-cycle'], 1, most),
    latencyCycles: optionalInteger('link-latency-cycles', values['link-latency-cycles'], 0, most),
  });
  const store = await MeasurementStore.open(values.measurements);
  const scenes: MeasuredScene[] = [];
  for (const scene of withProgress(await listFileScenes(paths, SIZE), ({ name }) => name)) {
    try {
      const [measurement] = await store.measure(scene, [{ bins: binCount, visibility: 'minimal' }]);
      scenes.push({ scene: scene.name, measurement: measurement! });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      printNote(`${scene.name}: skipped: ${error.message}\n`);
    }
  }
  if (scenes.length === 0) throw new RenderError('REQUEST_INVALID', 'no scene could be rendered');
  const isCost = study === 'bin-cost';
  if (isCost && values.json) {
    printJson(scenes);
    return;
  }
  if (isCost && new Set(scenes.map(({ scene }) => familyOf(scene))).size < 2) {
    throw new RenderError('REQUEST_INVALID', 'bin-cost: give scenes of at least two families');
  }
  const figures = withContext(
    isCost ? judgeCoefficients(scenes) : compareAssignments(scenes, chiplets, interconnect),
    {
      spec: COMMON_CONTEXT.spec,
      specDigest: COMMON_CONTEXT.specDigest,
      bins: binCount,
      visibility: 'minimal',
      coupling: 'none',
      ...(!isCost && {
        linkTopology: interconnect.topology,
        linkBytesPerCycle: interconnect.bytesPerCycle,
        linkLatencyCycles: interconnect.latencyCycles,
      }),
      ...readRevision(),
    },
  );
  const csv = formatCsv(values['no-context'] ? withoutContext(figures) : figures);
  const table = isCost ? showErrors(csv) : showAssignments(csv);
  if (values.json) printJson(readNumbers(formatCsv(withoutContext(figures))));
  else printText(isCost ? `${describeFit(scenes)}\n${table}` : table);
  await writeStudyFiles(values, { csv, tables: [['', table]] });
}

/** Returns the rows of a results file with numbers for figures. */
function readNumbers(csv: string): Readonly<Record<string, string | number>>[] {
  return readRecords(parseCsv(csv)).map(({ scene, policy, ...figures }) => ({
    scene: scene!,
    policy: policy!,
    ...Object.fromEntries(Object.entries(figures).map(([name, text]) => [name, Number(text)])),
  }));
}

/** Returns the Markdown table of a results file of bin-assignment. */
export function showAssignments(csv: string): string {
  const rows = readRecords(parseCsv(csv));
  return `${formatMarkdownTable(summarizeAssignments(rows))}\n${countScenes(rows)} scenes.\n`;
}

/** Returns the Markdown table of a results file of bin-cost. */
export function showErrors(csv: string): string {
  const rows = readRecords(parseCsv(csv));
  return `${formatMarkdownTable(summarizeErrors(rows))}\n${countJudged(rows)}`;
}
