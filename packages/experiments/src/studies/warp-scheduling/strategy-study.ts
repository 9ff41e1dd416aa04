/**
 * Slot policies in the set-up of Deng, Tian and Han: five ratios of vertex to fragment tasks, tasks that depend on
 * each other and tasks that do not; what is finished in a fixed time.
 */
import { DEFAULT_CHIPLET_SPEC, SLOT_POLICIES, type SlotPolicyName } from '@tessera/gpu';
import { type Coupling, type TaskRatio, WarpModel, type WarpModelCounts } from './warp-model.ts';

/** The paper's names of the ratios. */
export const TASK_RATIOS = {
  'a 3:1': [3, 1],
  'b 2:1': [2, 1],
  'c 1:1': [1, 1],
  'd 1:2': [1, 2],
  'e 1:3': [1, 3],
} as const satisfies Record<string, TaskRatio>;
export type RatioName = keyof typeof TASK_RATIOS;
export const RATIO_NAMES = Object.keys(TASK_RATIOS) as readonly RatioName[];

export interface SetUp {
  readonly name: string;
  readonly coupling: Coupling;
  readonly warpIdFloor: number;
}

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
  /** Whole groups of vertex and fragment tasks in the ratio, scaled so that a group has one task. */
  readonly groups: number;
  /** Seeds whose run ended in a deadlock. */
  readonly deadlocks: number;
}

export interface StrategyOptions {
  readonly cycles: number;
  readonly seeds: readonly number[];
}
export const DEFAULT_STRATEGY_OPTIONS: StrategyOptions = {
  cycles: 20_000,
  seeds: [1, 2, 3, 4, 5],
};

/** Every policy at every ratio. */
export function studyStrategies(
  setUp: SetUp,
  options: StrategyOptions = DEFAULT_STRATEGY_OPTIONS,
): StrategyRow[] {
  return SLOT_POLICIES.flatMap((policy) =>
    RATIO_NAMES.map((ratio) => measureStrategy(setUp, policy, ratio, options)),
  );
}

/** One policy at one ratio; a deadlock ends a run, what was finished before counts. */
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
    const spec = { ...DEFAULT_CHIPLET_SPEC, slotPolicy: policy, warpIdFloor, schedulingSeed: seed };
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

/** The strategies that the paper compares: its S1, S2 and S3. */
export const PAPER_POLICIES = ['vertex-first', 'pixel-biased', 'fair-random'] as const;

/** What strategies are compared by. */
export const METRICS = {
  'total tasks': (row: StrategyRow) => row.vertexTasks + row.fragmentTasks,
  'groups finished': (row: StrategyRow) => row.groups,
} as const;
export type Metric = keyof typeof METRICS;

/** A figure of a policy at a ratio ÷ that of the best of the paper's three; above 1 for others that do better. */
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
