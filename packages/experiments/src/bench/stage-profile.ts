/**
 * Shares of the stages in a frame's CPU time. Samples of V8's profiler are assigned to the
 * innermost function of the tables below that is on the stack. Sampling leaves the measured code
 * unchanged, unlike clocks inside it.
 */
import { type Profiler, Session } from 'node:inspector/promises';

/** Stages of a frame. */
export const STAGES = [
  'prepare',
  'visibility',
  'geometry',
  'raster',
  'shade',
  'merge',
  'record',
  'simulate',
  'transfer',
  'composite',
  'report',
  'garbage',
  'other',
] as const;
/** Name of a stage. */
export type Stage = (typeof STAGES)[number];

const SAMPLE_US = 250;

/** Stages by a part of the source's URL. The first match counts. */
const STAGE_OF_FILE: readonly (readonly [string, Stage])[] = [
  ['/gpu/src/modes/visibility-mode', 'visibility'],
  ['/chip/src/', 'simulate'],
  ['/gpu/src/timing/chip-', 'simulate'],
  ['/gpu/src/modes/bin-recorder', 'record'],
  ['/gpu/src/modes/fragment-shading', 'shade'],
  ['/gpu/src/raster/coverage/tile-traversal', 'raster'],
  ['/gpu/src/geometry/', 'geometry'],
  ['/gpu/src/binning/', 'geometry'],
  ['/gpu/src/modes/bin-render-mode', 'geometry'],
  ['/gpu/src/modes/primitive-batch', 'geometry'],
  ['/gpu/src/command/', 'prepare'],
  ['/gpu/src/memory-manager/address-map', 'prepare'],
  ['/gpu/src/texture/layout/texture-pool', 'prepare'],
  ['/gpu/src/output/', 'transfer'],
  ['/gpu/src/chiplet/local-chiplet', 'transfer'],
  ['/multi-chiplet/src/prepare/', 'prepare'],
  ['/multi-chiplet/src/passes/compositor', 'composite'],
  ['/multi-chiplet/src/passes/pass-frames', 'composite'],
  ['/multi-chiplet/src/dispatch/bin-dispatcher', 'transfer'],
  ['/multi-chiplet/src/', 'report'],
];
/** Stages of functions, regardless of their file: kernels, and V8's own functions. */
const STAGE_OF_FUNCTION: Readonly<Record<string, Stage>> = {
  mergeQuads: 'merge',
  traverseTiles: 'raster',
  '(garbage collector)': 'garbage',
};
/** Idle time and native code, which on a loaded machine is mostly time of other processes. */
const NOT_COUNTED = new Set(['(idle)', '(program)']);

type CallFrame = Profiler.ProfileNode['callFrame'];

/** Returns the share of the samples by stage while `run` runs. */
export async function profileStages(run: () => Promise<void>): Promise<Record<Stage, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await session.post('Profiler.start');
    await run();
    const { profile } = await session.post('Profiler.stop');
    return shareOut(profile);
  } finally {
    session.disconnect();
  }
}

function shareOut({
  nodes,
  samples = [],
  timeDeltas = [],
}: Profiler.Profile): Record<Stage, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stageById = new Map<number, Stage | null>();
  const visit = (id: number, outer: Stage): void => {
    const { callFrame, children = [] } = byId.get(id)!;
    const stage = stageOf(callFrame, outer);
    stageById.set(id, isCounted(callFrame) ? stage : null);
    for (const child of children) visit(child, stage);
  };
  visit(nodes[0]!.id, 'other');

  const shares = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
  let total = 0;
  for (const [i, id] of samples.entries()) {
    const stage = stageById.get(id) ?? null;
    if (stage === null) continue;
    shares[stage] += timeDeltas[i]!;
    total += timeDeltas[i]!;
  }
  for (const stage of STAGES) shares[stage] /= Math.max(1, total);
  return shares;
}

/**
 * Whether a sample counts. The profiler's own work, mostly at its start, is not part of a frame.
 */
function isCounted({ functionName, url }: CallFrame): boolean {
  return !NOT_COUNTED.has(functionName) && url !== 'node:inspector';
}

function stageOf({ functionName, url }: CallFrame, outer: Stage): Stage {
  const named = STAGE_OF_FUNCTION[functionName];
  const stage = named ?? STAGE_OF_FILE.find(([part]) => url.includes(part))?.[1] ?? outer;
  if (stage === 'garbage' || stage === 'simulate') return stage;
  // Work of these functions for the visibility phase, a recorder or the clock belongs to them.
  if (outer === 'simulate' || outer === 'record') return outer;
  return outer === 'visibility' && stage !== 'record' ? outer : stage;
}
