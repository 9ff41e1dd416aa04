/** Renderer of a context's frames, in this process or in a service. */
import type { Image, Report } from '@tessera/frame';
import type { GlContext } from '@tessera/gl';
import type { FrameAccount } from '@tessera/multi-chiplet';
import type { ServedFrame } from './service-source.ts';

/** Rendered frame of a context. */
export interface DrawnFrame {
  /** Contents of the drawing buffer, top row first. */
  readonly image: Image;
  /** Report; `null` if the frame has no draws, or more parts than one report can have. */
  readonly report: Report | null;
  /** Timeline; `null` with `timing: functional`. */
  readonly timeline: FrameAccount['timeline'];
  /** Encodes the image as PNG, opaque: 8 bits of red, green and blue. */
  png(): Promise<Uint8Array>;
}

/** Renderer of the frames that a context records. */
export interface FrameSource {
  /** Ends the recorded frame without showing it. */
  skipFrame(gl: GlContext): void;
  /** Ends the recorded frame and renders it. A service returns a promise. */
  finishFrame(gl: GlContext): DrawnFrame | Promise<ServedFrame>;
}
