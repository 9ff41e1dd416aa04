/** Tables of the study of slot policies: Markdown tables and one CSV. */
import { SLOT_POLICIES, type SlotPolicyName } from '@tessera/gpu';
import type { Cell, CsvRecord, KeyedTable, Table } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { compareFrame, type FrameFigures } from './frame-study.ts';
import {
  METRICS,
  type Metric,
  normalize,
  RATIO_NAMES,
  type RatioName,
  SET_UPS,
  type StrategyRow,
} from './strategy-study.ts';

/**
 * Returns a metric of one set-up by policy and ratio, relative to the best of the paper's three
 * strategies.
 */
export function metricTable(rows: readonly StrategyRow[], metric: Metric): Table {
  return {
    head: [metric, ...RATIO_NAMES],
    rows: SLOT_POLICIES.map((policy) => [
      policy,
      ...RATIO_NAMES.map((ratio) => normalize(rows, metric, policy, ratio).toFixed(3)),
    ]),
  };
}

/** Returns mean idle slots, moves and lock cycles per 1000 cycles, and deadlocks of one set-up. */
export function effortTable(rows: readonly StrategyRow[]): Table {
  return {
    head: ['idle slots / moves / locked cycles per 1000', ...RATIO_NAMES],
    rows: SLOT_POLICIES.map((policy) => [
      policy,
      ...RATIO_NAMES.map((ratio) => {
        const row = rows.find((each) => each.policy === policy && each.ratio === ratio)!;
        const { cycles, deadlocks } = row;
        if (deadlocks > 0) return `${deadlocks} deadlocks`;
        const idle = (row.idleSlotCycles / cycles).toFixed(1);
        const per1000 = (count: number) => Math.round((1000 * count) / cycles);
        return `${idle} / ${per1000(row.moves)} / ${per1000(row.lockCycles)}`;
      }),
    ]),
  };
}

/**
 * Returns the cycles by scene and policy, the winner, and the distance of the slowest policy.
 *
 * @param title Head of the column of the scenes.
 */
export function framesTable(rows: readonly FrameFigures[], title = 'frame'): Table {
  const scenes = [...new Set(rows.map(({ scene }) => scene))];
  return {
    head: [
      title,
      'vertex : fragment warps of the bins',
      ...SLOT_POLICIES,
      'fewest cycles',
      'slowest',
    ],
    rows: scenes.map((scene) => {
      const own = rows.filter((row) => row.scene === scene);
      const { winners, spreadPercent } = compareFrame(own);
      const { vertexWarps, fragmentWarps } = own[0]!;
      return [
        scene,
        `${vertexWarps} : ${fragmentWarps}`,
        ...own.map(({ cycles }) => cycles),
        winners.length === own.length ? 'all' : winners.join(', '),
        `+${spreadPercent.toFixed(1)} %`,
      ];
    }),
  };
}

/** Figures of the study. */
export interface Figures {
  readonly strategies: readonly StrategyRow[];
  readonly frames: readonly FrameFigures[];
  /** Frames whose scenes are the paper's ratios. */
  readonly ratioFrames: readonly FrameFigures[];
}

/** Names of the set-ups in the rows of frames, whose tasks are warps. */
const FRAME = 'frame';
const RATIO_FRAME = 'frame of a ratio';

/** Returns all figures as the table of the results file. */
export function figuresTable({ strategies, frames, ratioFrames }: Figures): KeyedTable {
  return {
    head: [
      'setUp',
      'case',
      'slotPolicy',
      'cycles',
      'vertexTasks',
      'fragmentTasks',
      'groups',
      'idleSlotCycles',
      'moves',
      'lockCycles',
      'deadlocks',
    ],
    keyColumns: 3,
    rows: [
      ...strategies.map((row) => [
        row.setUp,
        row.ratio,
        row.policy,
        row.cycles,
        row.vertexTasks,
        row.fragmentTasks,
        row.groups.toFixed(1),
        row.idleSlotCycles,
        row.moves,
        row.lockCycles,
        row.deadlocks,
      ]),
      ...ratioFrames.map((row) => frameCells(RATIO_FRAME, row)),
      ...frames.map((row) => frameCells(FRAME, row)),
    ],
  };
}

function frameCells(setUp: string, row: FrameFigures): Cell[] {
  return [
    setUp,
    row.scene,
    row.policy,
    row.cycles,
    row.vertexWarps,
    row.fragmentWarps,
    '',
    row.idleSlotCycles,
    row.moves,
    row.lockCycles,
    '',
  ];
}

/** Returns the figures of a results file. */
export function readFigures(records: readonly CsvRecord[]): Figures {
  const common = (record: CsvRecord) => ({
    policy: record.slotPolicy as SlotPolicyName,
    cycles: Number(record.cycles),
    idleSlotCycles: Number(record.idleSlotCycles),
    moves: Number(record.moves),
    lockCycles: Number(record.lockCycles),
  });
  const framesOf = (kind: string) =>
    records
      .filter(({ setUp }) => setUp === kind)
      .map((record) => ({
        ...common(record),
        scene: record.case!,
        vertexWarps: Number(record.vertexTasks),
        fragmentWarps: Number(record.fragmentTasks),
      }));
  return {
    strategies: records
      .filter(({ setUp }) => setUp !== FRAME && setUp !== RATIO_FRAME)
      .map((record) => ({
        ...common(record),
        setUp: record.setUp!,
        ratio: record.case as RatioName,
        vertexTasks: Number(record.vertexTasks),
        fragmentTasks: Number(record.fragmentTasks),
        groups: Number(record.groups),
        deadlocks: Number(record.deadlocks),
      })),
    frames: framesOf(FRAME),
    ratioFrames: framesOf(RATIO_FRAME),
  };
}

/** Returns the tables of the document, by their names there. */
export function documentTables({
  strategies,
  frames,
  ratioFrames,
}: Figures): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  for (const { name } of SET_UPS) {
    const rows = strategies.filter(({ setUp }) => setUp === name);
    const parts = [...METRIC_NAMES.map((metric) => metricTable(rows, metric)), effortTable(rows)];
    tables.set(name, parts.map((table) => formatMarkdownTable(table)).join('\n'));
  }
  return tables
    .set('ratios', formatMarkdownTable(framesTable(ratioFrames, 'ratio')))
    .set('frames', formatMarkdownTable(framesTable(frames)));
}

/** Names of METRICS in the order of the tables. */
const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];
