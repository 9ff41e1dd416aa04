/** Checks what a report predicts of faster hardware: the frame is rendered on that hardware. */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, withSettings } from '@tessera/chiplet-spec';
import type { Frame, FrameBound } from '@tessera/frame';
import { DEFAULT_INTERCONNECT } from '@tessera/multi-chiplet';
import { LocalGpu } from './local-gpu.ts';
import type { LocalGpuOptions, RenderOptions } from './local-gpu-options.ts';

/** A bound of a frame and the frame on the hardware that its settings describe. */
export interface TriedBound {
  readonly bound: FrameBound;
  /** Settings of this bound and of those before it. */
  readonly settings: Readonly<Record<string, number>>;
  /** Cycles of the frame with these settings. */
  readonly cycles: number;
}

/**
 * Renders a frame with the settings of the first bound of its report, then with those of the second
 * one too.
 *
 * @param bounds Bounds of a report of the frame with the same options.
 * @returns Bounds up to the first one without settings.
 * @throws {RenderError} As `LocalGpu.render`.
 */
export async function tryBounds(
  frame: Frame,
  bounds: readonly FrameBound[],
  hardware: LocalGpuOptions,
  options: RenderOptions,
): Promise<TriedBound[]> {
  const tried: TriedBound[] = [];
  let settings: Readonly<Record<string, number>> = {};
  for (const bound of bounds) {
    if (bound.settings === null) break;
    settings = { ...settings, ...bound.settings };
    const cycles = await renderWith(frame, settings, hardware, options);
    tried.push({ bound, settings, cycles });
  }
  return tried;
}

async function renderWith(
  frame: Frame,
  settings: Readonly<Record<string, number>>,
  hardware: LocalGpuOptions,
  options: RenderOptions,
): Promise<number> {
  const { linkBytesPerCycle, ...ofSpec } = settings;
  const spec: ChipletSpec = withSettings(hardware.spec ?? DEFAULT_CHIPLET_SPEC, ofSpec);
  const { interconnect = DEFAULT_INTERCONNECT } = options;
  const bytesPerCycle = linkBytesPerCycle ?? interconnect.bytesPerCycle;
  const { report } = await new LocalGpu({ ...hardware, spec }).render(frame, {
    ...options,
    timing: 'cycle',
    interconnect: { ...interconnect, bytesPerCycle },
  });
  return report.totals.cycles!;
}
