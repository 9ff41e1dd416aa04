/**
 * Slot policies in the set-up of Deng, Tian and Han: five ratios of vertex to fragment tasks,
 * dependent and independent tasks. Measures the work finished in a fixed time.
 */
import { SLOT_POLICIES, type SlotPolicyName } from '@tessera/gpu';
import { paperChip } from './paper-chip.ts';
import { type Coupling, type TaskRatio, WarpModel, type WarpModelCounts } from './warp-model.ts';

/** Ratios by their names in the paper. */
export const TASK_RATIOS = {
  'a 3:1': [3, 1],
  'b 2:1': [2, 1],
  'c 1:1': [1, 1],
  'd 1:2': [1, 2],
  'e 1:3': [1, 3],
} as const satisfies Record<string, TaskRatio>;
/** Name of a ratio. */
export type RatioName = keyof typeof TASK_RATIOS;
/** Names of the ratios, in the order of the table. */
export const RATIO_NAMES = Object.keys(TASK_RATIOS) as readonly RatioName[];

/** Coupling of the tasks and floor of slots per type. */
export interface SetUp {
  readonly name: string;
  readonly coupling: Coupling;
  readonly warpIdFloor: number;
}

/** Set-ups of the study. */
export const SET_UPS = [
  { name: 'independent, floor 8', coupling: 'independent', warpIdFloor: 8 },
  { name: 'dependent, no floor', coupling: 'dependent', warpIdFloor: 0 },
  { name: 'dependent, floor 8', coupling: 'dependent', warpIdFloor: 8 },
] as const satisfies readonly SetUp[];

/** One policy at one ratio, summed over the seeds. */
export interface StrategyRow extends WarpModelCounts {
  readonly setUp: string;
  readonly ratio: RatioName;
  readonly policy: SlotPolicyName;
  /**
   * Number of finished groups of vertex and fragment tasks in the ratio, scaled so that a group has
   * one task.
   */
  readonly groups: number;
  /** Number of seeds whose run ended in a deadlock. */
  readonly deadlocks: number;
}

/** Size of the model and length of the runs. */
export interface StrategyOptions {
  readonly cycles: number;
  readonly seeds: readonly number[];
}
/** Options of the committed results. */
export const DEFAULT_STRATEGY_OPTIONS: StrategyOptions = {
  cycles: 20_000,
  seeds: [1, 2, 3, 4, 5],
};

/** Measures every policy at every ratio. */
export function studyStrategies(
  setUp: SetUp,
  options: StrategyOptions = DEFAULT_STRATEGY_OPTIONS,
): StrategyRow[] {
  return SLOT_POLICIES.flatMap((policy) =>
    RATIO_NAMES.map((ratio) => measureStrategy(setUp, policy, ratio, options)),
  );
}

/** Measures one policy at one ratio. A deadlock ends a run; work finished before it counts. */
export function measureStrategy(
  { name, coupling, warpIdFloor }: SetUp,
  policy: SlotPolicyName,
  ratioName: RatioName,
  { cycles, seeds }: StrategyOptions,
): StrategyRow {
  const ratio = TASK_RATIOS[ratioName];
  const sum = { vertexTasks: 0, fragmentTasks: 0, idleSlotCycles: 0, moves: 0, lockCycles: 0 };
  let groups = 0;
  let deadlocks = 0;
  for (const seed of seeds) {
    const spec = paperChip({ slotPolicy: policy, warpIdFloor, schedulingSeed: seed });
    const model = new WarpModel({ spec, coupling, ratio, seed });
    if (model.run(cycles) !== null) deadlocks++;
    const counts = model.counts();
    for (const field of Object.keys(sum) as (keyof typeof sum)[]) sum[field] += counts[field];
    const [vertex, fragment] = ratio;
    const smaller = Math.min(counts.vertexTasks / vertex, counts.fragmentTasks / fragment);
    groups += smaller * (vertex + fragment);
  }
  return {
    setUp: name,
    ratio: ratioName,
    policy,
    cycles: cycles * seeds.length,
    ...sum,
    groups,
    deadlocks,
  };
}

/** Strategies that the paper compares: its S1, S2 and S3. */
export const PAPER_POLICIES = ['vertex-first', 'pixel-biased', 'fair-random'] as const;

/** Figures by which strategies are compared. */
export const METRICS = {
  'total tasks': (row: StrategyRow) => row.vertexTasks + row.fragmentTasks,
  'groups finished': (row: StrategyRow) => row.groups,
} as const;
/** Name of a metric. */
export type Metric = keyof typeof METRICS;

/**
 * Returns a policy's figure at a ratio ÷ that of the best of the paper's three strategies. Other
 * policies may exceed 1.
 */
export function normalize(
  rows: readonly StrategyRow[],
  metric: Metric,
  policy: SlotPolicyName,
  ratio: RatioName,
): number {
  const measure = (name: SlotPolicyName) => {
    const row = rows.find((each) => each.policy === name && each.ratio === ratio);
    return row === undefined ? 0 : METRICS[metric](row);
  };
  const best = Math.max(...PAPER_POLICIES.map(measure));
  return best === 0 ? 0 : measure(policy) / best;
}
