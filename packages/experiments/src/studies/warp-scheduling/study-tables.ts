/** What the study of slot policies prints and writes: Markdown tables and one CSV. */
import { SLOT_POLICIES } from '@tessera/gpu';
import { compareFrame, type FrameRow } from './frame-study.ts';
import {
  METRICS,
  type Metric,
  normalize,
  RATIO_NAMES,
  type StrategyRow,
} from './strategy-study.ts';

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

/** Figures of one set-up by policy and ratio, of the best of the paper's three. */
export function formatMetric(rows: readonly StrategyRow[], metric: Metric): string {
  return table(
    [metric, ...RATIO_NAMES],
    SLOT_POLICIES.map((policy) => [
      policy,
      ...RATIO_NAMES.map((ratio) => normalize(rows, metric, policy, ratio).toFixed(3)),
    ]),
  );
}

/** Idle slots in the mean, moves and lock cycles per 1000 cycles, deadlocks of one set-up. */
export function formatEffort(rows: readonly StrategyRow[]): string {
  return table(
    ['idle slots / moves / locked cycles per 1000', ...RATIO_NAMES],
    SLOT_POLICIES.map((policy) => [
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
  );
}

/** Cycles by scene and policy, the winner and by how much the slowest is behind. */
export function formatFrames(rows: readonly FrameRow[]): string {
  const scenes = [...new Set(rows.map(({ scene }) => scene))];
  return table(
    ['frame', 'vertex : fragment warps', ...SLOT_POLICIES, 'fewest cycles', 'slowest'],
    scenes.map((scene) => {
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
  );
}

/** All figures; `frame` is the set-up of frames, whose tasks are warps. */
export function formatCsv(strategies: readonly StrategyRow[], frames: readonly FrameRow[]): string {
  const head =
    'setUp,case,policy,cycles,vertexTasks,fragmentTasks,groups,idleSlotCycles,moves,lockCycles,deadlocks';
  const lines = [
    ...strategies.map((row) => [
      `"${row.setUp}"`,
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
    ...frames.map((row) => [
      'frame',
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
    ]),
  ];
  return `${[head, ...lines.map((cells) => cells.join(','))].join('\n')}\n`;
}

/** Names of METRICS in the order of the tables. */
export const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];
