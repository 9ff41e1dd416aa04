import { describe, expect, it } from 'vitest';
import {
  makeContext,
  makeContext2,
  readPixel,
  useColorProgram,
} from '../../testing/small-context.ts';

describe('framebuffers of WebGL 1', () => {
  function attach(format: 'RGBA4' | 'DEPTH_COMPONENT16' | 'DEPTH_STENCIL' | 'STENCIL_INDEX8') {
    return (gl: ReturnType<typeof makeContext>, point: number): void => {
      const renderbuffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl[format], 4, 4);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, renderbuffer);
    };
  }

  it.each([
    ['RGBA4', 'COLOR_ATTACHMENT0', 'FRAMEBUFFER_COMPLETE'],
    ['DEPTH_COMPONENT16', 'COLOR_ATTACHMENT0', 'FRAMEBUFFER_INCOMPLETE_ATTACHMENT'],
    ['DEPTH_COMPONENT16', 'STENCIL_ATTACHMENT', 'FRAMEBUFFER_INCOMPLETE_ATTACHMENT'],
    ['DEPTH_STENCIL', 'DEPTH_STENCIL_ATTACHMENT', 'FRAMEBUFFER_COMPLETE'],
    ['DEPTH_STENCIL', 'DEPTH_ATTACHMENT', 'FRAMEBUFFER_INCOMPLETE_ATTACHMENT'],
  ] as const)('with %s at %s are %s', (format, point, status) => {
    const gl = makeContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    attach('RGBA4')(gl, gl.COLOR_ATTACHMENT0);
    attach(format)(gl, gl[point]);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl[status]);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const isComplete = status === 'FRAMEBUFFER_COMPLETE';
    expect(gl.getError()).toBe(isComplete ? 0 : gl.INVALID_FRAMEBUFFER_OPERATION);
  });

  it('reject depth together with depth-stencil', () => {
    const gl = makeContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    attach('RGBA4')(gl, gl.COLOR_ATTACHMENT0);
    attach('DEPTH_COMPONENT16')(gl, gl.DEPTH_ATTACHMENT);
    attach('DEPTH_STENCIL')(gl, gl.DEPTH_STENCIL_ATTACHMENT);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_UNSUPPORTED);
    const { FRAMEBUFFER, DEPTH_STENCIL_ATTACHMENT, RENDERBUFFER } = gl;
    gl.framebufferRenderbuffer(FRAMEBUFFER, DEPTH_STENCIL_ATTACHMENT, RENDERBUFFER, null);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
  });

  it('use the remaining depth attachment after depth-stencil is deleted', () => {
    const gl = makeContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    attach('RGBA4')(gl, gl.COLOR_ATTACHMENT0);
    attach('DEPTH_COMPONENT16')(gl, gl.DEPTH_ATTACHMENT);
    attach('DEPTH_STENCIL')(gl, gl.DEPTH_STENCIL_ATTACHMENT);
    gl.deleteRenderbuffer(gl.getParameter(gl.RENDERBUFFER_BINDING));
    gl.clearDepth(0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const program = useColorProgram(gl);
    gl.enable(gl.DEPTH_TEST);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), 1, 1, 1, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
  });

  it('have empty contents after new storage is defined', () => {
    const gl = makeContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    attach('DEPTH_COMPONENT16')(gl, gl.DEPTH_ATTACHMENT);
    attach('RGBA4')(gl, gl.COLOR_ATTACHMENT0);
    gl.clearColor(1, 1, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA4, 4, 4);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
  });

  it('have no read format while they are incomplete', () => {
    const gl = makeContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    expect(gl.getParameter(gl.IMPLEMENTATION_COLOR_READ_FORMAT)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('report their attachments', () => {
    const gl = makeContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    attach('RGBA4')(gl, gl.COLOR_ATTACHMENT0);
    const tell = (point: number, parameter: number) =>
      gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, point, parameter);
    const type = gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE;
    expect(tell(gl.COLOR_ATTACHMENT0, type)).toBe(gl.RENDERBUFFER);
    expect(tell(gl.DEPTH_ATTACHMENT, type)).toBe(gl.NONE);
    expect(tell(gl.COLOR_ATTACHMENT0, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME)).toBe(
      gl.getParameter(gl.RENDERBUFFER_BINDING),
    );
    expect(gl.getRenderbufferParameter(gl.RENDERBUFFER, gl.RENDERBUFFER_RED_SIZE)).toBe(4);
  });
});

describe('framebuffers of WebGL 2', () => {
  it('accept floats only with EXT_color_buffer_float, and clear to any value', () => {
    const gl = makeContext2();
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA16F, 2, 2);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const { FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D } = gl;
    gl.framebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
    expect(gl.checkFramebufferStatus(FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    expect(gl.getExtension('EXT_color_buffer_float')).not.toBeNull();
    expect(gl.checkFramebufferStatus(FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
    gl.clearBufferfv(gl.COLOR, 0, [2, -1, 0.5, 1]);
    const pixel = new Float32Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, pixel);
    expect([...pixel]).toEqual([2, -1, 0.5, 1]);
    gl.clearColor(3, -2, 0.5, Number.NaN);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, pixel);
    expect([...pixel]).toEqual([3, -2, 0.5, 0]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl)).toEqual([255, 0, 128, 0]);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 2, 2);
    gl.clearColor(-1, 2, 0.5, 5);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl)).toEqual([0, 255, 128, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('clear one of several color buffers, integers with integers', () => {
    const gl = makeContext2();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    [gl.RGBA8, gl.RGBA8UI].forEach((format, i) => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, 2, 2);
      const point = gl.COLOR_ATTACHMENT0 + i;
      gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
    });
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    gl.clearBufferfv(gl.COLOR, 0, [1, 0, 0, 1]);
    gl.clearBufferuiv(gl.COLOR, 1, [1, 2, 3, 250]);
    gl.clearBufferfv(gl.COLOR, 1, [1, 0, 0, 1]);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    const pixel = new Uint32Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, pixel);
    expect([...pixel]).toEqual([1, 2, 3, 250]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('list draw buffers in order', () => {
    const gl = makeContext2();
    gl.drawBuffers([gl.COLOR_ATTACHMENT0]);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.drawBuffers([gl.COLOR_ATTACHMENT1]);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.drawBuffers([gl.NONE, gl.COLOR_ATTACHMENT1]);
    expect(gl.getParameter(gl.DRAW_BUFFER0)).toBe(gl.NONE);
    expect(gl.getParameter(gl.DRAW_BUFFER1)).toBe(gl.COLOR_ATTACHMENT1);
  });
});
