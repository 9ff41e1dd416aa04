/** Renderer of transform feedback and of occlusion queries for replays of captures. */
import type { Frame } from '@tessera/frame';
import type { FrameRenderedNow } from '@tessera/multi-chiplet';
import { LocalGpu } from './local-gpu.ts';

/** Returns a function that renders frames at once. It creates its GPU for the first one. */
export function makeFeedbackRenderer(): (frame: Frame) => FrameRenderedNow {
  let gpu: LocalGpu | null = null;
  return (frame) => {
    gpu ??= new LocalGpu({ chipletCount: 1 });
    return gpu.renderNow(frame);
  };
}
