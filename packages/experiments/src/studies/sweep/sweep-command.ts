/** `tessera study sweep PATH...`: every combination of values, in this process or on a service. */
import { writeFile } from 'node:fs/promises';
import { readSpec, summarizeSpec } from '@tessera/chiplet-spec';
import { RenderError, type SpecSummary } from '@tessera/frame';
import {
  type CheckedField,
  checkKinds,
  checkRequest,
  csvPieces,
  listPoints,
  requestedColumns,
  type SceneKind,
  type StudyRequest,
  type StudyRow,
} from '@tessera/study';
import { formatParquet } from '@tessera/study/parquet';
import { benchmarkSceneOf } from '../../inputs/benchmark-scene.ts';
import { isCapture } from '../../inputs/read-capture.ts';
import { askService, connectToService } from '../../inputs/service-options.ts';
import { readSpecOption, specDescription } from '../../inputs/spec-option.ts';
import { formatCsv } from '../../tables/csv.ts';
import { parseOptions } from '../../terminal/command-options.ts';
import { printJson, printText } from '../../terminal/terminal-output.ts';
import { formatColumns } from '../../terminal/text-columns.ts';
import { listScenes, type SceneFile } from '../scenes/scene-files.ts';
import { sweepLocally } from './local-sweep.ts';
import { listServiceSpecs, sweepOnService } from './service-sweep.ts';
import {
  type GivenAxes,
  readAxes,
  SWEEP_OPTIONS,
  type SweepValues,
  withDefaults,
} from './sweep-options.ts';
import { type ComparedColumn, meansTable } from './sweep-table.ts';
import { writeBundle } from './write-bundle.ts';

/** Options by the fields that a check names. */
const OPTION_BY_FIELD: Readonly<Record<CheckedField, string>> = {
  policies: 'policy',
  grids: 'grid',
  placements: 'placement',
  link: 'link',
  counters: 'counters',
  energy: 'energy',
  sizes: 'size',
  frameIndices: 'frame',
  organizations: 'organization',
  visibilityChiplets: 'visibility-chiplets',
  visibilityDelivery: 'visibility-delivery',
};

/**
 * Runs the command. Scenes that cannot be rendered are reported and skipped.
 *
 * @throws {RenderError} On bad options, errors of the service, or if no scene could be rendered.
 */
export async function runSweepCommand(args: readonly string[]): Promise<void> {
  const { values, positionals: paths } = parseOptions(args, {
    ...SWEEP_OPTIONS,
    title: { type: 'string', default: '' },
    service: { type: 'string' },
    'token-file': { type: 'string' },
    csv: { type: 'string' },
    means: { type: 'string' },
    parquet: { type: 'string' },
    bundle: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const axes = readAxes(values);
  const scenes = await listScenes(paths);
  if (scenes.length === 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      'give at least one model, capture, folder of them or scene',
    );
  }
  const kinds = await kindsOf(scenes, values.service !== undefined);
  checkAxes(axes, kinds);
  const { title, service } = values;
  const { sweep = {}, counters = [], energy } = axes;
  const columns = { sweep, counters, energy };
  let rows: readonly Partial<StudyRow>[];
  let bases: readonly SpecSummary[];
  if (service === undefined) {
    const request = completeRequest(values, axes, scenes, kinds);
    rows = await sweepLocally(request, scenes);
    bases = request.bases;
  } else {
    const client = await connectToService({ url: service, 'token-file': values['token-file'] });
    const specs = specTexts(values)?.map((spec) => specDescription(spec, values.set));
    rows = await askService(service, () => sweepOnService(client, { title, axes, specs, scenes }));
    bases = [
      ...(specs ?? []).flatMap((spec) =>
        typeof spec === 'string' ? [] : summarizeSpec(readSpec(spec)),
      ),
      ...(values.bundle === undefined
        ? []
        : await askService(service, () => listServiceSpecs(client))),
    ];
  }
  if (rows.length === 0) throw new RenderError('REQUEST_INVALID', 'no scene could be rendered');
  const csv = [...csvPieces([rows], requestedColumns(columns))].join('');
  const means = meansTable(rows, comparedBy(axes));
  if (values.csv !== undefined) await writeFile(values.csv, csv);
  if (values.parquet !== undefined) {
    await writeFile(values.parquet, formatParquet(rows, columns));
  }
  if (values.means !== undefined) await writeFile(values.means, formatCsv(means));
  if (values.bundle !== undefined) {
    const content = { csv, means: formatCsv(means), rows, scenes, bases };
    await writeBundle(values.bundle, { ...content, args: ['sweep', ...args] });
  }
  if (values.json) printJson(rows);
  else {
    const count = new Set(rows.map(({ scene }) => scene)).size;
    const table = formatColumns([means.head, ...means.rows.map((row) => row.map(String))]);
    const scenesText = count === 1 ? '1 scene' : `${count} scenes`;
    printText(`${table}${scenesText}. Figures are geometric means over the frames.\n`);
  }
}

function comparedBy({ sizes = [], grids = [] }: GivenAxes): ComparedColumn[] {
  return [
    ...(sizes.length > 1 ? (['widthPx', 'heightPx'] as const) : []),
    ...(grids.length > 1 ? (['grid'] as const) : []),
  ];
}

/**
 * Checks the axes that depend on each other, also for a service, before anything is sent.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
function checkAxes(axes: GivenAxes, kinds: readonly SceneKind[]): void {
  const nameOf = (field: CheckedField) => OPTION_BY_FIELD[field];
  const names = { title: '', frames: [], kinds, specs: [] };
  checkRequest({ ...withDefaults(axes), ...names }, nameOf);
  const { sizes = [], frameIndices = [] } = axes;
  checkKinds({ kinds, sizes, frameIndices }, nameOf);
}

/**
 * @param isPosted Whether a service renders the scenes; it gets those of the benchmark set as
 *   native frames.
 */
function kindsOf(scenes: readonly SceneFile[], isPosted: boolean): Promise<SceneKind[]> {
  return Promise.all(
    scenes.map(async ({ path }): Promise<SceneKind> => {
      if (isPosted && benchmarkSceneOf(path) !== null) return 'frame';
      return (await isCapture(path)) ? 'capture' : 'model';
    }),
  );
}

/** Returns the request of a sweep without a service. @throws {RenderError} REQUEST_INVALID. */
function completeRequest(
  values: SweepValues & { readonly title: string },
  axes: GivenAxes,
  scenes: readonly SceneFile[],
  kinds: readonly SceneKind[],
): StudyRequest {
  const names = specTexts(values) ?? ['default'];
  const bases = names.map((name) => summarizeSpec(readSpecOption(name, values.set)));
  const request = {
    ...withDefaults(axes),
    title: values.title,
    frames: scenes.map(({ name }) => name),
    kinds,
    specs: bases.map(({ name }) => name),
    bases,
  };
  try {
    listPoints(request);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RenderError('REQUEST_INVALID', `--sweep: ${error.message}`, { cause: error });
  }
  return request;
}

function specTexts({ spec, set }: SweepValues): string[] | undefined {
  if (spec === undefined && set === undefined) return undefined;
  return (spec ?? 'default').split(',').map((name) => name.trim());
}
