/** What a pass draws into, taken from the framebuffer as it is at the time of the draw. */
import { type Draw, type PassClear, RenderError } from '@tessera/frame';
import type {
  Attachment,
  FramebufferObject,
  RenderbufferObject,
} from '../state/framebuffer-objects.ts';
import type { TextureObject } from '../state/texture-object.ts';

/** Identity of a buffer: the object that stores it, or the screen. */
export type BufferIdentity = 'screen' | TextureObject | RenderbufferObject;

export interface PassAttachments {
  readonly color: 'screen' | TextureObject;
  readonly hasAlpha: boolean;
  /** `null`: there is none, so its test passes and nothing is written. */
  readonly depth: BufferIdentity | null;
  readonly stencil: BufferIdentity | null;
}

const SCREEN: PassAttachments = Object.freeze({
  color: 'screen',
  hasAlpha: true,
  depth: 'screen',
  stencil: 'screen',
});

/** @throws {RenderError} FRAME_UNSUPPORTED for what frames cannot draw into. */
export function resolveAttachments(framebuffer: FramebufferObject | null): PassAttachments {
  if (framebuffer === null) return SCREEN;
  const { attachments, name } = framebuffer;
  const fail = (what: string): never => {
    throw new RenderError('FRAME_UNSUPPORTED', `framebuffer ${name}: ${what}`);
  };
  const color = attachments.get('color');
  if (color === undefined) return fail('nothing but depth is drawn');
  if (color.kind === 'renderbuffer') return fail('the colour is a renderbuffer');
  const base = color.texture.level(color.level)?.base;
  if (color.level !== 0 || !color.texture.hasBaseLevelZero) return fail('a level other than 0');
  if (base !== 'rgb' && base !== 'rgba') return fail(`the colour is a texture of format ${base}`);
  return {
    color: color.texture,
    hasAlpha: base === 'rgba',
    depth: identityOf(attachments.get('depth')),
    stencil: identityOf(attachments.get('stencil')),
  };
}

function identityOf(attachment: Attachment | undefined): BufferIdentity | null {
  if (attachment === undefined) return null;
  return attachment.kind === 'texture' ? attachment.texture : attachment.renderbuffer;
}

export function isSameTarget(a: PassAttachments, b: PassAttachments): boolean {
  return a.color === b.color && a.depth === b.depth && a.stencil === b.stencil;
}

/** The draw without tests of buffers that are not there, and without writes of alpha that is not stored. */
export function confineDraw(draw: Draw, { depth, stencil, hasAlpha }: PassAttachments): Draw {
  if (depth !== null && stencil !== null && hasAlpha) return draw;
  const { state } = draw;
  const [red, green, blue, alpha] = state.colorMask;
  return {
    ...draw,
    state: {
      ...state,
      depth: depth === null ? { ...state.depth, isTestEnabled: false } : state.depth,
      stencil: stencil === null ? { ...state.stencil, isTestEnabled: false } : state.stencil,
      colorMask: [red, green, blue, alpha && hasAlpha],
    },
  };
}

/** A colour as it is stored: without alpha, that is 1. */
export function storedColor(color: PassClear['color'], hasAlpha: boolean): PassClear['color'] {
  return hasAlpha ? color : [color[0], color[1], color[2], 1];
}
