/**
 * The drawing buffer of a WebGL context: a framebuffer of two renderbuffers that the context owns. As long as nobody
 * wants to know what it holds in the middle of a frame it is the screen; passes are recorded so, and turned to the
 * renderbuffers when somebody does.
 */
import { GL } from '../../api/constants.ts';
import { FramebufferObject } from '../../objects/framebuffers/framebuffer-object.ts';
import { RenderbufferObject } from '../../objects/framebuffers/renderbuffer-object.ts';
import type { PassAttachments } from './pass-attachments.ts';

/** What a drawing buffer is asked to have (WebGL 1.0, section 5.2). */
export interface DrawingBufferAttributes {
  /** Without it alpha reads 1. */
  readonly hasAlpha: boolean;
  readonly hasDepth: boolean;
  readonly hasStencil: boolean;
  /** Whether a frame begins with what the one before left. */
  readonly isPreserved: boolean;
}

export class DrawingBuffer {
  readonly attributes: DrawingBufferAttributes;
  readonly framebuffer = new FramebufferObject(0);
  readonly color = new RenderbufferObject(0);
  readonly depthStencil = new RenderbufferObject(0);
  /** As the screen. */
  readonly screen: PassAttachments;
  #isOnScreen: boolean;

  constructor(attributes: DrawingBufferAttributes, widthPx: number, heightPx: number) {
    const { hasAlpha, hasDepth, hasStencil, isPreserved } = attributes;
    const { color, depthStencil, framebuffer } = this;
    this.attributes = attributes;
    framebuffer.attachments.set('color0', { kind: 'renderbuffer', renderbuffer: color });
    const second = { kind: 'renderbuffer', renderbuffer: depthStencil } as const;
    if (hasDepth) framebuffer.attachments.set('depth', second);
    if (hasStencil) framebuffer.attachments.set('stencil', second);
    this.screen = {
      colors: ['screen'],
      hasAlpha,
      depth: hasDepth ? 'screen' : null,
      stencil: hasStencil ? 'screen' : null,
    };
    this.#isOnScreen = !isPreserved;
    this.resize(widthPx, heightPx);
  }

  get widthPx(): number {
    return this.color.widthPx;
  }

  get heightPx(): number {
    return this.color.heightPx;
  }

  /** Whether passes draw to the screen and not to the renderbuffers. */
  get isOnScreen(): boolean {
    return this.#isOnScreen;
  }

  /** From now on passes go to the renderbuffers, until `startFrame`. */
  leaveScreen(): void {
    this.#isOnScreen = false;
  }

  /** Begins the next frame: with what is there if that is preserved, else with nothing. */
  startFrame(): void {
    // Nothing is in the renderbuffers as long as the screen is drawn to.
    if (!this.attributes.isPreserved && !this.#isOnScreen) this.resize(this.widthPx, this.heightPx);
  }

  /** Gives it a size; what it held is gone. */
  resize(widthPx: number, heightPx: number): void {
    const { hasAlpha, isPreserved } = this.attributes;
    this.color.setStorage(hasAlpha ? GL.RGBA8 : GL.RGB8, widthPx, heightPx);
    this.depthStencil.setStorage(GL.DEPTH24_STENCIL8, widthPx, heightPx);
    this.#isOnScreen = !isPreserved;
  }

  /** The renderbuffers as what a pass draws into that was one to the screen. */
  get renderbuffers(): PassAttachments {
    const place = { level: 0, slice: 0 };
    const color = { object: this.color, ...place, format: 'rgba8unorm' } as const;
    const depthStencil = {
      ...{ object: this.depthStencil, ...place },
      format: 'depth24unorm-stencil8',
    } as const;
    const { hasAlpha, hasDepth, hasStencil } = this.attributes;
    return {
      colors: [color],
      hasAlpha,
      depth: hasDepth ? depthStencil : null,
      stencil: hasStencil ? depthStencil : null,
    };
  }
}
