/** Sequences that read, write and copy images. */
import type { Argument } from '../calls/call-list.ts';
import { type CallRecorder, refer } from '../calls/call-recorder.ts';
import { constants } from '../calls/constants.ts';
import type { KnownObject } from '../calls/known-objects.ts';
import { useBuffer } from './define-objects.ts';
import { GL } from './gl-constants.ts';

/** Creates and binds a framebuffer with a texture or a renderbuffer. */
export function defineFramebuffer(to: CallRecorder): void {
  const { random } = to;
  const framebuffer = to.create('createFramebuffer');
  to.call('bindFramebuffer', [GL.FRAMEBUFFER!, refer(framebuffer)]);
  const texture = to.objects.find(
    'texture',
    ({ isDeleted, target }) => !isDeleted && target !== undefined,
  );
  if (texture !== null && random.next() < 0.6) {
    attachTexture(to, texture);
  } else {
    const format = random.next() < 0.5 ? GL.RGBA4! : to.maker.suitable('renderFormat');
    attachRenderbuffer(to, GL.COLOR_ATTACHMENT0!, format);
  }
  if (random.next() < 0.3) attachDepth(to);
  to.call('checkFramebufferStatus', [GL.FRAMEBUFFER!]);
}

/** Attaches an image or a layer of a texture. */
function attachTexture(to: CallRecorder, texture: KnownObject): void {
  const { random } = to;
  const { target } = texture;
  const level = random.pick([0, 0, 0, 1]);
  if (level > 0) chooseLevels(to, texture);
  const point = [GL.FRAMEBUFFER!, GL.COLOR_ATTACHMENT0!];
  if (target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY) {
    to.call('framebufferTextureLayer', [...point, refer(texture), level, random.integer(0, 1)]);
    return;
  }
  const isCube = target === GL.TEXTURE_CUBE_MAP;
  const image = isCube ? GL.TEXTURE_CUBE_MAP_POSITIVE_X! + random.integer(0, 5) : target!;
  to.call('framebufferTexture2D', [...point, image, refer(texture), level]);
}

/** Limits a texture to some of its levels, which may be missing. */
function chooseLevels(to: CallRecorder, texture: KnownObject): void {
  const [base, last] = constants('TEXTURE_BASE_LEVEL TEXTURE_MAX_LEVEL');
  to.call('bindTexture', [texture.target!, refer(texture)]);
  if (to.random.next() < 0.6) to.call('generateMipmap', [texture.target!]);
  to.call('texParameteri', [texture.target!, base!, to.random.integer(0, 1)]);
  to.call('texParameteri', [texture.target!, last!, to.random.integer(0, 2)]);
}

/** Attaches a renderbuffer of depths, stencil values or both, not always where it fits. */
function attachDepth(to: CallRecorder): void {
  const { random } = to;
  const formats = constants('DEPTH_COMPONENT16 STENCIL_INDEX8 DEPTH_STENCIL');
  const points = constants('DEPTH_ATTACHMENT STENCIL_ATTACHMENT DEPTH_STENCIL_ATTACHMENT');
  const index = random.integer(0, 2);
  const point = random.next() < 0.8 ? points[index]! : random.pick(points);
  attachRenderbuffer(to, point, formats[index]!);
}

function attachRenderbuffer(to: CallRecorder, point: number, format: Argument): void {
  const renderbuffer = to.create('createRenderbuffer');
  to.call('bindRenderbuffer', [GL.RENDERBUFFER!, refer(renderbuffer)]);
  to.call('renderbufferStorage', [GL.RENDERBUFFER!, format, 4, 4]);
  const given = [GL.FRAMEBUFFER!, point, GL.RENDERBUFFER!, refer(renderbuffer)];
  to.call('framebufferRenderbuffer', given);
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
    default: {
      const format = random.next() < 0.5 ? GL.RGBA! : to.maker.suitable('internalFormat');
      to.call('copyTexImage2D', [GL.TEXTURE_2D!, level, format, x - 1, y, edgePx, edgePx, 0]);
    }
  }
  if (random.next() < 0.2) to.call('generateMipmap', [GL.TEXTURE_2D!]);
}

/** Copies pixels of the framebuffer to a layer of a texture. */
export function copyToLayer(to: CallRecorder): void {
  const { random } = to;
  const texture = to.objects.find(
    'texture',
    ({ isDeleted, target }) =>
      !isDeleted && (target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY),
  );
  if (texture === null) return;
  to.call('bindTexture', [texture.target!, refer(texture)]);
  const [x, y, layer] = [random.integer(0, 1), random.integer(-1, 1), random.integer(0, 1)];
  const size = [random.integer(0, 2), random.integer(0, 2)];
  to.call('copyTexSubImage3D', [texture.target!, 0, x, x, layer, x, y, ...size]);
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

/** Reads state of the context and of the current framebuffer. */
export function inspect(to: CallRecorder): void {
  for (let left = 6; left > 0; left--) to.suitable('getParameter', ['parameter']);
  for (let left = 4; left > 0; left--) {
    const kinds = ['framebufferTarget', 'attachmentOrDefault', 'attachmentParameter'];
    to.suitable('getFramebufferAttachmentParameter', kinds);
  }
}
