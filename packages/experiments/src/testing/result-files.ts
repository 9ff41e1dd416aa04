/**
 * Checks of the files in results/: for each file a sample of its rows, which is computed again, and
 * the document that shows it. One file because it is one table.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CHIPLET_PRESETS } from '@tessera/chiplet-spec';
import { BIN_COST_MODEL } from '@tessera/multi-chiplet';
import { readFrame, STUDIED } from '../inputs/read-frame.ts';
import { compareAssignments } from '../studies/bins/bin-costs.ts';
import { showAssignments, showErrors } from '../studies/bins/bin-study-command.ts';
import { judgeInUse, type MeasuredScene } from '../studies/bins/hold-out.ts';
import { studyBoundingBox } from '../studies/bounding-box/bounding-box.ts';
import { countsTable, showGains } from '../studies/bounding-box/bounding-box-tables.ts';
import { isKnownBound, studyBounds } from '../studies/bounds/bounds.ts';
import { showBounds } from '../studies/bounds/bounds-tables.ts';
import {
  comparisonsTable,
  listCaptures,
  listWays,
  measureCapture,
  showAgreement,
} from '../studies/captures/capture-comparison.ts';
import type { ChipletStudy } from '../studies/chiplets/chiplet-study.ts';
import { CHIPLET_STUDIES, showStudy } from '../studies/chiplets/chiplet-study-command.ts';
import { studyOrganizations } from '../studies/chiplets/organization-scaling.ts';
import { studyDieCount } from '../studies/die-count/die-count.ts';
import { plotDieCount, showDieCount } from '../studies/die-count/die-count-tables.ts';
import { plotBandwidth } from '../studies/memory-bandwidth/bandwidth-plot.ts';
import { bandwidthTable, showBandwidth } from '../studies/memory-bandwidth/bandwidth-tables.ts';
import { studyFill } from '../studies/memory-bandwidth/drawn-fill.ts';
import { studyBandwidth } from '../studies/memory-bandwidth/memory-bandwidth.ts';
import { MeasurementStore } from '../studies/scenes/measurement-store.ts';
import { listScenes } from '../studies/scenes/scene-files.ts';
import {
  listFileScenes,
  listStudyScenes,
  type StudyScene,
} from '../studies/scenes/study-scenes.ts';
import { studyFrame, studyRatioFrames } from '../studies/warp-scheduling/frame-study.ts';
import {
  DEFAULT_STRATEGY_OPTIONS,
  measureStrategy,
  SET_UPS,
} from '../studies/warp-scheduling/strategy-study.ts';
import { figuresTable } from '../studies/warp-scheduling/study-tables.ts';
import {
  GENERATED_SCENES,
  showWarpScheduling,
} from '../studies/warp-scheduling/warp-scheduling-command.ts';
import { withoutContext } from '../tables/context-columns.ts';
import { formatCsv, type KeyedTable, parseCsv } from '../tables/csv.ts';
import type { SampledRows } from './row-differences.ts';

/** Path of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../../..');
/** Folder with the models and captures of the studies, which are not part of the repository. */
const SHARED = join(ROOT, '../shared');
const CAPTURES = join(SHARED, 'captures');
/** Whether those models and captures are available. */
export const HAS_SHARED = existsSync(CAPTURES);

const GOLDEN_MODELS = join(ROOT, 'test/golden/models');
const SIZE = { widthPx: 1280, heightPx: 720 } as const;
const BINS = 64;

/** Rows of a results file that are computed again. */
export interface Sample {
  readonly title: string;
  /** Whether the sample needs models or captures that are not part of the repository. */
  readonly needsShared: boolean;
  readonly compute: () => Promise<SampledRows>;
}

/** A table of a document, and the text that the study makes from the results file. */
export interface ShownTable {
  readonly document: string;
  /** Name in the document's comments; empty if the document has one table. */
  readonly name: string;
  readonly table: string;
}

/** Checks of one results file. */
export interface ResultFile {
  readonly samples: readonly Sample[];
  /** Number of leading columns that form the key of a row. */
  readonly keyColumns: number;
  /** Lists the scenes of the study by their names in the file, if the file contains only scenes. */
  readonly listScenes?: () => Promise<readonly { readonly name: string }[]>;
  /** Returns the tables of documents that follow from the file. */
  readonly showTables?: (csv: string) => readonly ShownTable[];
  /** Figures in the document's text that the study does not compute, with their sources. */
  readonly otherFigures?: Readonly<Record<string, string>>;
  /** Returns the plot that follows from the file. */
  readonly showPlot?: (csv: string) => { readonly file: string; readonly svg: string };
}

let opened: Promise<MeasurementStore> | undefined;

/** Opens the store of all samples. A frame that several studies sample is measured once. */
function openStore(): Promise<MeasurementStore> {
  opened ??= MeasurementStore.open();
  return opened;
}

function sampled(table: KeyedTable, groupColumns: number): SampledRows {
  return { table: parseCsv(formatCsv(withoutContext(table))), groupColumns };
}

function shared(...paths: readonly string[]): string[] {
  return paths.map((path) => join(SHARED, path));
}

function pick(scenes: readonly StudyScene[], names: readonly string[]): StudyScene[] {
  return names.map((name) => {
    const scene = scenes.find((each) => each.name === name);
    if (scene === undefined) throw new Error(`there is no scene '${name}'`);
    return scene;
  });
}

function showTables(document: string, tables: ReadonlyMap<string, string>): ShownTable[] {
  return [...tables].map(([name, table]) => ({ document, name, table }));
}

/**
 * Computes rows of a study.
 *
 * @param paths Paths that the study was run on.
 * @param names Scenes whose rows are computed.
 * @param groupColumns Number of columns of the groups of which all rows are computed.
 */
async function computeRows(
  study: ChipletStudy,
  paths: readonly string[],
  names: readonly string[],
  groupColumns: number,
): Promise<SampledRows> {
  const store = await openStore();
  const scenes = pick(await listStudyScenes(paths, SIZE, study.scenes), names);
  const measured = [];
  for (const scene of scenes) {
    const bySetting = await store.measure(scene, study.settings(BINS));
    measured.push({ scene: scene.name, bySetting });
  }
  return sampled(study.figures(measured), groupColumns);
}

/**
 * @param paths Paths that the study was run on.
 *
 * @param sharedNames Sampled scenes of these paths.
 */
function chipletStudy(
  name: string,
  keyColumns: number,
  generatedNames: readonly string[],
  paths: readonly string[],
  sharedNames: readonly string[],
): ResultFile {
  const study = CHIPLET_STUDIES[name]!;
  const sampleOf = (title: string, listPaths: readonly string[], names: readonly string[]) => ({
    title,
    needsShared: listPaths.length > 0,
    compute: () => computeRows(study, listPaths, names, 1),
  });
  return {
    keyColumns,
    samples: [
      sampleOf(`generated scenes ${generatedNames.join(', ')}`, [], generatedNames),
      ...(sharedNames.length === 0 ? [] : [sampleOf(sharedNames.join(', '), paths, sharedNames)]),
    ],
    listScenes: () => listStudyScenes(paths, SIZE, study.scenes),
    showTables: (csv) => [
      { document: `docs/studies/${name}.md`, name: '', table: showStudy(study, csv).table },
    ],
    showPlot: (csv) => ({
      file: `docs/studies/${name}.svg`,
      svg: showStudy(study, csv).plot,
    }),
  };
}

const ALL = shared('models', 'captures');
const FIVE_MODELS = shared(
  ...['CesiumMan', 'Duck', 'Fox', 'SimpleInstancing', 'Suzanne'].map((name) => `models/${name}`),
);
/** Models and captures of the studies of memories. */
const OF_MEMORIES = [
  ...FIVE_MODELS,
  ...shared(
    ...['bump/es2', 'ideas/200x150', 'terrain/200x150', 'texture/es2'].map(
      (name) => `captures/${name}`,
    ),
  ),
];
/** Models, and the captures whose frames have several passes. */
const ASYNCHRONOUS = [...FIVE_MODELS, ...shared('captures/terrain')];
const CAPTURES_OF_BOUNDING_BOX = [GOLDEN_MODELS, ...shared('captures')];

async function measureBins(
  paths: readonly string[],
  names: readonly string[],
): Promise<MeasuredScene[]> {
  const store = await openStore();
  const scenes = [];
  for (const scene of pick(await listFileScenes(paths, SIZE), names)) {
    const [measurement] = await store.measure(scene, [{ bins: BINS, visibility: 'minimal' }]);
    scenes.push({ scene: scene.name, measurement: measurement! });
  }
  return scenes;
}

async function assignBins(
  paths: readonly string[],
  names: readonly string[],
): Promise<SampledRows> {
  return sampled(compareAssignments(await measureBins(paths, names), 8), 1);
}

/** Judges the coefficients in use only. Fits need the measurements of all scenes. */
async function judgeBins(paths: readonly string[], names: readonly string[]): Promise<SampledRows> {
  return sampled(judgeInUse(await measureBins(paths, names)), 2);
}

async function walkBoxes(path: string, ...names: readonly string[]): Promise<SampledRows> {
  const rows = [];
  for (const { name, path: file } of await listScenes([path])) {
    if (!names.includes(name)) continue;
    rows.push(...(await studyBoundingBox(name, file, { entersAtBoxLevel: true })));
  }
  return sampled(countsTable(rows), 1);
}

async function compareCaptures(...names: readonly string[]): Promise<SampledRows> {
  const ways = listWays('functional', '1');
  const results = [];
  for (const name of names) results.push(await measureCapture(CAPTURES, name, ways));
  return sampled(comparisonsTable(results), 1);
}

/** Measures one policy and ratio of each set-up, a different one each time. */
async function sampleStrategies(): Promise<SampledRows> {
  const [first, second, third] = SET_UPS;
  const strategies = [
    measureStrategy(first, 'pixel-biased', 'd 1:2', DEFAULT_STRATEGY_OPTIONS),
    measureStrategy(second, 'vertex-first', 'a 3:1', DEFAULT_STRATEGY_OPTIONS),
    measureStrategy(third, 'gcn', 'c 1:1', DEFAULT_STRATEGY_OPTIONS),
  ];
  return sampled(figuresTable({ strategies, frames: [], ratioFrames: [] }), 3);
}

/** Files that are computed in part, by their names in results/. */
export const RESULT_FILES: Readonly<Record<string, ResultFile>> = {
  'benchmark-set.csv': chipletStudy('benchmark-set', 3, ['asteroids-instanced'], [], []),
  'bin-assignment.csv': {
    keyColumns: 3,
    samples: [
      {
        title: 'models of the tests',
        needsShared: false,
        compute: () => assignBins([GOLDEN_MODELS], ['AnimatedMorphCube', 'BoxVertexColors']),
      },
      {
        title: 'a capture and one of two models with one name',
        needsShared: true,
        compute: () => assignBins(ALL, ['buffer es2', 'Box (glTF/Box.gltf)']),
      },
    ],
    listScenes: () => listFileScenes(ALL, SIZE),
    showTables: (csv) => [
      { document: 'docs/studies/bin-assignment.md', name: '', table: showAssignments(csv) },
    ],
  },
  'bin-cost.csv': {
    keyColumns: 2,
    samples: [
      {
        title: 'models of the tests',
        needsShared: false,
        compute: () => judgeBins([GOLDEN_MODELS], ['AnimatedMorphCube', 'BoxVertexColors']),
      },
      {
        title: 'a capture and one of two models with one name',
        needsShared: true,
        compute: () => judgeBins(ALL, ['buffer es2', 'Box (glTF/Box.gltf)']),
      },
    ],
    listScenes: () => listFileScenes(ALL, SIZE),
    showTables: (csv) => [
      { document: 'docs/studies/bin-cost.md', name: '', table: showErrors(csv) },
    ],
    otherFigures: {
      '2.9': 'difference of two cells of the table',
      '3.2': 'docs/studies/bin-assignment.md, makespan of dynamic-pull',
      ...Object.fromEntries(
        Object.values(BIN_COST_MODEL).map((cycles) => [cycles, 'coefficient of BIN_COST_MODEL']),
      ),
    },
  },
  'asynchronous-work.csv': chipletStudy('asynchronous-work', 3, ['cube'], ASYNCHRONOUS, [
    'SimpleInstancing',
  ]),
  'bin-count.csv': chipletStudy('bin-count', 4, ['cube'], FIVE_MODELS, ['SimpleInstancing']),
  'bounding-box.csv': {
    keyColumns: 3,
    samples: [
      {
        title: 'a model of the tests',
        needsShared: false,
        compute: () => walkBoxes(GOLDEN_MODELS, 'BoxVertexColors'),
      },
      {
        title: 'captures of 200×150 pixels, and one of 800×600',
        needsShared: true,
        compute: () => walkBoxes(CAPTURES, 'build 200x150', 'ideas 200x150', 'build'),
      },
    ],
    listScenes: () => listFileScenes(CAPTURES_OF_BOUNDING_BOX, SIZE),
    otherFigures: { '10.11': 'the paper' },
    showTables: (csv) => showTables('docs/studies/bounding-box.md', showGains(csv).tables),
    showPlot: (csv) => ({
      file: 'docs/studies/bounding-box.svg',
      svg: showGains(csv).plot,
    }),
  },
  'capture-agreement.csv': {
    keyColumns: 2,
    samples: [
      {
        title: 'captures of 200×150 pixels, and one of 800×600',
        needsShared: true,
        compute: () => compareCaptures('build/200x150', 'effect2d/200x150', 'bump/es2'),
      },
    ],
    listScenes: async () => listCaptures(CAPTURES).map((name) => ({ name })),
    showTables: (csv) => [
      { document: 'docs/studies/captures.md', name: '', table: showAgreement(csv) },
    ],
  },
  'bounds.csv': {
    keyColumns: 3,
    samples: [
      {
        title: 'frames of known bounds',
        needsShared: false,
        compute: async () => sampled(await studyBounds(isKnownBound), 3),
      },
    ],
    showTables: (csv) => showTables('docs/studies/bounds.md', showBounds(csv)),
  },
  'chiplet-scaling.csv': chipletStudy(
    'chiplet-scaling',
    3,
    ['cube', 'textured-quad', 'random-triangles'],
    ALL,
    ['Box (glTF/Box.gltf)', 'buffer es2', 'bump es2', 'terrain (generated)'],
  ),
  'coupling-error.csv': chipletStudy('coupling-error', 4, ['cube'], ALL, ['bump es2']),
  'die-count.csv': {
    keyColumns: 4,
    samples: [
      {
        title: 'all rows',
        needsShared: false,
        compute: async () => sampled(studyDieCount(), 4),
      },
    ],
    showTables: (csv) => showTables('docs/studies/die-count.md', showDieCount(csv)),
    showPlot: (csv) => ({ file: 'docs/studies/die-count.svg', svg: plotDieCount(csv) }),
  },
  'early-bin.csv': {
    ...chipletStudy('early-bin', 2, ['cube', 'terrain 10k'], ALL, ['buffer es2']),
    otherFigures: {
      '1.1': 'geometric mean of ratios of cycles with and without the early bin',
      '1.98': 'ratio of two rows of bump 200x150',
      '5.0': 'ratio of the phases of WaterBottle',
    },
  },
  'early-bin-exact.csv': {
    ...chipletStudy('early-bin-exact', 2, ['random-triangles'], FIVE_MODELS, ['Fox']),
    otherFigures: {
      '0.81': 'ratio of the cycles of asteroids-instanced on 8 chiplets, which the text gives',
      '1.35': 'ratio of two figures of meadow-sorted',
      '3.96': 'ratio of the cycles of CesiumMan on 8 chiplets, which the text gives',
    },
  },
  'framebuffer.csv': chipletStudy('framebuffer', 3, ['cube'], FIVE_MODELS, ['SimpleInstancing']),
  'organizations.csv': {
    ...chipletStudy('organizations', 3, ['valley-100k'], [], []),
    otherFigures: {
      '95233': 'triangles of a scene',
      '3.07': 'GPUpd, abstract',
      '4.98': 'GPUpd, abstract',
      '1.25': 'CHOPIN, abstract',
      '1.56': 'CHOPIN, abstract',
      '4096': 'BATCH_PRIMITIVES',
      '0.74': 'ratio of two cells of the table',
      '1.11': 'ratio of two cells of the table',
      '21': 'distance of a cell of the table from a published figure',
      '156': 'distance of a cell of the table from a published figure',
    },
  },
  'organization-scaling.csv': {
    ...chipletStudy('organization-scaling', 3, ['patches 10k'], [], []),
    otherFigures: {
      '8.1': 'two cells of the table, rounded',
      '136802': 'bytes of a row ÷ bytes per cycle of the bus',
      '14400': 'bytes of the image ÷ bytes per cycle of the bus',
      '124480': 'measured apart',
      '214228': 'measured apart',
      '283183': 'measured apart',
    },
    samples: [
      {
        title: 'ten thousand triangles on 4 and 16 chiplets',
        needsShared: false,
        compute: () => computeRows(studyOrganizations([4, 16]), [], ['patches 10k'], 3),
      },
    ],
  },
  'geometry-scaling.csv': chipletStudy('geometry-scaling', 3, ['terrain 10k'], [], []),
  'link-bandwidth.csv': chipletStudy('link-bandwidth', 3, ['cube'], FIVE_MODELS, ['Fox']),
  'locality.csv': {
    ...chipletStudy('locality', 3, ['cube'], OF_MEMORIES, ['texture es2']),
    otherFigures: { '2001.03537': 'number of a paper' },
  },
  'memory-bandwidth.csv': {
    keyColumns: 3,
    samples: [
      {
        title: 'all rows',
        needsShared: false,
        compute: async () => {
          const spec = CHIPLET_PRESETS.hmgpu;
          return sampled(bandwidthTable(studyBandwidth(spec), await studyFill(spec)), 3);
        },
      },
    ],
    showTables: (csv) => showTables('docs/studies/memory-bandwidth.md', showBandwidth(csv)),
    otherFigures: {
      '2021.2': 'the paper',
      '289.98': 'the paper',
      '6.97': 'ratio of the paper’s two figures',
      '0.7': 'page of one client ÷ the paper’s; memory-bandwidth.test.ts has it within 1 %',
      '1303': 'specification',
    },
    showPlot: () => ({
      file: 'docs/studies/memory-bandwidth.svg',
      svg: plotBandwidth(studyBandwidth(CHIPLET_PRESETS.hmgpu)),
    }),
  },
  'monolith.csv': {
    ...chipletStudy('monolith', 3, ['cube'], OF_MEMORIES, ['texture es2']),
    otherFigures: {
      '65536': 'bandwidth of the ideal link',
      '22.8': 'the paper',
      '45.5': 'the paper',
      '1.23': 'the paper, rounded',
      '1.14': 'ratio of two cells of the table',
      '1.46': 'the paper, rounded',
      '6.5': 'ratio of two cells of the table',
    },
  },
  'overlap.csv': chipletStudy('overlap', 4, ['cube', 'random-triangles'], ALL, ['bump es2']),
  'static-vs-dynamic.csv': chipletStudy('static-vs-dynamic', 3, ['cube', 'random-triangles'], ALL, [
    'bump es2',
    'Box (glTF/Box.gltf)',
  ]),
  'performance-per-watt.csv': {
    ...chipletStudy('performance-per-watt', 3, ['market-deferred'], [], []),
    otherFigures: {},
  },
  'placement.csv': {
    ...chipletStudy('placement', 6, ['cube'], OF_MEMORIES, ['texture es2']),
    otherFigures: { '22.8': 'the paper' },
  },
  'visibility-cost.csv': chipletStudy('visibility-cost', 4, ['cube'], FIVE_MODELS, ['Duck']),
  'warp-scheduling.csv': {
    keyColumns: 3,
    samples: [
      { title: 'a policy of each set-up', needsShared: false, compute: sampleStrategies },
      {
        title: 'frames of all ratios',
        needsShared: false,
        compute: async () => {
          const ratioFrames = await studyRatioFrames();
          return sampled(figuresTable({ strategies: [], frames: [], ratioFrames }), 2);
        },
      },
      {
        title: 'a generated frame',
        needsShared: false,
        compute: async () => {
          const frames = await studyFrame('cube', GENERATED_SCENES.cube!);
          return sampled(figuresTable({ strategies: [], frames, ratioFrames: [] }), 2);
        },
      },
      {
        title: 'a capture',
        needsShared: true,
        compute: async () => {
          const path = join(SHARED, 'captures/jellyfish/200x150/trace.trace');
          const frames = await studyFrame(
            'jellyfish 200x150',
            async (programs) => (await readFrame(path, STUDIED, programs)).frame,
          );
          return sampled(figuresTable({ strategies: [], frames, ratioFrames: [] }), 2);
        },
      },
    ],
    otherFigures: {
      '1.7': 'ratio of two cells of the table, rounded',
      '0.3': 'bound of the differences between cells of the table',
      '20000': 'cycles of a run of the paper’s set-up',
      '107472': 'a floor of one, measured apart',
      '99253': 'a floor of sixteen, measured apart',
      '1318444': 'a floor of one, measured apart',
      '349702': 'a floor of sixteen, measured apart',
      '176647': 'a floor of one, measured apart',
      '229501': 'a floor of sixteen, measured apart',
      '38400': 'triangles of a frame of a ratio',
      '1.2': 'ratio of two cells of the table, rounded',
      '1.3': 'ratio of two cells of the table, rounded',
      '1.4': 'ratio of two cells of the table, rounded',
      '1.6': 'ratio of two cells of the table, rounded',
    },
    showTables: (csv) =>
      showTables('docs/studies/warp-scheduling.md', showWarpScheduling(csv).tables),
    showPlot: (csv) => ({
      file: 'docs/studies/warp-scheduling.svg',
      svg: showWarpScheduling(csv).plot,
    }),
  },
};

/** Files without a sample, with the reason. */
export const WITHOUT_SAMPLE: Readonly<Record<string, { keyColumns: number; reason: string }>> = {
  'bench.csv': {
    keyColumns: 4,
    reason: 'CPU and wall time of one machine at one commit, not simulated cycles',
  },
  'golden-cycles.csv': {
    keyColumns: 3,
    reason: 'test/golden/cycles.test.ts computes every row again',
  },
};
