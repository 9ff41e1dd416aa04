/** What bins of scenes take: for the cost model's coefficients, and for any assignment without rendering again. */
import {
  BIN_ASSIGNMENT_POLICIES,
  BIN_COST_MODEL,
  BIN_COST_TERMS,
  type BinAssignmentPolicyName,
  DEFAULT_FRAMES_IN_FLIGHT,
  DEFAULT_INTERCONNECT,
  type FrameMeasurement,
  fitBinCost,
  type InterconnectSpec,
  type MeasuredCost,
  reportSequence,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { LocalGpu } from '../local-gpu.ts';
import { readFrame } from '../read-frame.ts';

/** A scene, and what its parts take. */
export interface MeasuredScene {
  readonly scene: string;
  readonly measurement: FrameMeasurement;
}

/** Renders a scene once on one chiplet, to the cycle. @throws {RenderError} If it cannot be read. */
export async function measureScene(
  scene: string,
  path: string,
  binCount: number,
): Promise<MeasuredScene> {
  const gpu = new LocalGpu(1);
  const { frame } = await readFrame(path, {}, gpu.programs);
  const options = { policy: 'static', binCount, visibilityShader: 'minimal' } as const;
  const { measurement } = await gpu.render(frame, { ...options, timing: 'cycle' });
  return { scene, measurement };
}

/** The coefficients that fit the scenes best, beside those in use. */
export function describeFit(scenes: readonly MeasuredScene[]): string {
  const bins: MeasuredCost[] = scenes.flatMap(({ measurement }) =>
    measurement.passes.flatMap(({ bins }) =>
      bins
        .filter(({ isEarly }) => !isEarly)
        .map(({ costTerms, cycles }) => ({ costTerms, cycles: cycles! })),
    ),
  );
  const { model, error } = fitBinCost(bins);
  const lines = BIN_COST_TERMS.map(
    (name) =>
      `${name.padEnd(30)}${model[name].toPrecision(4).padStart(12)}` +
      `${BIN_COST_MODEL[name].toPrecision(4).padStart(12)}`,
  );
  return (
    `${'coefficient'.padEnd(30)}${'fitted'.padStart(12)}${'in use'.padStart(12)}\n${lines.join('\n')}\n\n` +
    `${bins.length} bins of ${scenes.length} scenes, error ${(100 * error).toFixed(1)} % of their cycles\n`
  );
}

/** How a policy does on a scene, once chiplets hold the resources. */
export interface AssignmentRow {
  readonly scene: string;
  readonly policy: BinAssignmentPolicyName;
  readonly chiplets: number;
  /** From the first bin's start to the last one's end, over the passes. */
  readonly makespanCycles: number;
  /** max(total ÷ N, longest bin), over the passes. */
  readonly lowerBoundCycles: number;
  /** In steady state, over one chiplet; and the most that overlap allows, min(N, 1 ÷ serial fraction). */
  readonly speedUp: number;
  readonly speedUpBound: number;
}

/** Frames of the same scene until a steady state is measured. */
const SEQUENCE_FRAMES = 24;

/** Every policy on one scene. */
export function compareAssignments(
  { scene, measurement }: MeasuredScene,
  chiplets: number,
  interconnect: InterconnectSpec = DEFAULT_INTERCONNECT,
): AssignmentRow[] {
  const policies = Object.keys(BIN_ASSIGNMENT_POLICIES) as BinAssignmentPolicyName[];
  return policies.map((policy) => {
    const simulation = {
      chipletCount: chiplets,
      isVisibilityChipletRendering: true,
      policy,
      interconnect,
      overlap: 'visibility-first',
      framesInFlight: DEFAULT_FRAMES_IN_FLIGHT,
      areResourcesResident: true,
    } as const;
    const alone = simulateFrames([measurement], { ...simulation, overlap: 'none' });
    let [makespanCycles, lowerBoundCycles] = [0, 0];
    for (const { bins } of alone.frames[0]!.passes) {
      const lengths = bins.map(({ startCycle, endCycle }) => endCycle - startCycle);
      const start = Math.min(...bins.map(({ startCycle }) => startCycle));
      makespanCycles += Math.max(...bins.map(({ endCycle }) => endCycle)) - start;
      const total = lengths.reduce((sum, length) => sum + length, 0);
      lowerBoundCycles += Math.max(Math.ceil(total / chiplets), ...lengths);
    }
    const frame = { measurement, frameSha256: scene, imageSha256: scene };
    const { report } = reportSequence({
      frames: new Array(SEQUENCE_FRAMES).fill(frame),
      simulation,
      spec: { name: 'default', fineBinPx: 64, clockHz: 1e9, parameters: {} },
      wall: { totalMs: 0, retriedBins: 0 },
    });
    const { speedUp, speedUpBound } = report.steadyState!;
    return { scene, policy, chiplets, makespanCycles, lowerBoundCycles, speedUp, speedUpBound };
  });
}

/** Geometric means over the scenes, by policy, and the scene that is farthest from the bound. */
export function describeAssignments(rows: readonly AssignmentRow[]): string {
  const lines = [...new Set(rows.map(({ policy }) => policy))].map((policy) => {
    const own = rows.filter((row) => row.policy === policy);
    const excess = own.map((row) => row.makespanCycles / row.lowerBoundCycles);
    const worst = Math.max(...excess);
    const steady = own.map(({ speedUp, speedUpBound }) => speedUp / speedUpBound);
    return (
      `${policy.padEnd(24)}${geometricMean(excess).toFixed(3).padStart(10)}${worst.toFixed(3).padStart(10)}` +
      `${geometricMean(steady).toFixed(3).padStart(10)}${Math.min(...steady)
        .toFixed(3)
        .padStart(10)}` +
      `   ${own[excess.indexOf(worst)]!.scene}`
    );
  });
  const head =
    `${'policy'.padEnd(24)}${'makespan'.padStart(10)}${'worst'.padStart(10)}` +
    `${'steady'.padStart(10)}${'worst'.padStart(10)}   scene of the worst makespan`;
  return (
    `${head}\n${lines.join('\n')}\n\n` +
    'makespan: ÷ max(total ÷ N, longest bin), best 1; steady: speed-up in a sequence ÷ min(N, 1 ÷ s), best 1\n'
  );
}

export function formatAssignmentsCsv(rows: readonly AssignmentRow[]): string {
  const head = 'scene,policy,chiplets,makespanCycles,lowerBoundCycles,speedUp,speedUpBound';
  const lines = rows.map((row) =>
    [
      row.scene,
      row.policy,
      row.chiplets,
      row.makespanCycles,
      row.lowerBoundCycles,
      row.speedUp.toFixed(4),
      row.speedUpBound.toFixed(4),
    ].join(','),
  );
  return `${[head, ...lines].join('\n')}\n`;
}

function geometricMean(values: readonly number[]): number {
  // Powers instead of logarithms: the product of ratios near 1 stays in range.
  return values.reduce((product, value) => product * value, 1) ** (1 / values.length);
}
