/** What was posted: a model, or a capture and which of its frames is wanted. */
import type { GltfSource } from '@tessera/scenes';

export interface CaptureSource {
  readonly kind: 'capture';
  readonly bytes: Uint8Array;
  /** Counted in buffer swaps, from 0. */
  readonly frameIndex: number;
  readonly limits: CaptureLimits;
}

export interface CaptureLimits {
  /** Most bytes out of the capture's container, and most bytes of buffers and textures. */
  readonly maxBytes: number;
  readonly maxCalls: number;
  /** Largest picture, width × height. */
  readonly maxPixels: number;
}

export type FrameSource = GltfSource | CaptureSource;
