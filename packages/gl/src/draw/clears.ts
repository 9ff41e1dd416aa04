/**
 * Clears of framebuffers (OpenGL ES 2.0, section 4.2.3; ES 3.0, section 4.2.3 for single buffers).
 */
import { GL } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import { MAX_COLOR_ATTACHMENTS } from '../objects/framebuffers/framebuffer-object.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import { ClearRecorder } from '../recording/clear-recorder.ts';
import type { Recording } from '../recording/recording.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { RasterState } from '../state/raster-state.ts';
import type { AccumulationBuffer } from './accumulation-buffer.ts';
import type { DrawTargets } from './draw-targets.ts';

const BUFFER_BITS = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

/** State that clears depend on. */
interface ClearParts {
  readonly errors: GlErrors;
  readonly rules: ApiRules;
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly fixed: Pick<FixedState, 'isRendering'>;
  readonly framebuffers: FramebufferState;
  readonly targets: DrawTargets;
  readonly recording: Recording;
  readonly accumulation: AccumulationBuffer;
}

/** Clears of one context. */
export class Clears {
  readonly #parts: ClearParts;
  readonly #recorder: ClearRecorder;

  constructor(parts: ClearParts) {
    this.#parts = parts;
    this.#recorder = new ClearRecorder(parts);
  }

  /** Clears the buffers of a mask. */
  clear(mask: number): void {
    const { errors, rules, capabilities, fixed, targets, accumulation } = this.#parts;
    const accumulated = rules.hasFixedFunctions ? mask & GL.ACCUM_BUFFER_BIT : 0;
    if ((mask & ~(BUFFER_BITS | accumulated)) !== 0) {
      errors.raise(GL.INVALID_VALUE, `clear: mask ${mask} has bits that name no buffer`);
      return;
    }
    const target = targets.current('clear');
    if (target === null || capabilities.has(GL.RASTERIZER_DISCARD) || !fixed.isRendering) return;
    if (accumulated !== 0 && target.framebuffer === null) accumulation.clear();
    this.#recorder.clear(
      {
        color: (mask & GL.COLOR_BUFFER_BIT) !== 0,
        depth: (mask & GL.DEPTH_BUFFER_BIT) !== 0,
        stencil: (mask & GL.STENCIL_BUFFER_BIT) !== 0,
      },
      target,
    );
  }

  /**
   * Clears the color attachment of one fragment shader output (`glClearBuffer…`).
   *
   * @param value Components in the attachment's format, not clamped.
   * @param drawBuffer Index of the output. The screen of a context without a renderer has only
   *   output 0.
   */
  clearColor(drawBuffer: number, value: readonly [number, number, number, number]): void {
    const { raster, framebuffers, targets } = this.#parts;
    const framebuffer = framebuffers.drawFramebuffer ?? targets.drawingBuffer?.framebuffer;
    const { clearColor } = raster;
    if (framebuffer === undefined) {
      if (drawBuffer !== 0) return;
      raster.clearColor = value;
      this.clear(GL.COLOR_BUFFER_BIT);
      raster.clearColor = clearColor;
      return;
    }
    const { colorPoints } = framebuffer;
    framebuffer.colorPoints = colorPoints.map((point, i) =>
      i === drawBuffer ? point : (`color${MAX_COLOR_ATTACHMENTS + i}` as const),
    );
    raster.clearColor = value;
    this.clear(GL.COLOR_BUFFER_BIT);
    raster.clearColor = clearColor;
    framebuffer.colorPoints = colorPoints;
  }

  /**
   * Clears depth and stencil to values that replace those of the state (`glClearBuffer…`).
   *
   * @param depth `null` to keep the depth, as `stencil`.
   */
  clearDepthStencil(depth: number | null, stencil: number | null): void {
    const { raster } = this.#parts;
    const { clearDepth, clearStencil } = raster;
    if (depth !== null) raster.setClearDepth(depth);
    if (stencil !== null) raster.setClearStencil(stencil);
    this.clear(
      (depth === null ? 0 : GL.DEPTH_BUFFER_BIT) | (stencil === null ? 0 : GL.STENCIL_BUFFER_BIT),
    );
    raster.setClearDepth(clearDepth);
    raster.setClearStencil(clearStencil);
  }
}
