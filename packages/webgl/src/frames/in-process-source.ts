/**
 * Frames rendered in this process. Each frame produces the image on the screen and one report for
 * all of its parts.
 */
import { encodePng } from '@tessera/frame/png';
import type { GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu, type PartObserver } from '@tessera/local-gpu';
import { dropReplacedContents } from './drop-replaced-contents.ts';
import type { DrawnFrame, FrameSource } from './frame-source.ts';
import type { SimulatedGpuChoice } from './simulated-gpu-choice.ts';

/** A context's frames, rendered by a simulated GPU in this process. */
export class InProcessSource implements FrameSource {
  readonly gpu: FrameInParts;
  readonly hasSimulatedTime: boolean;

  /** @param onPart Called with each part of a frame before it is rendered. */
  constructor(choice: SimulatedGpuChoice = {}, onPart?: PartObserver) {
    const { chipletCount, spec, ...options } = choice;
    this.hasSimulatedTime = options.timing === 'cycle';
    this.gpu = new FrameInParts(new LocalGpu({ chipletCount, spec }), options, onPart);
  }

  skipFrame(gl: GlContext): void {
    gl.frames.endSkipped();
    this.gpu.discard();
  }

  finishFrame(gl: GlContext): DrawnFrame {
    const frame = gl.frames.take();
    const { image, drawnTextures, passes } = this.gpu.render(dropReplacedContents(frame));
    gl.frames.adopt(drawnTextures);
    gl.frames.adoptCounts(frame, passes);
    if (image === null) throw new Error('the frame rendered no image for the screen');
    const account = this.gpu.finish(image);
    gl.frames.adoptTimes(account?.report.passes ?? [], account?.report.spec.clockHz ?? 1);
    return {
      image,
      report: account?.report ?? null,
      timeline: account?.timeline ?? null,
      png: () => encodePng(image),
    };
  }
}
