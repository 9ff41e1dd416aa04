/**
 * Accumulation buffer of a desktop context (OpenGL 2.1, section 4.2.4): a framebuffer of floats
 * that the context owns. Each operation is a draw over the whole buffer.
 */
import { type PipelineState, RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import { RenderbufferObject } from '../objects/framebuffers/renderbuffer-object.ts';
import { oneTexel } from '../objects/textures/texture-content.ts';
import type { DrawRecorder } from '../recording/draw-recorder.ts';
import type { RasterImage } from '../recording/generated/image-draw.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { Recording } from '../recording/recording.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { DrawTargets } from './draw-targets.ts';

const [ACCUM, LOAD, RETURN, MULT, ADD] = [0x100, 0x101, 0x102, 0x103, 0x104] as const;
const OPERATIONS: readonly number[] = [ACCUM, LOAD, RETURN, MULT, ADD];
const RGBA32F = 0x8814;

/** Image of one white texel. */
const WHITE = oneTexel('rgba8unorm', 255, 255, 255, 255);

/** Parts of a context that accumulation depends on. */
interface AccumulationParts {
  readonly errors: GlErrors;
  readonly capabilities: Capabilities;
  readonly framebuffers: FramebufferState;
  readonly targets: DrawTargets;
  readonly recorder: DrawRecorder;
  readonly recording: Recording;
}

/** Returns the state of a draw that neither blends nor tests. The scissor still applies. */
function replace(state: PipelineState): PipelineState {
  return {
    ...state,
    blend: { ...state.blend, isEnabled: false },
    depth: { ...state.depth, isTestEnabled: false, isWriteEnabled: false },
    stencil: { ...state.stencil, isTestEnabled: false },
  };
}

/** Returns the state of a draw into the accumulation buffer, which has no color mask. */
function replaceAll(state: PipelineState): PipelineState {
  const { colorTargets: _none, ...rest } = replace(state);
  return { ...rest, colorMask: [true, true, true, true] };
}

/** Accumulation buffer of one context. */
export class AccumulationBuffer {
  readonly #parts: AccumulationParts;
  readonly #framebuffer = new FramebufferObject(0);
  readonly #color = new RenderbufferObject(0);
  #clearColor: readonly number[] = [0, 0, 0, 0];
  /** Color of a clear that was not drawn yet. */
  #waiting: readonly number[] | null = null;
  /** Whether the contents are known. The screen of a frame that was not recorded is not. */
  #isKnown = true;

  constructor(parts: AccumulationParts) {
    this.#parts = parts;
    const attachment = { kind: 'renderbuffer', renderbuffer: this.#color } as const;
    this.#framebuffer.attachments.set('color0', attachment);
  }

  /** Sets the color of clears, limited to −1 to 1. */
  setClearColor(color: readonly number[]): void {
    this.#clearColor = color.map((value) => Math.min(1, Math.max(-1, value)));
  }

  /** Clears the buffer. Most programs that do so never use it, so a whole clear waits for a use. */
  clear(): void {
    if (this.#parts.capabilities.has(GL.SCISSOR_TEST)) {
      this.#flush();
      this.#draw({ kind: 'scaled', content: WHITE, color: this.#clearColor });
    } else {
      this.#waiting = this.#clearColor;
      this.#isKnown = true;
    }
  }

  /** Runs an operation of `glAccum`. */
  operate(operation: number, value: number): void {
    const { errors, framebuffers } = this.#parts;
    if (!OPERATIONS.includes(operation)) {
      errors.raise(GL.INVALID_ENUM, `accum: ${nameOfEnum(operation)} is not an operation`);
      return;
    }
    if (framebuffers.drawFramebuffer !== null || framebuffers.readFramebuffer !== null) {
      const message = 'accum: a framebuffer object has no accumulation buffer';
      errors.raise(GL.INVALID_OPERATION, message);
      return;
    }
    this.#flush();
    const color = [value, value, value, value];
    switch (operation) {
      case ADD:
        this.#accumulate(WHITE, color);
        break;
      case MULT:
        this.#scale(this.#copy(this.#target()), color);
        break;
      case RETURN:
        this.#return(color);
        break;
      case LOAD:
        this.#load(color);
        break;
      default: {
        const screen = this.#copyScreen();
        if (screen !== null) this.#accumulate(screen, color);
      }
    }
  }

  #load(color: readonly number[]): void {
    const screen = this.#copyScreen();
    this.#scale(screen, color);
    const isWhole = !this.#parts.capabilities.has(GL.SCISSOR_TEST);
    if (screen !== null && isWhole) this.#isKnown = true;
  }

  /** Copies the screen. Without one, the contents are unknown from here on. */
  #copyScreen(): number | null {
    const screen = this.#copy(this.#parts.targets.screen());
    if (screen === null) this.#isKnown = false;
    return screen;
  }

  /** Replaces the contents by a texture times a color. */
  #scale(content: number | null, color: readonly number[]): void {
    if (content !== null) this.#draw({ kind: 'scaled', content, color });
  }

  /** Draws the clear that waits, of the whole buffer. */
  #flush(): void {
    const color = this.#waiting;
    this.#waiting = null;
    if (color === null) return;
    const image = { kind: 'scaled', content: WHITE, color } as const;
    this.#draw(image, (state) => ({ ...replaceAll(state), scissor: null }));
  }

  #accumulate(content: RasterImage['content'], color: readonly number[]): void {
    const own = this.#copy(this.#target());
    if (own !== null) this.#draw({ kind: 'summed', content, color, secondIndex: own });
  }

  #return(color: readonly number[]): void {
    const { targets, recorder, recording } = this.#parts;
    const target = targets.screen();
    const isReturned = recording.record(target, () => this.#requireKnown());
    const own = isReturned === null ? null : this.#copy(this.#target());
    if (own === null) return;
    recorder.drawImage({ ...this.#placed, kind: 'scaled', content: own, color }, target, replace);
  }

  /**
   * @throws {RenderError} FRAME_UNSUPPORTED if the contents need the screen of an earlier frame.
   */
  #requireKnown(): true {
    if (this.#isKnown) return true;
    const message = 'the accumulation buffer has images of earlier frames';
    throw new RenderError('FRAME_UNSUPPORTED', message);
  }

  /** Copies a whole target. Returns the texture of the frame; `null` for one of a skipped frame. */
  #copy(source: PassTarget): number | null {
    const { widthPx: width, heightPx: height } = source;
    return this.#parts.recorder.copyOut(source, { x: 0, y: 0, width, height }, 'color');
  }

  #draw(
    image: Pick<RasterImage, 'kind' | 'content' | 'color' | 'secondIndex'>,
    change = replaceAll,
  ): void {
    this.#parts.recorder.drawImage({ ...this.#placed, ...image }, this.#target(), change);
  }

  get #placed() {
    const { widthPx, heightPx } = this.#parts.targets;
    return { edges: [0, 0, widthPx, heightPx], depth: 0, alphaTest: null } as const;
  }

  /** Returns the buffer, with the size of the screen. */
  #target(): PassTarget {
    const { widthPx, heightPx } = this.#parts.targets;
    if (this.#color.widthPx !== widthPx || this.#color.heightPx !== heightPx) {
      this.#color.setStorage(RGBA32F, widthPx, heightPx);
    }
    return { framebuffer: this.#framebuffer, widthPx, heightPx, isSrgbRaw: false };
  }
}
