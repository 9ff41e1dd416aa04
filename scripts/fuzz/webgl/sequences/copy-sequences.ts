/** Sequences that read, write and copy images. */
import type { Argument } from '../calls/call-list.ts';
import { type CallRecorder, refer } from '../calls/call-recorder.ts';
import { constants } from '../calls/constants.ts';
import { useBuffer } from './define-objects.ts';
import { GL } from './gl-constants.ts';

/** Creates and binds a framebuffer with a texture or a renderbuffer. */
export function defineFramebuffer(to: CallRecorder): void {
  const { random } = to;
  const framebuffer = to.create('createFramebuffer');
  to.call('bindFramebuffer', [GL.FRAMEBUFFER!, refer(framebuffer)]);
  const texture = to.objects.find(
    'texture',
    ({ isDeleted, target }) => !isDeleted && target === GL.TEXTURE_2D,
  );
  if (texture !== null && random.next() < 0.6) {
    const given = [GL.FRAMEBUFFER!, GL.COLOR_ATTACHMENT0!, GL.TEXTURE_2D!, refer(texture), 0];
    to.call('framebufferTexture2D', given);
  } else {
    const renderbuffer = to.create('createRenderbuffer');
    to.call('bindRenderbuffer', [GL.RENDERBUFFER!, refer(renderbuffer)]);
    to.call('renderbufferStorage', [GL.RENDERBUFFER!, GL.RGBA4!, 4, 4]);
    const given = [GL.FRAMEBUFFER!, GL.COLOR_ATTACHMENT0!, GL.RENDERBUFFER!, refer(renderbuffer)];
    to.call('framebufferRenderbuffer', given);
  }
  to.call('checkFramebufferStatus', [GL.FRAMEBUFFER!]);
}

/** Changes the images of a texture that already has images, which may be attached or drawn. */
export function changeTexture(to: CallRecorder): void {
  const { random } = to;
  const texture = to.objects.find(
    'texture',
    ({ isDeleted, target }) => !isDeleted && target === GL.TEXTURE_2D,
  );
  if (texture === null) return;
  to.call('bindTexture', [GL.TEXTURE_2D!, refer(texture)]);
  const [x, y, edgePx] = [random.integer(0, 2), random.integer(0, 2), random.integer(1, 5)];
  const texels: Argument = { view: 'Uint8Array', length: 400, values: [255, 0, 128, 64] };
  const level = random.pick([0, 0, 0, 1]);
  switch (random.integer(0, 3)) {
    case 0: {
      const given = [GL.TEXTURE_2D!, level, GL.RGBA!, edgePx, edgePx, 0, GL.RGBA!];
      to.call('texImage2D', [...given, GL.UNSIGNED_BYTE!, random.pick([texels, null])]);
      break;
    }
    case 1: {
      const given = [GL.TEXTURE_2D!, level, x, y, edgePx, edgePx, GL.RGBA!, GL.UNSIGNED_BYTE!];
      to.call('texSubImage2D', [...given, texels]);
      break;
    }
    case 2:
      to.call('copyTexSubImage2D', [GL.TEXTURE_2D!, level, x, y, x - 1, y, edgePx, edgePx]);
      break;
    default:
      to.call('copyTexImage2D', [GL.TEXTURE_2D!, level, GL.RGBA!, x - 1, y, edgePx, edgePx, 0]);
  }
  if (random.next() < 0.2) to.call('generateMipmap', [GL.TEXTURE_2D!]);
}

/** Copies between two framebuffers, the first of which can have several samples per pixel. */
export function blit(to: CallRecorder): void {
  const { random } = to;
  const targets = constants('READ_FRAMEBUFFER DRAW_FRAMEBUFFER');
  const format = random.pick(constants('RGBA8 RGBA8 RGB565 RGBA8I DEPTH24_STENCIL8'));
  const isDepth = format === constants('DEPTH24_STENCIL8')[0];
  const point = constants(isDepth ? 'DEPTH_STENCIL_ATTACHMENT' : 'COLOR_ATTACHMENT0')[0]!;
  for (const [index, target] of targets.entries()) {
    const framebuffer = to.create('createFramebuffer');
    const renderbuffer = to.create('createRenderbuffer');
    to.call('bindFramebuffer', [target, refer(framebuffer)]);
    to.call('bindRenderbuffer', [GL.RENDERBUFFER!, refer(renderbuffer)]);
    const samples = index === 0 ? random.pick([0, 0, 4]) : 0;
    to.call('renderbufferStorageMultisample', [GL.RENDERBUFFER!, samples, format, 6, 6]);
    to.call('framebufferRenderbuffer', [target, point, GL.RENDERBUFFER!, refer(renderbuffer)]);
  }
  if (random.next() < 0.4) to.call('bindFramebuffer', [random.pick(targets), null]);
  const [mask, nearest] = constants(`${isDepth ? 'DEPTH' : 'COLOR'}_BUFFER_BIT NEAREST`);
  const edgePx = random.pick([6, 6, 4]);
  to.call('blitFramebuffer', [0, 0, 6, 6, 0, 0, edgePx, edgePx, mask!, nearest!]);
}

/** Transfers texels through buffers. */
export function transferByBuffer(to: CallRecorder): void {
  const [pack, unpack] = constants('PIXEL_PACK_BUFFER PIXEL_UNPACK_BUFFER');
  const buffer = useBuffer(to, false);
  to.call('bindBuffer', [pack!, refer(buffer)]);
  to.call('readPixels', [0, 0, 4, 4, GL.RGBA!, GL.UNSIGNED_BYTE!, 0]);
  to.call('bindBuffer', [pack!, null]);
  to.call('bindBuffer', [unpack!, refer(buffer)]);
  const given = [GL.TEXTURE_2D!, 0, GL.RGBA!, 4, 4, 0, GL.RGBA!, GL.UNSIGNED_BYTE!, 16];
  to.call('texImage2D', given);
  to.call('bindBuffer', [unpack!, null]);
  const view: Argument = { view: 'Uint8Array', length: 16, values: [] };
  to.call('getBufferSubData', [GL.ARRAY_BUFFER!, 0, view]);
}

/** Reads pixels of the current framebuffer. */
export function readBack(to: CallRecorder): void {
  const pixels: Argument = { view: 'Uint8Array', length: 4 * 4 * 4, values: [] };
  to.call('readPixels', [0, 0, 4, 4, GL.RGBA!, GL.UNSIGNED_BYTE!, pixels]);
}
