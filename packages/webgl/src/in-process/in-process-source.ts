/** Frames rendered in this process: each ends with what is on the screen and one report for all its parts. */
import type { GlContext } from '@tessera/gl';
import { dropReplacedContents } from '../frames/drop-replaced-contents.ts';
import type { DrawnFrame, FrameSource } from '../frames/frame-source.ts';
import { SimulatedGpu, type SimulatedGpuChoice } from './simulated-gpu.ts';

export class InProcessSource implements FrameSource {
  readonly gpu: SimulatedGpu;

  constructor(choice?: SimulatedGpuChoice) {
    this.gpu = new SimulatedGpu(choice);
  }

  skipFrame(gl: GlContext): void {
    gl.endSkippedFrame();
    this.gpu.forgetParts();
  }

  finishFrame(gl: GlContext): DrawnFrame {
    const { image, drawnTextures } = this.gpu.render(dropReplacedContents(gl.takeFrame()));
    gl.settleFrame(drawnTextures);
    if (image === null) throw new Error('a frame that draws nothing to the screen');
    const account = this.gpu.finishFrame(image);
    return { image, report: account?.report ?? null, timeline: account?.timeline ?? null };
  }
}
