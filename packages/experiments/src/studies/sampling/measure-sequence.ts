/** Measures every frame of a sequence: features, cycles, and makespans by policy. */
import type { Frame } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { binPhase, simulateAlone } from '../chiplets/chiplet-study.ts';
import { ASSIGNMENTS, type FrameFigures } from './sequence-figures.ts';

/**
 * Measures the frames in order, each alone, with the defaults of the command line.
 *
 * @param frames Makes the frames. Their programs may be compiled with the cache that it receives.
 * @param onFrame Called after each frame with the number of measured frames.
 * @throws {RenderError} As `LocalGpu.render`.
 */
export async function measureSequence(
  frames: (programs: LocalGpu['programs']) => AsyncIterable<Frame>,
  onFrame: (done: number) => void = () => {},
): Promise<FrameFigures[]> {
  const gpu = new LocalGpu();
  const measured: FrameFigures[] = [];
  for await (const frame of frames(gpu.programs)) {
    measured.push(await measureFrame(gpu, frame));
    onFrame(measured.length);
  }
  return measured;
}

async function measureFrame(gpu: LocalGpu, frame: Frame): Promise<FrameFigures> {
  const features = gpu.countFeatures(frame);
  const { report } = await gpu.render(frame, { timing: 'cycle' });
  const { measurement } = await gpu.render(frame, { timing: 'cycle', coupling: 'none' });
  return {
    features,
    cycles: report.totals.cycles!,
    makespans: ASSIGNMENTS.map(({ policy, chiplets }) => {
      const { simulated } = simulateAlone(measurement, chiplets, { policy });
      return binPhase(simulated, chiplets).makespanCycles;
    }),
  };
}
