/** Posted source of a frame in the store: a model, a capture, or a native frame. */
import type { FrameLimits, Sha256 } from '@tessera/frame';
import type { ChosenFrame } from '@tessera/gl/apitrace';

/** Kinds of sources. */
export const SOURCE_KINDS = ['glb', 'gltf', 'capture', 'frame-msgpack', 'frame-json'] as const;
/** Kind of a source. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Posted file. */
export interface SourceFile {
  /** URI of a file that a .gltf names; a human-readable name for other files. */
  readonly name: string;
  readonly sha256: Sha256;
  readonly bytes: number;
}

/** Source that a frame is made from. */
export interface FrameSource {
  readonly kind: SourceKind;
  /**
   * The model, capture or frame itself, followed by the files that a .gltf names or the resources
   * that a native frame names.
   */
  readonly files: readonly SourceFile[];
  /** Frame of a capture; 0 for all other kinds. */
  readonly frameIndex: ChosenFrame;
}

/** Limits on reading a source. */
export interface SourceLimits {
  /** Decompressed bytes of a capture. */
  readonly maxCaptureBytes: number;
  /** Bytes of buffers and textures that a capture creates. */
  readonly maxCaptureObjectBytes: number;
  readonly maxCaptureCalls: number;
  /** Bytes of all resources that a native frame names by hash. */
  readonly maxResourceBytes: number;
  /** Pixels of the image, width × height. */
  readonly maxPixels: number;
  /** Limits of the resulting frame. */
  readonly frame: FrameLimits;
}
