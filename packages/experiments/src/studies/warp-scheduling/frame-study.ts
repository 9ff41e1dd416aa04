/** Slot policies on frames: the same frame on chiplets that differ only in the policy. */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { CounterName, Frame, Report } from '@tessera/frame';
import { SLOT_POLICIES, type SlotPolicyName } from '@tessera/gpu';
import { LocalGpu } from '@tessera/local-gpu';
import { type ProgramCache, resolvePolicyName } from '@tessera/multi-chiplet';
import { simulateAlone } from '../chiplets/chiplet-study.ts';
import { paperChip } from './paper-chip.ts';
import { ratioFrame } from './ratio-frames.ts';
import { RATIO_NAMES } from './strategy-study.ts';

/** One frame under one policy on one chiplet, as in the results file. */
export interface FrameFigures {
  readonly scene: string;
  readonly policy: SlotPolicyName;
  readonly cycles: number;
  /**
   * Number of vertex warps in the bins. In the visibility phase no fragment competes with a vertex.
   */
  readonly vertexWarps: number;
  readonly fragmentWarps: number;
  /** Slot cycles of the whole frame, like the two fields below. */
  readonly idleSlotCycles: number;
  readonly moves: number;
  readonly lockCycles: number;
}

/** Figures with the image of their measurement. */
export interface FrameRow extends FrameFigures {
  /** SHA-256 of the image: the same under every policy. */
  readonly imageSha256: string;
}

const POLICY = 'dynamic';

/**
 * Renders a frame under every policy. Chiplet 0 only computes the visibility, so that the counters
 * of the other chiplet are those of the bins. The cycles of one chiplet for both follow from the
 * measurement.
 *
 * @param settings Parameters that differ from those of the paper's chip.
 */
export async function studyFrame(
  scene: string,
  makeFrame: (programs: ProgramCache) => Frame | Promise<Frame>,
  settings: Partial<ChipletSpec> = {},
): Promise<FrameRow[]> {
  const rows: FrameRow[] = [];
  for (const policy of SLOT_POLICIES) {
    const gpu = new LocalGpu({
      chipletCount: 2,
      spec: paperChip({ name: policy, slotPolicy: policy, ...settings }),
    });
    const { report, measurement } = await gpu.render(await makeFrame(gpu.programs), {
      policy: POLICY,
      grid: { kind: 'bins', count: 8 },
      visibilityShader: 'minimal',
      timing: 'cycle',
      coupling: 'none',
      isVisibilityChipletRendering: false,
    });
    const { cycles } = simulateAlone(measurement, 1, { policy: resolvePolicyName(POLICY) });
    rows.push(makeRow(scene, policy, cycles, report));
  }
  return rows;
}

/** Renders a frame of each of the paper's ratios under every policy. The ratios are the scenes. */
export async function studyRatioFrames(): Promise<FrameRow[]> {
  const rows: FrameRow[] = [];
  for (const ratio of RATIO_NAMES) rows.push(...(await studyFrame(ratio, () => ratioFrame(ratio))));
  return rows;
}

function makeRow(
  scene: string,
  policy: SlotPolicyName,
  cycles: number,
  { chiplets, image }: Report,
): FrameRow {
  const renderers = chiplets.filter(({ id }) => id > 0);
  const sumOf = (of: Report['chiplets'], ...names: readonly CounterName[]) =>
    of.reduce(
      (sum, { counters }) => names.reduce((part, name) => part + (counters[name] ?? 0), sum),
      0,
    );
  return {
    scene,
    policy,
    cycles,
    vertexWarps: sumOf(renderers, 'vertexFetch.warps'),
    fragmentWarps: sumOf(renderers, 'warpPacking.warps'),
    idleSlotCycles: sumOf(
      chiplets,
      'taskScheduler.slotCyclesIdle',
      'taskScheduler.slotCyclesUnreleased',
    ),
    moves: sumOf(chiplets, 'taskScheduler.idsMovedToVertex', 'taskScheduler.idsMovedToFragment'),
    lockCycles: sumOf(chiplets, 'taskScheduler.cyclesLocked'),
    imageSha256: image.sha256,
  };
}

/**
 * Returns the policies with the fewest cycles for a scene, and the percentage by which the slowest
 * one exceeds them.
 */
export function compareFrame(rows: readonly FrameFigures[]): {
  readonly winners: readonly SlotPolicyName[];
  readonly spreadPercent: number;
} {
  const cycles = rows.map((row) => row.cycles);
  const least = Math.min(...cycles);
  return {
    winners: rows.filter((row) => row.cycles === least).map(({ policy }) => policy),
    spreadPercent: (100 * (Math.max(...cycles) - least)) / least,
  };
}
