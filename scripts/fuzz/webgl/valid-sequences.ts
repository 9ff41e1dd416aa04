/**
 * Sequences of calls that a correct program would make, so that later calls find objects with
 * contents and draws reach the rasterizer.
 */
import { type CallRecorder, refer } from './calls/call-recorder.ts';
import { constants } from './calls/constants.ts';
import {
  blit,
  changeTexture,
  copyToLayer,
  defineFramebuffer,
  inspect,
  readBack,
  transferByBuffer,
} from './sequences/copy-sequences.ts';
import { defineBuffer, defineProgram, defineTexture } from './sequences/define-objects.ts';
import { capture, draw, query, setUniforms, time } from './sequences/draw-sequences.ts';
import { GL } from './sequences/gl-constants.ts';
import { attachViews, defineCompressedTexture, uploadImage } from './sequences/upload-sequences.ts';

/** Unbinds objects whose state makes most calls fail. */
function restore(to: CallRecorder): void {
  to.call('bindFramebuffer', [GL.FRAMEBUFFER!, null]);
  for (let index = 0; index < 4; index++) to.call('disableVertexAttribArray', [index]);
  if (to.version === 1) return;
  to.call('bindTransformFeedback', [GL.TRANSFORM_FEEDBACK!, null]);
  for (const target of constants('PIXEL_PACK_BUFFER PIXEL_UNPACK_BUFFER')) {
    to.call('bindBuffer', [target, null]);
  }
  to.call('bindVertexArray', [null]);
  for (const parameter of constants('UNPACK_SKIP_PIXELS UNPACK_SKIP_ROWS UNPACK_ROW_LENGTH')) {
    to.call('pixelStorei', [parameter, 0]);
  }
}

function bindObjects(to: CallRecorder): void {
  const sampler = to.create('createSampler');
  to.call('bindSampler', [to.random.integer(0, 3), refer(sampler)]);
  const array = to.create('createVertexArray');
  to.call('bindVertexArray', [refer(array)]);
  to.create('fenceSync', [GL.SYNC_GPU_COMMANDS_COMPLETE!, 0]);
}

type Sequence = (to: CallRecorder) => unknown;

function repeat(weight: number, sequence: Sequence): readonly Sequence[] {
  return Array.from({ length: weight }, () => sequence);
}

/** Sequences, as often as their weight. */
const SEQUENCES: readonly Sequence[] = [
  ...repeat(3, defineBuffer),
  ...repeat(4, defineTexture),
  ...repeat(2, defineProgram),
  ...repeat(3, setUniforms),
  ...repeat(6, draw),
  ...repeat(3, defineFramebuffer),
  inspect,
  ...repeat(3, readBack),
  ...repeat(3, changeTexture),
  ...repeat(2, defineCompressedTexture),
  ...repeat(2, uploadImage),
  ...repeat(4, restore),
  time,
];
const SEQUENCES_OF_WEBGL2: readonly Sequence[] = [
  ...SEQUENCES,
  attachViews,
  bindObjects,
  blit,
  copyToLayer,
  capture,
  query,
  transferByBuffer,
];

/** Appends one valid sequence. */
export function appendSequence(to: CallRecorder): void {
  to.random.pick(to.version === 2 ? SEQUENCES_OF_WEBGL2 : SEQUENCES)(to);
}
