/** Where a context's frames come from: whoever renders what it recorded. */
import type { Image, Report } from '@tessera/frame';
import type { GlContext } from '@tessera/gl';
import type { FrameAccount } from '@tessera/multi-chiplet';
import type { ServedFrame } from './service-source.ts';

/** A frame of a context, rendered. */
export interface DrawnFrame {
  /** What is in the drawing buffer, top row first. */
  readonly image: Image;
  /** `null` where nothing was drawn for the frame, or in more parts than one report takes. */
  readonly report: Report | null;
  /** `null` with `timing: functional`. */
  readonly timeline: FrameAccount['timeline'];
}

export interface FrameSource {
  /** Ends the frame that was recorded, which nobody wants to see. */
  skipFrame(gl: GlContext): void;
  /** Ends the frame that was recorded. A service gives a promise of what it is. */
  finishFrame(gl: GlContext): DrawnFrame | Promise<ServedFrame>;
}
