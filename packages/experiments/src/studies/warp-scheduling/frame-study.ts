/** Slot policies on frames: the same frame on chiplets that differ in nothing else. */
import type { CounterName, Frame, Report } from '@tessera/frame';
import { defineChipletSpec, SLOT_POLICIES, type SlotPolicyName } from '@tessera/gpu';
import { LocalGpu } from '../../local-gpu.ts';

/** One frame under one policy, on one chiplet. */
export interface FrameRow {
  readonly scene: string;
  readonly policy: SlotPolicyName;
  readonly cycles: number;
  readonly vertexWarps: number;
  readonly fragmentWarps: number;
  readonly idleSlotCycles: number;
  readonly moves: number;
  readonly lockCycles: number;
  /** Of the picture: the same under every policy. */
  readonly imageSha256: string;
}

/** Renders a frame under every policy. */
export async function studyFrame(
  scene: string,
  makeFrame: (programs: LocalGpu['programs']) => Frame | Promise<Frame>,
): Promise<FrameRow[]> {
  const rows: FrameRow[] = [];
  for (const policy of SLOT_POLICIES) {
    const gpu = new LocalGpu(1, defineChipletSpec({ name: policy, slotPolicy: policy }));
    const { report } = await gpu.render(await makeFrame(gpu.programs), {
      policy: 'dynamic',
      binCount: 8,
      visibilityShader: 'minimal',
      timing: 'cycle',
    });
    rows.push(makeRow(scene, policy, report));
  }
  return rows;
}

function makeRow(scene: string, policy: SlotPolicyName, report: Report): FrameRow {
  const sumOf = (...names: readonly CounterName[]) =>
    report.chiplets.reduce(
      (sum, { counters }) => names.reduce((part, name) => part + (counters[name] ?? 0), sum),
      0,
    );
  const { cycles } = report.totals;
  if (cycles === null) throw new Error('slot policies: the frame was rendered without timing');
  return {
    scene,
    policy,
    cycles,
    vertexWarps: sumOf('vertexFetch.warps'),
    fragmentWarps: sumOf('warpPacking.warps'),
    idleSlotCycles: sumOf('taskScheduler.slotCyclesIdle', 'taskScheduler.slotCyclesUnreleased'),
    moves: sumOf('taskScheduler.idsMovedToVertex', 'taskScheduler.idsMovedToFragment'),
    lockCycles: sumOf('taskScheduler.cyclesLocked'),
    imageSha256: report.image.sha256,
  };
}

/** The policies with the fewest cycles of a scene's rows, and how many per cent more the slowest takes. */
export function compareFrame(rows: readonly FrameRow[]): {
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
