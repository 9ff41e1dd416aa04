/** What was posted, as it lies in the store: a model, a capture, or a frame in the native form. */
import type { FrameLimits, Sha256 } from '@tessera/frame';

export const SOURCE_KINDS = ['glb', 'gltf', 'capture', 'frame-msgpack', 'frame-json'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** A posted file. */
export interface SourceFile {
  /** For the files that a .gltf names, the URI; else for people. */
  readonly name: string;
  readonly sha256: Sha256;
  readonly bytes: number;
}

export interface FrameSource {
  readonly kind: SourceKind;
  /** The model, capture or frame itself, then the files that a .gltf names, or the resources that a native frame names. */
  readonly files: readonly SourceFile[];
  /** Which frame of a capture, counted in buffer swaps from 0; 0 for all other kinds. */
  readonly frameIndex: number;
}

/** What reading may use up at most. */
export interface SourceLimits {
  /** Bytes out of a capture's container. */
  readonly maxCaptureBytes: number;
  /** Bytes of buffers and textures that a capture makes. */
  readonly maxCaptureObjectBytes: number;
  readonly maxCaptureCalls: number;
  /** Bytes of all that a native frame names by hash. */
  readonly maxResourceBytes: number;
  /** Largest picture, width × height. */
  readonly maxPixels: number;
  /** What the frame may hold that is made of it. */
  readonly frame: FrameLimits;
}
