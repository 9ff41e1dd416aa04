/** Replays calls for layered textures, texture copies, multiple targets and multisampling. */

import { FIXED } from '../../api/fixed-constants.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { booleanOf, floatOf, numberOf, numbersOf, refuseCall } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

const numbers = (call: CapturedCall, ...names: readonly string[]): number[] =>
  names.map((name) => numberOf(call, name));

/** Refuses a copy into an array of 1D textures, whose rows are layers. */
function refuseRows(call: CapturedCall): void {
  if (numberOf(call, 'target') === FIXED.TEXTURE_1D_ARRAY) {
    refuseCall(call, 'copies into arrays of 1D textures are not supported');
  }
}

/** Replay functions of layered and multisampled images, by function name. */
export const IMAGE_CALLS: Record<string, CallReplay> = {
  glTexStorage1D: ({ gl }, call) => {
    const [target, levels, format] = numbers(call, 'target', 'levels', 'internalformat');
    gl.textures.uploads.storage(target!, levels!, format!, numberOf(call, 'width'), 1);
  },
  glTexStorage2D: ({ gl }, call) => {
    const [target, levels, format] = numbers(call, 'target', 'levels', 'internalformat');
    const [width, height] = numbers(call, 'width', 'height');
    const { uploads } = gl.textures;
    const isOfRows = target === FIXED.TEXTURE_1D_ARRAY;
    if (isOfRows) uploads.storage(target, levels!, format!, width!, 1, height!);
    else uploads.storage(target!, levels!, format!, width!, height!);
  },
  glTexStorage3D: ({ gl }, call) => {
    const [target, levels, format] = numbers(call, 'target', 'levels', 'internalformat');
    const [width, height, depth] = numbers(call, 'width', 'height', 'depth');
    gl.textures.uploads.storage(target!, levels!, format!, width!, height!, depth!);
  },
  glCopyTexImage2D: ({ gl }, call) => {
    const [target, level, format] = numbers(call, 'target', 'level', 'internalformat');
    refuseRows(call);
    const [x, y, width, height] = numbers(call, 'x', 'y', 'width', 'height');
    gl.copies.image(target!, level!, format!, x!, y!, width!, height!);
  },
  glCopyTexImage1D: ({ gl }, call) => {
    const [target, level, format] = numbers(call, 'target', 'level', 'internalformat');
    const [x, y, width] = numbers(call, 'x', 'y', 'width');
    gl.copies.image(target!, level!, format!, x!, y!, width!, 1);
  },
  glCopyTexSubImage1D: ({ gl }, call) => {
    const [target, level, intoX] = numbers(call, 'target', 'level', 'xoffset');
    const [x, y, width] = numbers(call, 'x', 'y', 'width');
    gl.copies.subImage(target!, level!, intoX!, 0, x!, y!, width!, 1);
  },
  glCopyTexSubImage2D: ({ gl }, call) => {
    const [target, level, intoX, intoY] = numbers(call, 'target', 'level', 'xoffset', 'yoffset');
    refuseRows(call);
    const [x, y, width, height] = numbers(call, 'x', 'y', 'width', 'height');
    gl.copies.subImage(target!, level!, intoX!, intoY!, x!, y!, width!, height!);
  },
  glCopyTexSubImage3D: ({ gl }, call) => {
    const [target, level, x, y, z] = numbers(
      call,
      ...['target', 'level', 'xoffset', 'yoffset', 'zoffset'],
    );
    const rect = numbers(call, 'x', 'y', 'width', 'height');
    gl.copies.subImage3d(target!, level!, x!, y!, z!, rect[0]!, rect[1]!, rect[2]!, rect[3]!);
  },
  glFramebufferTexture3D: ({ gl, shared }, call) => {
    const [target, attachment, level, slice] = numbers(
      call,
      ...['target', 'attachment', 'level', 'zoffset'],
    );
    const texture = shared.textures.get(numberOf(call, 'texture'));
    gl.framebuffers.attachLayer(target!, attachment!, texture, level!, slice!);
  },
  glFramebufferTexture1D: ({ gl, shared }, call) => {
    const [target, attachment, textarget] = numbers(call, 'target', 'attachment', 'textarget');
    const texture = shared.textures.get(numberOf(call, 'texture'));
    const level = numberOf(call, 'level');
    gl.framebuffers.attachTexture(target!, attachment!, textarget!, texture, level);
  },
  glFramebufferTexture: ({ gl, shared }, call) => {
    const [target, attachment, level] = numbers(call, 'target', 'attachment', 'level');
    const texture = shared.textures.get(numberOf(call, 'texture'));
    gl.framebuffers.attachLevel(target!, attachment!, texture, level!);
  },
  glFramebufferTextureLayer: ({ gl, shared }, call) => {
    const [target, attachment, level, layer] = numbers(
      call,
      ...['target', 'attachment', 'level', 'layer'],
    );
    const texture = shared.textures.get(numberOf(call, 'texture'));
    gl.framebuffers.attachLayer(target!, attachment!, texture, level!, layer!);
  },
  glBlitFramebuffer: ({ gl }, call) => {
    const from = numbers(call, 'srcX0', 'srcY0', 'srcX1', 'srcY1');
    const to = numbers(call, 'dstX0', 'dstY0', 'dstX1', 'dstY1');
    const edges = ([x0, y0, x1, y1]: readonly number[]) => [x0!, y0!, x1!, y1!] as const;
    gl.blits.blit(edges(from), edges(to), numberOf(call, 'mask'), numberOf(call, 'filter'));
  },
  glRenderbufferStorageMultisample: ({ gl }, call) => {
    const [target, samples, format] = numbers(call, 'target', 'samples', 'internalformat');
    const [width, height] = numbers(call, 'width', 'height');
    gl.renderbuffers.setMultisampleStorage(target!, samples!, format!, width!, height!);
  },
  glSampleCoverage: ({ gl }, call) =>
    gl.raster.setSampleCoverage(floatOf(call, 'value'), booleanOf(call, 'invert')),
  glDrawBuffers: ({ gl }, call) => gl.framebuffers.setDrawBuffers(numbersOf(call, 'bufs')),
};
