/**
 * `tessera study chiplet-scaling` and its siblings: render once, then simulate the chiplets.
 */
import { DEFAULT_FRAME_LIMITS, MAX_COARSE_BINS, RenderError } from '@tessera/frame';
import type { ProgramCache } from '@tessera/multi-chiplet';
import { plotLines } from '@tessera/plot';
import type { ImageSize } from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import type { CHIPLET_STUDY_MEANINGS } from '../../commands/usage/study-usage.ts';
import { type Context, withContext, withoutContext } from '../../tables/context-columns.ts';
import { formatCsv, type KeyedTable, parseCsv, readRecords } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { writeStudyFiles } from '../../tables/study-files.ts';
import { integerOption, parseOptions } from '../../terminal/command-options.ts';
import { withProgress } from '../../terminal/progress-bar.ts';
import { printNote, printText } from '../../terminal/terminal-output.ts';
import { MeasurementStore, type MeasureSetting } from '../scenes/measurement-store.ts';
import { listFileScenes, listStudyScenes } from '../scenes/study-scenes.ts';
import { ASYNCHRONOUS_WORK } from './asynchronous-work.ts';
import { BENCHMARK_SET_STUDY } from './benchmark-set.ts';
import { BIN_COUNT } from './bin-count.ts';
import { CHIPLET_SCALING } from './chiplet-scaling.ts';
import { type ChipletStudy, countScenes } from './chiplet-study.ts';
import { COUPLING_ERROR } from './coupling-error.ts';
import { EARLY_BIN, EARLY_BIN_EXACT } from './early-bin.ts';
import { FRAMEBUFFER } from './framebuffer.ts';
import { GEOMETRY_SCALING } from './geometry-scaling.ts';
import { LINK_BANDWIDTH } from './link-bandwidth.ts';
import { LOCALITY } from './locality.ts';
import { MONOLITH } from './monolith.ts';
import { ORGANIZATION_SCALING } from './organization-scaling.ts';
import { ORGANIZATIONS_STUDY } from './organizations.ts';
import { OVERLAP } from './overlap.ts';
import { PERFORMANCE_PER_WATT } from './performance-per-watt.ts';
import { PLACEMENT } from './placement.ts';
import { STATIC_VS_DYNAMIC } from './static-vs-dynamic.ts';
import { VISIBILITY_COST } from './visibility-cost.ts';

/** Studies by their names on the command line. */
export const CHIPLET_STUDIES: Readonly<Record<string, ChipletStudy>> = {
  'chiplet-scaling': CHIPLET_SCALING,
  'geometry-scaling': GEOMETRY_SCALING,
  'benchmark-set': BENCHMARK_SET_STUDY,
  organizations: ORGANIZATIONS_STUDY,
  'organization-scaling': ORGANIZATION_SCALING,
  'static-vs-dynamic': STATIC_VS_DYNAMIC,
  'visibility-cost': VISIBILITY_COST,
  'early-bin': EARLY_BIN,
  'early-bin-exact': EARLY_BIN_EXACT,
  'bin-count': BIN_COUNT,
  overlap: OVERLAP,
  'asynchronous-work': ASYNCHRONOUS_WORK,
  framebuffer: FRAMEBUFFER,
  'coupling-error': COUPLING_ERROR,
  'link-bandwidth': LINK_BANDWIDTH,
  placement: PLACEMENT,
  monolith: MONOLITH,
  'performance-per-watt': PERFORMANCE_PER_WATT,
  locality: LOCALITY,
} satisfies Record<keyof typeof CHIPLET_STUDY_MEANINGS, ChipletStudy>;

/**
 * Runs a study. Scenes that cannot be rendered are reported and skipped.
 *
 * @throws {RenderError} On bad options.
 */
export async function runChipletStudyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    bins: { type: 'string', default: '64' },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '720' },
    csv: { type: 'string' },
    svg: { type: 'string' },
    doc: { type: 'string' },
    measurements: { type: 'string' },
    only: { type: 'boolean', default: false },
    'no-context': { type: 'boolean', default: false },
  });
  const [name, ...paths] = positionals;
  const study = CHIPLET_STUDIES[name!]!;
  const settings = study.settings(integerOption('bins', values.bins, 1, MAX_COARSE_BINS));
  const store = await MeasurementStore.open(values.measurements);
  const shared = { ...constantsOf(settings), frameIndex: 0, ...readRevision() };
  const tables: KeyedTable[] = [];
  const size = {
    widthPx: integerOption('width', values.width, 1, DEFAULT_FRAME_LIMITS.maxEdgePx),
    heightPx: integerOption('height', values.height, 1, DEFAULT_FRAME_LIMITS.maxEdgePx),
  };
  if (values.only && paths.length === 0) {
    throw new RenderError('REQUEST_INVALID', 'only: give at least one path');
  }
  const listed = values.only
    ? await listFileScenes(paths, size)
    : await listStudyScenes(paths, size, study.scenes);
  for (const scene of withProgress(listed, (each) => each.name)) {
    try {
      let frame: ImageSize = size;
      const read = async (programs: ProgramCache) => {
        const made = await scene.read(programs);
        frame = { widthPx: made.widthPx, heightPx: made.heightPx };
        return made;
      };
      const bySetting = await store.measure({ read }, settings);
      const figures = study.figures([{ scene: scene.name, bySetting }]);
      tables.push(withContext(figures, { ...study.context, ...shared, ...frame }));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      printNote(`${scene.name}: skipped: ${error.message}\n`);
    }
  }
  const rows = tables.flatMap((each) => each.rows);
  const whole = {
    ...withContext(study.figures([]), { ...study.context, ...shared, ...size }),
    rows,
  };
  const csv = formatCsv(values['no-context'] ? withoutContext(whole) : whole);
  const { table, plot } = showStudy(study, csv);
  printText(table);
  await writeStudyFiles(values, { csv, makePlot: () => plot, tables: [['', table]] });
}

/** Returns the common columns of the settings of a study, if all settings have the same value. */
function constantsOf(settings: readonly MeasureSetting[]): Context {
  const [first] = settings as readonly [MeasureSetting];
  const isShared = (name: 'bins' | 'visibility') =>
    settings.every((each) => each[name] === first[name]);
  return {
    ...(isShared('bins') && { bins: first.bins }),
    ...(isShared('visibility') && { visibility: first.visibility }),
  };
}

/** Returns the Markdown table and the SVG plot of a study's results file. */
export function showStudy(
  study: ChipletStudy,
  csv: string,
): { readonly table: string; readonly plot: string } {
  const rows = readRecords(parseCsv(csv));
  const { table, plot } = study.summarize(rows);
  return {
    table: `${formatMarkdownTable(table)}\n${countScenes(rows)} scenes.\n`,
    plot: plotLines(plot),
  };
}
