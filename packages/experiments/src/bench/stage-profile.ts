/**
 * Shares of the stages in a frame's CPU time: samples of V8's profiler, each given to the innermost function of the table below that
 * is on its stack. Shares of samples, not clocks inside the code, so that what is measured is what runs.
 */
import { type Profiler, Session } from 'node:inspector/promises';

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
export type Stage = (typeof STAGES)[number];

const SAMPLE_US = 250;

/** Parts of the address of a source; the first that fits counts. */
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
  ['/multi-chiplet/src/prepare-frame', 'prepare'],
  ['/multi-chiplet/src/compositor', 'composite'],
  ['/multi-chiplet/src/pass-frames', 'composite'],
  ['/multi-chiplet/src/bin-dispatcher', 'transfer'],
  ['/multi-chiplet/src/', 'report'],
];
/** Functions that decide whatever their file is: kernels, and V8's own. */
const STAGE_OF_FUNCTION: Readonly<Record<string, Stage>> = {
  mergeQuads: 'merge',
  traverseTiles: 'raster',
  '(garbage collector)': 'garbage',
};
/** Waiting, and what is not JavaScript: on a loaded machine, mostly time in which others ran. */
const NOT_COUNTED = new Set(['(idle)', '(program)']);

type CallFrame = Profiler.ProfileNode['callFrame'];

/** Share of the samples by stage, while `run` runs. */
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

/** The profiler's own work, above all at its start, is no part of a frame. */
function isCounted({ functionName, url }: CallFrame): boolean {
  return !NOT_COUNTED.has(functionName) && url !== 'node:inspector';
}

function stageOf({ functionName, url }: CallFrame, outer: Stage): Stage {
  const named = STAGE_OF_FUNCTION[functionName];
  const stage = named ?? STAGE_OF_FILE.find(([part]) => url.includes(part))?.[1] ?? outer;
  if (stage === 'garbage' || stage === 'simulate') return stage;
  // What the visibility phase, a recorder or the clock have done for them is theirs.
  if (outer === 'simulate' || outer === 'record') return outer;
  return outer === 'visibility' && stage !== 'record' ? outer : stage;
}
