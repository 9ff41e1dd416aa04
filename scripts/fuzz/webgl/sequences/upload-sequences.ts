/** Sequences that define textures from compressed blocks and from images, and attach layers. */
import { compressedBytes, compressedFormatOf } from '@tessera/gl';
import { compressedExtensions } from '../../../../packages/webgl/src/extensions/compressed-extensions.ts';
import { interfaceOf } from '../../../../packages/webgl/src/interface/newer-extensions.ts';
import type { Argument } from '../calls/call-list.ts';
import { type CallRecorder, refer } from '../calls/call-recorder.ts';
import { constants } from '../calls/constants.ts';
import { legalFormats } from '../calls/texture-formats.ts';
import { createTexture } from './define-objects.ts';
import { GL } from './gl-constants.ts';

const COMPRESSED_EXTENSIONS = Object.keys(compressedExtensions);
const LAYER_COUNT = 2;

/** Defines a texture with blocks of an extension, at once or by replacing parts of its storage. */
export function defineCompressedTexture(to: CallRecorder): void {
  const { random } = to;
  const extension = random.pick(COMPRESSED_EXTENSIONS);
  to.call('getExtension', [extension]);
  const format = random.pick(Object.values(interfaceOf(extension).constants));
  const blocks = compressedFormatOf(format)!;
  const isDeep = to.version === 2 && random.next() < 0.3;
  const target = isDeep
    ? random.pick([GL.TEXTURE_2D_ARRAY!, GL.TEXTURE_2D_ARRAY!, GL.TEXTURE_3D!])
    : GL.TEXTURE_2D!;
  createTexture(to, target);
  const edgePx = random.pick([4, 8, 16, 6]);
  const depth = isDeep ? [LAYER_COUNT] : [];
  const byteCountOf = (width: number, height: number) =>
    compressedBytes(blocks, width, height) * (isDeep ? LAYER_COUNT : 1);
  const bytesOf = (width: number, height: number): Argument => ({
    view: 'Uint8Array',
    length: byteCountOf(width, height),
    values: [random.integer(0, 255), 7, 200, random.integer(0, 255), 31],
  });
  const suffix = isDeep ? '3D' : '2D';
  if (to.version === 2 && random.next() < 0.4) {
    to.call(`texStorage${suffix}`, [target, 1, format, edgePx, edgePx, ...depth]);
  } else {
    const level = [target, 0, format, edgePx, edgePx, ...depth, 0];
    const bytes = bytesOf(edgePx, edgePx);
    if (to.version === 1 || random.next() < 0.7) {
      to.call(`compressedTexImage${suffix}`, [...level, bytes]);
    } else {
      const [unpack] = constants('PIXEL_UNPACK_BUFFER');
      const byteCount = byteCountOf(edgePx, edgePx);
      to.call('bindBuffer', [unpack!, refer(to.create('createBuffer'))]);
      to.call('bufferData', [unpack!, byteCount + random.pick([0, 16]), GL.STATIC_DRAW!]);
      to.call(`compressedTexImage${suffix}`, [...level, byteCount, random.pick([0, 0, 16])]);
      to.call('bindBuffer', [unpack!, null]);
    }
  }
  const [x, y] = [random.pick([0, 0, 4, 2]), random.pick([0, 0, 4])];
  const [width, height] = [edgePx - x, edgePx - y];
  const offset = isDeep ? [x, y, 0] : [x, y];
  const bytes = bytesOf(Math.max(0, width), Math.max(0, height));
  const given = [target, 0, ...offset, width, height, ...depth, format, bytes];
  to.call(`compressedTexSubImage${suffix}`, given);
}

/**
 * Uploads images and texels of the program in any legal format, converted as the pixel storage
 * demands.
 */
export function uploadImage(to: CallRecorder): void {
  const { random } = to;
  const parameters = constants(
    'UNPACK_FLIP_Y_WEBGL UNPACK_PREMULTIPLY_ALPHA_WEBGL UNPACK_COLORSPACE_CONVERSION_WEBGL',
  );
  to.call('pixelStorei', [random.pick(parameters), random.pick([0, 1, 0x9244])]);
  createTexture(to, GL.TEXTURE_2D!);
  const legal = random.pick(legalFormats(to.version, to.maker.extensions));
  const { internalFormat, format, type } = legal;
  const image = to.maker.suitable('image');
  to.call('texImage2D', [GL.TEXTURE_2D!, 0, internalFormat, format, type, image]);
  const [x, y] = [random.integer(0, 1), random.integer(0, 1)];
  const part = to.maker.suitable('image');
  to.call('texSubImage2D', [GL.TEXTURE_2D!, 0, x, y, format, type, part]);
  const texels = { view: legal.view, length: 16 * legal.elements, values: [3, 200, 9, 0, 255] };
  to.call('texImage2D', [GL.TEXTURE_2D!, 0, internalFormat, 2, 2, 0, format, type, texels]);
  if (to.version === 1) return;
  const size = [random.integer(1, 3), random.integer(1, 3)];
  const given = [GL.TEXTURE_2D!, 0, internalFormat, ...size, 0, format, type, image];
  to.call('texImage2D', given);
}

/** Attaches layers of an array as views of one framebuffer. */
export function attachViews(to: CallRecorder): void {
  const { random } = to;
  to.call('getExtension', ['OVR_multiview2']);
  const [array] = constants('TEXTURE_2D_ARRAY');
  const framebuffer = to.create('createFramebuffer');
  to.call('bindFramebuffer', [GL.FRAMEBUFFER!, refer(framebuffer)]);
  const attach = (point: number, format: number) => {
    const texture = createTexture(to, array!);
    to.call('texStorage3D', [array!, 2, format, 4, 4, LAYER_COUNT]);
    const views = [random.integer(0, 1), random.integer(1, LAYER_COUNT)];
    const given = [GL.FRAMEBUFFER!, point, refer(texture), random.pick([0, 0, 1]), ...views];
    to.call('framebufferTextureMultiviewOVR', given, 'OVR_multiview2');
  };
  const [color, depth, rgba8, depth24, clearBit] = constants(
    'COLOR_ATTACHMENT0 DEPTH_ATTACHMENT RGBA8 DEPTH_COMPONENT24 COLOR_BUFFER_BIT',
  );
  attach(color!, rgba8!);
  if (random.next() < 0.5) attach(depth!, depth24!);
  to.call('checkFramebufferStatus', [GL.FRAMEBUFFER!]);
  to.call('clear', [clearBit!]);
}
