/** Targets of draws and clears: the bound framebuffer, the drawing buffer, or the screen. */
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import type { DrawingBuffer } from '../recording/passes/drawing-buffer.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { Recording } from '../recording/recording.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { Capabilities } from '../state/capabilities.ts';

/** State that selects a target. */
interface TargetParts {
  readonly errors: GlErrors;
  readonly rules: ApiRules;
  readonly capabilities: Capabilities;
  readonly framebuffers: FramebufferState;
  readonly recording: Recording;
}

/** Selection of draw targets in one context. */
export class DrawTargets {
  /**
   * Drawing buffer of a context with a renderer. `null` if draws go directly to the screen of the
   * frame.
   */
  readonly drawingBuffer: DrawingBuffer | null;
  readonly #parts: TargetParts;
  #widthPx: number;
  #heightPx: number;

  constructor(
    parts: TargetParts,
    drawingBuffer: DrawingBuffer | null,
    widthPx: number,
    heightPx: number,
  ) {
    this.#parts = parts;
    this.drawingBuffer = drawingBuffer;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
  }

  /** Width of the screen in pixels. */
  get widthPx(): number {
    return this.#widthPx;
  }

  /** Height of the screen in pixels. */
  get heightPx(): number {
    return this.#heightPx;
  }

  /** Sets the size of the screen. Viewport and scissor do not change. */
  resize(widthPx: number, heightPx: number): void {
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    if (this.drawingBuffer === null) return;
    this.#parts.recording.contents?.resolveObject(this.drawingBuffer.color);
    this.drawingBuffer.resize(widthPx, heightPx);
  }

  /** Returns the target that framebuffer 0 represents. */
  screen(): PassTarget {
    return {
      framebuffer: this.drawingBuffer?.framebuffer ?? null,
      widthPx: this.#widthPx,
      heightPx: this.#heightPx,
      isSrgbRaw: this.isSrgbRaw,
    };
  }

  /** Whether sRGB encoding is off, in an API where it is optional. */
  get isSrgbRaw(): boolean {
    const { rules, capabilities } = this.#parts;
    return rules.isSrgbEncodingOptional && !capabilities.has(GL.FRAMEBUFFER_SRGB);
  }

  /**
   * Returns the target of a draw or clear, or `null` after an error.
   *
   * @param caller Name of the API function, for messages.
   */
  current(caller: string): PassTarget | null {
    const { errors, framebuffers } = this.#parts;
    const status = framebuffers.checkStatus(GL.FRAMEBUFFER);
    if (status !== GL.FRAMEBUFFER_COMPLETE) {
      const message = `${caller}: the framebuffer is incomplete (${nameOfEnum(status)})`;
      errors.raise(GL.INVALID_FRAMEBUFFER_OPERATION, message);
      return null;
    }
    const bound = framebuffers.drawFramebuffer;
    const framebuffer = bound ?? this.drawingBuffer?.framebuffer ?? null;
    const size = bound === null ? (this.drawingBuffer ?? this) : framebuffers.sizeOf(bound);
    const { isSrgbRaw } = this;
    return { framebuffer, widthPx: size.widthPx, heightPx: size.heightPx, isSrgbRaw };
  }
}
