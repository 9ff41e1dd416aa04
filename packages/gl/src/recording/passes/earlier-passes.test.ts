/** Textures that frames before the wanted one drew into. */
import { type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { bindNewBuffer, bytesOf, makeContext, useProgram } from '../../testing/small-context.ts';

const TRIANGLE = bytesOf(Float32Array.of(0, 0, 1, 0, 0, 1));

/** A context that skips frames, with a program that samples, and a way to draw into textures. */
function setUp() {
  const { gl, messages } = makeContext('gl');
  useProgram(gl, 'attribute vec2 at; uniform vec4 tint;', 'uniform sampler2D map;');
  bindNewBuffer(gl, GL.ARRAY_BUFFER, TRIANGLE);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, GL.FLOAT, false, 0, 0);
  gl.setRecording(false);

  const makeTarget = () => {
    const texture = gl.genTextures(1)[0]!;
    gl.bindTexture(GL.TEXTURE_2D, texture);
    gl.texParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 8, heightPx: 8 };
    gl.texImage2D(GL.RGBA, { ...size, format: GL.RGBA, type: GL.UNSIGNED_BYTE, bytes: null });
    const framebuffer = gl.genFramebuffers(1)[0]!;
    gl.bindFramebuffer(GL.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
    return { texture, framebuffer };
  };
  type Target = ReturnType<typeof makeTarget>;
  /** Draws a triangle that samples `from`, or nothing, into a target or the screen. */
  const draw = (into: Target | null, from: Target | null, isCleared = true) => {
    gl.bindFramebuffer(GL.FRAMEBUFFER, into?.framebuffer ?? 0);
    gl.bindTexture(GL.TEXTURE_2D, from?.texture ?? 0);
    if (isCleared) gl.clear(GL.COLOR_BUFFER_BIT);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
  };
  const takeFrame = (): Frame => {
    const frame = gl.takeFrame();
    validateFrame(frame);
    expect(messages).toEqual([]);
    return frame;
  };
  return { gl, makeTarget, draw, takeFrame };
}

const kindsOf = ({ passes }: Frame) => passes.map(({ target }) => target?.kind ?? 'screen');

describe('passes of earlier frames', () => {
  it('are in the frame that samples what they drew, with what they need alone', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    const vertices = bindNewBuffer(gl, GL.ARRAY_BUFFER, bytesOf(new Float32Array(60)));
    gl.vertexAttribPointer(0, 2, GL.FLOAT, false, 0, 0);
    draw(null, null);
    gl.deleteBuffers([vertices]);
    bindNewBuffer(gl, GL.ARRAY_BUFFER, TRIANGLE);
    gl.vertexAttribPointer(0, 2, GL.FLOAT, false, 0, 0);
    draw(target, null);
    gl.endSkippedFrame();
    gl.setRecording(true);
    draw(null, target);
    const frame = takeFrame();
    expect(kindsOf(frame)).toEqual(['texture', 'screen']);
    expect(frame.buffers.map(({ bytes }) => bytes)).toEqual([TRIANGLE]);
    expect([frame.textures.length, frame.programs.length]).toEqual([1, 1]);
    expect(frame.passes[1]!.draws[0]!.textures.map).toMatchObject({ textureIndex: 0 });
  });

  it('are left out where nothing samples what they drew', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    draw(makeTarget(), null);
    gl.endSkippedFrame();
    gl.setRecording(true);
    draw(null, null);
    const frame = takeFrame();
    expect(kindsOf(frame)).toEqual(['screen']);
    expect(frame.textures).toEqual([]);
  });

  it('are forgotten when their target is drawn anew, and do not pile up', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    for (let i = 0; i < 400; i++) {
      draw(target, null);
      gl.endSkippedFrame();
    }
    gl.setRecording(true);
    draw(null, target);
    expect(kindsOf(takeFrame())).toEqual(['texture', 'screen']);
  });

  it('are kept with those whose pictures they read', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const [first, second] = [makeTarget(), makeTarget()];
    draw(first, null);
    gl.endSkippedFrame();
    draw(second, first);
    gl.endSkippedFrame();
    draw(first, null); // what `second` read is still needed for it
    gl.endSkippedFrame();
    gl.setRecording(true);
    draw(null, second);
    const { passes } = takeFrame();
    const targets = passes.map(({ target }) =>
      target?.kind === 'texture' ? target.textureIndex : null,
    );
    expect(targets).toEqual([0, 1, null]);
  });

  it('are gone on with where the frame does not clear their target', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    draw(target, null);
    gl.endSkippedFrame();
    draw(target, null, false);
    gl.endSkippedFrame();
    gl.setRecording(true);
    draw(target, null, false);
    draw(null, target);
    const { passes } = takeFrame();
    expect(passes.map(({ loads }) => loads ?? [])).toEqual([[], ['color'], []]);
    expect(passes.map(({ draws }) => draws.length)).toEqual([2, 1, 1]);
  });

  it('leave a texture unknown into which something went that frames cannot hold', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    draw(target, null);
    gl.enable(GL.LINE_SMOOTH);
    gl.drawArrays(GL.LINES, 0, 2);
    gl.disable(GL.LINE_SMOOTH);
    gl.endSkippedFrame();
    gl.setRecording(true);
    expect(() => draw(null, target)).toThrow(/sampled after something was drawn/);
    gl.endSkippedFrame();
    draw(null, null);
    expect(kindsOf(takeFrame())).toEqual(['screen']);
  });
});
