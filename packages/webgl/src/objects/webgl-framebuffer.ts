/** A framebuffer as WebGL sees it: what is attached where. */
import { GL } from '../interface/constants.ts';
import { WebGLObject, type WebGLRenderbuffer } from './webgl-object.ts';
import type { WebGLTexture } from './webgl-texture.ts';

export type FramebufferAttachment =
  | { readonly kind: 'renderbuffer'; readonly object: WebGLRenderbuffer }
  | {
      readonly kind: 'texture';
      readonly object: WebGLTexture;
      readonly level: number;
      /** `GL_TEXTURE_2D`, a face of a cube, or 0 for a layer. */
      readonly textureTarget: number;
      readonly layer: number;
    };

export class WebGLFramebuffer extends WebGLObject {
  wasBound = false;
  /** By attachment point; one for depth and stencil together is apart from both in WebGL 1. */
  readonly attachments = new Map<number, FramebufferAttachment>();
  /** As `drawBuffers` was given them. */
  drawBuffers: readonly number[] = [GL.COLOR_ATTACHMENT0];
  readBuffer: number = GL.COLOR_ATTACHMENT0;
}
