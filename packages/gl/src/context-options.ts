import type { GlErrorRecord } from './api/gl-errors.ts';
import type { ProgramReflection } from './objects/programs/program-reflection.ts';
import type { FrameRenderer } from './recording/pass-renderer.ts';
import type { DrawingBufferAttributes } from './recording/passes/drawing-buffer.ts';
import type { GlDialect } from './rules/api-rules.ts';
import type { SharedObjects } from './shared-objects.ts';

/** Options of a context. */
export interface GlContextOptions {
  /** API that the context follows. */
  readonly dialect: GlDialect;
  /** Width of the screen in pixels. */
  readonly widthPx: number;
  /** Height of the screen in pixels. */
  readonly heightPx: number;
  /** Reflection of shaders and programs by the compiler. */
  readonly reflection: ProgramReflection;
  /** Objects shared with another context. By default the context creates new ones. */
  readonly shared?: SharedObjects;
  /** Called for each GL error. */
  readonly onError?: (error: GlErrorRecord) => void;
  /** Upper bound on the bytes of buffers and textures in one frame. Default: 1 GiB. */
  readonly maxFrameBytes?: number;
  /**
   * Renderer of recorded passes, called when an API call depends on what they drew. WebGL contexts
   * need one. Its frames may draw only into textures.
   */
  readonly renderer?: FrameRenderer;
  /**
   * Renderer of transform feedback in a context without `renderer`. Default: draws that transform
   * feedback captures are refused.
   */
  readonly feedbackRenderer?: FrameRenderer | undefined;
  /** Drawing buffer of a context with a renderer. Default: alpha and depth, not preserved. */
  readonly drawingBuffer?: DrawingBufferAttributes;
}

/** Drawing buffer of a context with a renderer whose options specify none. */
export const DEFAULT_DRAWING_BUFFER: DrawingBufferAttributes = Object.freeze({
  hasAlpha: true,
  hasDepth: true,
  hasStencil: false,
  isAntialiased: false,
  isPreserved: false,
});

/** Default of `maxFrameBytes`: 1 GiB. */
export const DEFAULT_MAX_FRAME_BYTES = 1 << 30;
