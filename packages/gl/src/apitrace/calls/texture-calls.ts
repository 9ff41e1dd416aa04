/** Replays texture functions: names, units, uploads, parameters. */
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import {
  TEXTURE_SWIZZLE_RGBA,
  TEXTURE_SWIZZLES,
} from '../../objects/samplers/texture-parameters.ts';
import { convertIndices } from '../../pixels/index-uploads.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { borderColorOf, TEXTURE_BORDER_COLOR } from './border-color.ts';
import {
  failCall,
  locationOf,
  numberOf,
  numbersOf,
  refuseCall,
  takeNumbers,
} from './call-arguments.ts';
import { type CallReplay, learnNames, type RecordedContext } from './recorded-names.ts';

/** GL_PACK_SKIP_IMAGES, GL_PACK_IMAGE_HEIGHT and GL_PACK_INVERT_MESA: no image depends on them. */
const READ_LAYOUT: readonly number[] = [0x806b, 0x806c, 0x8758];

/** Replay functions of textures, by function name. */
export const TEXTURE_CALLS: Record<string, CallReplay> = {
  glGenTextures: ({ gl, shared }, call) =>
    learnNames(shared.textures, numbersOf(call, 'textures'), (count) =>
      gl.textures.generate(count),
    ),
  glDeleteTextures: ({ gl, shared }, call) =>
    gl.textures.remove(numbersOf(call, 'textures').map((name) => shared.textures.remove(name))),
  glActiveTexture: ({ gl }, call) => gl.textures.activate(numberOf(call, 'texture')),
  glBindTexture: ({ gl, shared }, call) =>
    gl.textures.bind(numberOf(call, 'target'), shared.textures.get(numberOf(call, 'texture'))),
  glPixelStorei: ({ gl }, call) => {
    const parameter = numberOf(call, 'pname');
    if (READ_LAYOUT.includes(parameter)) return;
    gl.textures.pixelStore.set(parameter, numberOf(call, 'param'));
  },
  glTexImage2D: ({ gl }, call) => {
    refuseBorder(call);
    gl.textures.uploads.image(numberOf(call, 'internalformat'), planeOf(gl, call));
  },
  glTexSubImage2D: ({ gl }, call) => {
    const [x, y] = takeNumbers(call, 'xoffset', 'yoffset');
    const upload = planeOf(gl, call);
    if (isOfRows(call)) gl.textures.uploads.subImage(x, 0, upload, y);
    else gl.textures.uploads.subImage(x, y, upload);
  },
  glCompressedTexImage2D: ({ gl }, call) => {
    refuseBorder(call);
    gl.textures.uploads.compressed.image(numberOf(call, 'internalformat'), blocksOf(gl, call));
  },
  glCompressedTexSubImage2D: ({ gl }, call) =>
    gl.textures.uploads.compressed.subImage(
      ...takeNumbers(call, 'xoffset', 'yoffset', 'format'),
      blocksOf(gl, call),
    ),
  glCompressedTexImage3D: ({ gl }, call) => {
    refuseBorder(call);
    const upload = { ...blocksOf(gl, call), depthPx: numberOf(call, 'depth') };
    gl.textures.uploads.compressed.image(numberOf(call, 'internalformat'), upload);
  },
  glCompressedTexSubImage3D: ({ gl }, call) =>
    gl.textures.uploads.compressed.subImage(
      ...takeNumbers(call, 'xoffset', 'yoffset', 'format'),
      { ...blocksOf(gl, call), depthPx: numberOf(call, 'depth') },
      numberOf(call, 'zoffset'),
    ),
  glTexImage3D: ({ gl }, call) => {
    refuseBorder(call);
    const depthPx = numberOf(call, 'depth');
    gl.textures.uploads.image(numberOf(call, 'internalformat'), { ...uploadOf(gl, call), depthPx });
  },
  glTexSubImage3D: ({ gl }, call) =>
    gl.textures.uploads.subImage(
      ...takeNumbers(call, 'xoffset', 'yoffset'),
      { ...uploadOf(gl, call), depthPx: numberOf(call, 'depth') },
      numberOf(call, 'zoffset'),
    ),
  glTexImage1D: ({ gl }, call) => {
    refuseBorder(call);
    gl.textures.uploads.image(numberOf(call, 'internalformat'), uploadOf(gl, call, 1));
  },
  glTexSubImage1D: ({ gl }, call) =>
    gl.textures.uploads.subImage(numberOf(call, 'xoffset'), 0, uploadOf(gl, call, 1)),
  glTexBuffer: ({ gl, shared }, call) => {
    const buffer = gl.buffers.object(shared.buffers.get(numberOf(call, 'buffer')));
    gl.textures.attachBuffer(...takeNumbers(call, 'target', 'internalformat'), buffer);
  },
  glTexBufferRange: ({ gl, shared }, call) => {
    const buffer = gl.buffers.object(shared.buffers.get(numberOf(call, 'buffer')));
    const [offsetBytes, sizeBytes] = takeNumbers(call, 'offset', 'size');
    const range = { offsetBytes, sizeBytes };
    gl.textures.attachBuffer(...takeNumbers(call, 'target', 'internalformat'), buffer, range);
  },
  glTexParameteri: replayTexParameter('param'),
  glTexParameterf: replayTexParameter('param'),
  glTexParameteriv: replayTexParameter('params'),
  glTexParameterfv: replayTexParameter('params'),
  glTexParameterIiv: replayTexParameter('params'),
  glTexParameterIuiv: replayTexParameter('params'),
  glGenerateMipmap: ({ gl }, call) => gl.textures.uploads.generateMipmap(numberOf(call, 'target')),
};

function refuseBorder(call: CapturedCall): void {
  if (numberOf(call, 'border') !== 0) refuseCall(call, 'texture borders are not supported');
}

function blocksOf(gl: RecordedContext['gl'], call: CapturedCall) {
  return {
    target: numberOf(call, 'target'),
    level: numberOf(call, 'level'),
    widthPx: numberOf(call, 'width'),
    heightPx: numberOf(call, 'height'),
    bytes: bytesOf(gl, call, 'data'),
  };
}

/** Returns client memory, or the pixel unpack buffer from an offset; `null` for no data. */
function bytesOf(gl: RecordedContext['gl'], call: CapturedCall, name: string): Uint8Array | null {
  const location = locationOf(call, name);
  if (typeof location !== 'number') return location;
  const unpackBuffer = gl.buffers.bound(GL.PIXEL_UNPACK_BUFFER);
  if (unpackBuffer !== null) return unpackBuffer.share().subarray(location);
  return location === 0 ? null : failCall(call, `${name} is an offset but no buffer is bound`);
}

/**
 * Returns the upload of a call.
 *
 * @param heightPx Height in pixels; by default the call's argument.
 */
function uploadOf(
  gl: RecordedContext['gl'],
  call: CapturedCall,
  heightPx = numberOf(call, 'height'),
) {
  const { maps } = gl.pixels;
  if (maps.isColorMapped) refuseCall(call, 'uploads with GL_MAP_COLOR are not supported');
  const type = numberOf(call, 'type');
  const given = bytesOf(gl, call, 'pixels');
  const upload = {
    target: numberOf(call, 'target'),
    level: numberOf(call, 'level'),
    widthPx: numberOf(call, 'width'),
    heightPx,
    format: numberOf(call, 'format'),
    type,
    bytes: given === null ? null : gl.textures.pixelStore.order(given, type),
  };
  if (upload.format !== FIXED.COLOR_INDEX) return upload;
  if ('depth' in call.args || isOfRows(call)) {
    refuseCall(call, 'color indices of several layers are not supported');
  }
  const { unpackLayout, isLeastBitFirst } = gl.textures.pixelStore;
  return convertIndices(upload, maps, { ...unpackLayout, isLeastBitFirst });
}

/** Returns whether the rows of an image are the layers of an array of 1D textures. */
function isOfRows(call: CapturedCall): boolean {
  return numberOf(call, 'target') === FIXED.TEXTURE_1D_ARRAY;
}

/** Returns the upload of a 2D image, or of an array of 1D images. */
function planeOf(gl: RecordedContext['gl'], call: CapturedCall) {
  if (!isOfRows(call)) return uploadOf(gl, call);
  return { ...uploadOf(gl, call, 1), depthPx: numberOf(call, 'height') };
}

function replayTexParameter(argument: string): CallReplay {
  return ({ gl }, call) => {
    const [first, second, third, fourth] = numbersOf(call, argument);
    if (first === undefined) failCall(call, 'the parameter is missing');
    const [target, parameter] = [numberOf(call, 'target'), numberOf(call, 'pname')];
    if (parameter === TEXTURE_BORDER_COLOR) {
      const color = [first, second ?? 0, third ?? 0, fourth ?? 0] as const;
      gl.textures.setBorderColor(target, borderColorOf(call, color));
    } else if (parameter === TEXTURE_SWIZZLE_RGBA) {
      const sources = [first, second, third, fourth];
      TEXTURE_SWIZZLES.forEach((channel, i) => {
        gl.textures.setParameter(
          target,
          channel,
          sources[i] ?? failCall(call, 'a source is missing'),
        );
      });
    } else gl.textures.setParameter(target, parameter, first);
  };
}
