/** Tests of textures that skipped frames drew into. */
import { type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { bindNewBuffer, bytesOf, makeContext, useProgram } from '../../testing/small-context.ts';

const TRIANGLE = bytesOf(Float32Array.of(0, 0, 1, 0, 0, 1));

/**
 * Makes a context that skips frames, with a program that samples a texture, and a function that
 * makes targets.
 */
function setUp() {
  const { gl, messages } = makeContext('gl');
  useProgram(gl, 'attribute vec2 at; uniform vec4 tint;', 'uniform sampler2D map;');
  bindNewBuffer(gl, GL.ARRAY_BUFFER, TRIANGLE);
  gl.vertexArrays.enable(0);
  gl.vertexArrays.setPointer(0, 2, GL.FLOAT, false, 0, 0);
  gl.frames.isWanted = false;

  const makeTarget = () => {
    const texture = gl.textures.generate(1)[0]!;
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 8, heightPx: 8 };
    gl.textures.uploads.image(GL.RGBA, {
      ...size,
      format: GL.RGBA,
      type: GL.UNSIGNED_BYTE,
      bytes: null,
    });
    const framebuffer = gl.framebuffers.generate(1)[0]!;
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
    return { texture, framebuffer };
  };
  type Target = ReturnType<typeof makeTarget>;
  /** Draws a triangle into a target or the screen. It samples `from` if that is not `null`. */
  const draw = (into: Target | null, from: Target | null, isCleared = true) => {
    gl.framebuffers.bind(GL.FRAMEBUFFER, into?.framebuffer ?? 0);
    gl.textures.bind(GL.TEXTURE_2D, from?.texture ?? 0);
    if (isCleared) gl.clears.clear(GL.COLOR_BUFFER_BIT);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
  };
  const takeFrame = (): Frame => {
    const frame = gl.frames.take();
    validateFrame(frame);
    expect(messages).toEqual([]);
    return frame;
  };
  return { gl, makeTarget, draw, takeFrame };
}

const kindsOf = ({ passes }: Frame) => passes.map(({ target }) => target?.kind ?? 'screen');

describe('passes of earlier frames', () => {
  it('are in the frame that samples their images, with only the resources that they need', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    const vertices = bindNewBuffer(gl, GL.ARRAY_BUFFER, bytesOf(new Float32Array(60)));
    gl.vertexArrays.setPointer(0, 2, GL.FLOAT, false, 0, 0);
    draw(null, null);
    gl.buffers.remove([vertices]);
    bindNewBuffer(gl, GL.ARRAY_BUFFER, TRIANGLE);
    gl.vertexArrays.setPointer(0, 2, GL.FLOAT, false, 0, 0);
    draw(target, null);
    gl.frames.endSkipped();
    gl.frames.isWanted = true;
    draw(null, target);
    const frame = takeFrame();
    expect(kindsOf(frame)).toEqual(['texture', 'screen']);
    expect(frame.buffers.map(({ bytes }) => bytes)).toEqual([TRIANGLE]);
    expect([frame.textures.length, frame.programs.length]).toEqual([1, 1]);
    expect(frame.passes[1]!.draws[0]!.textures.map).toMatchObject({ textureIndex: 0 });
  });

  it('are left out if nothing samples their images', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    draw(makeTarget(), null);
    gl.frames.endSkipped();
    gl.frames.isWanted = true;
    draw(null, null);
    const frame = takeFrame();
    expect(kindsOf(frame)).toEqual(['screen']);
    expect(frame.textures).toEqual([]);
  });

  it('are dropped when their target is redrawn, so they do not accumulate', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    for (let i = 0; i < 400; i++) {
      draw(target, null);
      gl.frames.endSkipped();
    }
    gl.frames.isWanted = true;
    draw(null, target);
    expect(kindsOf(takeFrame())).toEqual(['texture', 'screen']);
  });

  it('are kept with those whose images they read', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const [first, second] = [makeTarget(), makeTarget()];
    draw(first, null);
    gl.frames.endSkipped();
    draw(second, first);
    gl.frames.endSkipped();
    draw(first, null); // `second` still depends on the first contents
    gl.frames.endSkipped();
    gl.frames.isWanted = true;
    draw(null, second);
    const { passes } = takeFrame();
    const targets = passes.map(({ target }) =>
      target?.kind === 'texture' ? target.textureIndex : null,
    );
    expect(targets).toEqual([0, 1, null]);
  });

  it('continue if the frame does not clear their target', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    draw(target, null);
    gl.frames.endSkipped();
    draw(target, null, false);
    gl.frames.endSkipped();
    gl.frames.isWanted = true;
    draw(target, null, false);
    draw(null, target);
    const { passes } = takeFrame();
    expect(passes.map(({ loads }) => loads ?? [])).toEqual([[], ['color'], []]);
    expect(passes.map(({ draws }) => draws.length)).toEqual([2, 1, 1]);
  });

  it('leave a texture unknown if it received content that frames cannot hold', () => {
    const { gl, makeTarget, draw, takeFrame } = setUp();
    const target = makeTarget();
    draw(target, null);
    gl.capabilities.enable(GL.LINE_STIPPLE);
    gl.raster.setLineStipple(1, 0x5555);
    gl.draws.drawArrays(GL.LINE_LOOP, 0, 2);
    gl.capabilities.disable(GL.LINE_STIPPLE);
    gl.frames.endSkipped();
    gl.frames.isWanted = true;
    expect(() => draw(null, target)).toThrow(/sampled after something was drawn/);
    gl.frames.endSkipped();
    draw(null, null);
    expect(kindsOf(takeFrame())).toEqual(['screen']);
  });
});
