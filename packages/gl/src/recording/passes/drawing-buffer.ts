/**
 * Drawing buffer of a WebGL context: a framebuffer with two renderbuffers that the context owns. It
 * represents the screen until a call in the middle of a frame reads it. Then the passes of the
 * frame are redirected to the renderbuffers.
 *
 * An antialiased drawing buffer has several samples per pixel and is never on the screen. Its
 * samples are resolved into another renderbuffer before they are read, and at the end of the frame.
 */
import { GL } from '../../api/constants.ts';
import { FramebufferObject } from '../../objects/framebuffers/framebuffer-object.ts';
import { MAX_SAMPLES, RenderbufferObject } from '../../objects/framebuffers/renderbuffer-object.ts';
import type { DrawnImage, PassAttachments } from './pass-attachments.ts';

/** Requested properties of a drawing buffer (WebGL 1.0, section 5.2). */
export interface DrawingBufferAttributes {
  /** Whether alpha is stored. Without it, alpha reads as 1. */
  readonly hasAlpha: boolean;
  readonly hasDepth: boolean;
  readonly hasStencil: boolean;
  /** Whether pixels have several samples. */
  readonly isAntialiased: boolean;
  /** Whether a frame starts with the contents of the previous frame. */
  readonly isPreserved: boolean;
}

/** Drawing buffer of one context. */
export class DrawingBuffer {
  readonly attributes: DrawingBufferAttributes;
  readonly framebuffer = new FramebufferObject(0);
  readonly color = new RenderbufferObject(0);
  readonly depthStencil = new RenderbufferObject(0);
  /** Framebuffer for reads: the same, or that of the resolved color. */
  readonly resolved: FramebufferObject;
  /** Color that reads see and that is shown, with one sample per pixel. */
  readonly readColor: RenderbufferObject;
  /** Attachments of passes to the screen. */
  readonly screen: PassAttachments;
  #isOnScreen = false;

  constructor(attributes: DrawingBufferAttributes, widthPx: number, heightPx: number) {
    const { hasAlpha, hasDepth, hasStencil, isAntialiased } = attributes;
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
    this.readColor = isAntialiased ? new RenderbufferObject(0) : color;
    this.resolved = isAntialiased ? new FramebufferObject(0) : framebuffer;
    this.resolved.attachments.set('color0', { kind: 'renderbuffer', renderbuffer: this.readColor });
    this.resize(widthPx, heightPx);
  }

  get #startsOnScreen(): boolean {
    return !this.attributes.isPreserved && !this.attributes.isAntialiased;
  }

  /** Number of samples per pixel. */
  get sampleCount(): number {
    return this.attributes.isAntialiased ? MAX_SAMPLES : 1;
  }

  /** Whether draws changed the samples since they were last resolved. */
  get hasUnresolvedSamples(): boolean {
    return this.attributes.isAntialiased && this.color.isDrawnSinceResolve;
  }

  /** Tells that a recorded copy resolves all that was drawn. */
  markResolved(): void {
    this.color.isDrawnSinceResolve = false;
  }

  /** Image that samples are resolved into. */
  get resolvedImage(): DrawnImage {
    return colorImageOf(this.readColor);
  }

  get widthPx(): number {
    return this.color.widthPx;
  }

  get heightPx(): number {
    return this.color.heightPx;
  }

  /** Whether passes draw to the screen rather than to the renderbuffers. */
  get isOnScreen(): boolean {
    return this.#isOnScreen;
  }

  /** Makes passes draw to the renderbuffers until the next frame starts. */
  leaveScreen(): void {
    this.#isOnScreen = false;
  }

  /** Starts the next frame and discards the contents unless they are preserved. */
  startFrame(): void {
    // While passes draw to the screen, the renderbuffers are empty.
    if (!this.attributes.isPreserved && !this.#isOnScreen) this.resize(this.widthPx, this.heightPx);
  }

  /** Sets the size in pixels and discards the contents. */
  resize(widthPx: number, heightPx: number): void {
    const { hasAlpha, isAntialiased } = this.attributes;
    const { sampleCount } = this;
    const colorFormat = hasAlpha ? GL.RGBA8 : GL.RGB8;
    this.color.setStorage(colorFormat, widthPx, heightPx, sampleCount);
    this.depthStencil.setStorage(GL.DEPTH24_STENCIL8, widthPx, heightPx, sampleCount);
    if (isAntialiased) this.readColor.setStorage(colorFormat, widthPx, heightPx);
    this.#isOnScreen = this.#startsOnScreen;
  }

  /** Attachments that replace the screen in a pass. */
  get renderbuffers(): PassAttachments {
    const color = colorImageOf(this.color);
    const depthStencil = {
      ...{ object: this.depthStencil, level: 0, slice: 0 },
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

function colorImageOf(object: RenderbufferObject): DrawnImage {
  return { object, level: 0, slice: 0, format: 'rgba8unorm' };
}
