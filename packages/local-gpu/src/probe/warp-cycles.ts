/**
 * Cycles of warps by draw and texture lookup. The frame is rendered with records, and all chiplets
 * are simulated again, as in a frame with cycle timing and `coupling: exact`.
 */
import { type PreparedFrame, RenderError, type StopWords } from '@tessera/frame';
import { ChipletMachine, type ResidentFrame, type SimulatedChiplet } from '@tessera/gpu';
import { WarpPlaces, type WarpTallies } from '@tessera/gpu/probe';
import {
  DEFAULT_ORGANIZATION,
  type ImmediateChiplet,
  renderFrameNow,
  type SimulatedGpuOptions,
  simulateFrames,
  simulationOf,
} from '@tessera/multi-chiplet/rendering';

/**
 * Adds the warps of a frame and their cycles to tallies.
 *
 * @param passes Empty tallies by pass.
 * @throws {RenderError} REQUEST_INVALID if the GPU has another organization than `binned`, whose
 *   chiplets run other warps, and the errors of rendering.
 */
export function countWarpCycles(
  frame: PreparedFrame,
  chiplet: SimulatedChiplet,
  passes: readonly WarpTallies[],
  gpu: SimulatedGpuOptions,
  stopWords: StopWords | undefined,
): void {
  const { isVisibilityChipletRendering, splits, organization = DEFAULT_ORGANIZATION } = gpu;
  if (organization !== DEFAULT_ORGANIZATION) {
    const message = `waits: are counted with organization ${DEFAULT_ORGANIZATION}, and the frame has ${organization}`;
    throw new RenderError('REQUEST_INVALID', message);
  }
  const commands = { ...frame.commands, timing: 'cycle', coupling: 'exact' } as const;
  const { measurement } = renderFrameNow(
    { ...frame, commands },
    { chiplet: new TalliedChiplet(chiplet, passes), isVisibilityChipletRendering, splits },
  );
  const warpPlaces = new WarpPlaces(passes);
  const machines: ChipletMachine[] = [];
  simulateFrames([measurement], {
    ...simulationOf(gpu),
    makeMachine: (sharing) => {
      const machine = new ChipletMachine(chiplet.spec, { sharing, warpPlaces, stopWords });
      machines.push(machine);
      return machine;
    },
  });
  for (const machine of machines) warpPlaces.add(machine.warpWaits);
}

/** Chiplet that counts the warps of each pass. Frames have one pass each. */
class TalliedChiplet implements ImmediateChiplet<ResidentFrame> {
  readonly #chiplet: SimulatedChiplet;
  readonly #passes: readonly WarpTallies[];
  #pass = -1;

  constructor(chiplet: SimulatedChiplet, passes: readonly WarpTallies[]) {
    this.#chiplet = chiplet;
    this.#passes = passes;
  }

  admitFrame(frame: PreparedFrame): ResidentFrame {
    this.#pass++;
    this.#chiplet.warpTallies = this.#passes[this.#pass]!;
    return this.#chiplet.admitFrame(frame);
  }

  computeVisibility(...phase: Parameters<SimulatedChiplet['computeVisibility']>) {
    return this.#chiplet.computeVisibility(...phase);
  }

  renderBin(...bin: Parameters<SimulatedChiplet['renderBin']>) {
    return this.#chiplet.renderBin(...bin);
  }

  recycle(bin: Parameters<SimulatedChiplet['recycle']>[0]): void {
    this.#chiplet.recycle(bin);
  }
}
