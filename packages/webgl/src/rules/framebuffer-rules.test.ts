/** Rules of WebGL 2 for framebuffers, and for blits, reads and draws that use them. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import { linkProgram, makeContext2, readPixel } from '../testing/small-context.ts';

function makeTexture(gl: TesseraContext2): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const { TEXTURE_2D: target, RGBA, UNSIGNED_BYTE } = gl;
  gl.texImage2D(target, 0, RGBA, 4, 4, 0, RGBA, UNSIGNED_BYTE, null);
  return texture;
}

function attach(gl: TesseraContext2, point: number, texture: WebGLTexture | null): void {
  gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
}

/** Binds a framebuffer with a color image of 4×4. */
function makeFramebuffer(gl: TesseraContext2): WebGLFramebuffer {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  attach(gl, gl.COLOR_ATTACHMENT0, makeTexture(gl));
  return framebuffer;
}

describe('framebuffers of WebGL 2', () => {
  it('cannot have one image as two colors', () => {
    const gl = makeContext2();
    makeFramebuffer(gl);
    const texture = makeTexture(gl);
    attach(gl, gl.COLOR_ATTACHMENT1, texture);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
    attach(gl, gl.COLOR_ATTACHMENT2, texture);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_UNSUPPORTED);
  });

  it('need images of equal size', () => {
    const gl = makeContext2();
    makeFramebuffer(gl);
    const depth = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, 4, 2);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER);
    expect(status).toBe(gl.FRAMEBUFFER_INCOMPLETE_DIMENSIONS);
  });

  it('have at most MAX_COLOR_ATTACHMENTS color attachments', () => {
    const gl = makeContext2();
    makeFramebuffer(gl);
    const beyond = gl.COLOR_ATTACHMENT0 + gl.getParameter(gl.MAX_COLOR_ATTACHMENTS);
    attach(gl, beyond, makeTexture(gl));
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    gl.invalidateFramebuffer(gl.FRAMEBUFFER, [beyond]);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('have one sample per pixel in the unsized format', () => {
    const gl = makeContext2();
    gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 0, gl.DEPTH_STENCIL, 4, 4);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 2, gl.DEPTH_STENCIL, 4, 4);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('are resolved with their current storage', () => {
    const gl = makeContext2();
    const multisampled = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, multisampled);
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    const store = (edgePx: number) =>
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.RGBA8, edgePx, edgePx);
    store(2);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    store(4);
    const resolved = makeFramebuffer(gl);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, multisampled);
    gl.blitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, resolved);
    expect(readPixel(gl, 3, 3)).toEqual([0, 0, 0, 0]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});

describe('blits', () => {
  it('need a source for each buffer that they write', () => {
    const gl = makeContext2();
    const source = makeFramebuffer(gl);
    makeFramebuffer(gl);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, source);
    const blit = (mask: number) => {
      gl.blitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, mask, gl.NEAREST);
      return gl.getError();
    };
    expect(blit(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)).toBe(gl.NO_ERROR);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    expect(blit(gl.COLOR_BUFFER_BIT)).toBe(gl.INVALID_OPERATION);
    gl.drawBuffers([gl.NONE]);
    expect(blit(gl.COLOR_BUFFER_BIT)).toBe(gl.NO_ERROR);
    const depth = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, 4, 4);
    const { DRAW_FRAMEBUFFER, DEPTH_ATTACHMENT, RENDERBUFFER } = gl;
    gl.framebufferRenderbuffer(DRAW_FRAMEBUFFER, DEPTH_ATTACHMENT, RENDERBUFFER, depth);
    expect(blit(gl.DEPTH_BUFFER_BIT)).toBe(gl.INVALID_OPERATION);
  });

  it('cannot convert the format of multisampled sources', () => {
    const gl = makeContext2();
    const bindColor = (target: number, samples: number, format: number) => {
      const color = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, color);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, 4, 4);
      gl.bindFramebuffer(target, gl.createFramebuffer());
      gl.framebufferRenderbuffer(target, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color);
    };
    bindColor(gl.READ_FRAMEBUFFER, 4, gl.RGBA8);
    for (const [format, error] of [
      [gl.RGBA4, gl.INVALID_OPERATION],
      [gl.RGBA8, gl.NO_ERROR],
    ] as const) {
      bindColor(gl.DRAW_FRAMEBUFFER, 0, format);
      gl.blitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      expect(gl.getError()).toBe(error);
    }
  });

  it('cannot exceed 32-bit sizes', () => {
    const gl = makeContext2();
    makeFramebuffer(gl);
    const max = 2 ** 31 - 1;
    gl.blitFramebuffer(-1, 0, max, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });
});

it.each(['RGB', 'RGBA', 'RGB8'] as const)('%s supports multisampling', (format) => {
  const gl = makeContext2();
  const { RENDERBUFFER, SAMPLES } = gl;
  const samples = gl.getInternalformatParameter(RENDERBUFFER, gl[format], SAMPLES);
  expect([...samples]).toEqual([gl.getParameter(gl.MAX_SAMPLES)]);
});

describe('reads', () => {
  it('need a read buffer and sufficient row length', () => {
    const gl = makeContext2();
    const read = () => {
      gl.readPixels(0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(64));
      return gl.getError();
    };
    gl.readBuffer(gl.NONE);
    expect(read()).toBe(gl.INVALID_OPERATION);
    gl.readBuffer(gl.BACK);
    gl.pixelStorei(gl.PACK_SKIP_PIXELS, 1);
    expect(read()).toBe(gl.INVALID_OPERATION);
    gl.pixelStorei(gl.PACK_ROW_LENGTH, 3);
    expect(read()).toBe(gl.NO_ERROR);
  });
});

describe('draws', () => {
  const VERTEX = '#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID); }';
  const FRAGMENT = `#version 300 es
precision mediump float; out vec4 color; void main() { color = vec4(1); }`;

  it('need an output for each drawn color buffer', () => {
    const gl = makeContext2();
    gl.useProgram(linkProgram(gl, VERTEX, FRAGMENT));
    makeFramebuffer(gl);
    attach(gl, gl.COLOR_ATTACHMENT1, makeTexture(gl));
    const draw = () => {
      gl.drawArrays(gl.POINTS, 0, 1);
      return gl.getError();
    };
    expect(draw()).toBe(gl.NO_ERROR);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    expect(draw()).toBe(gl.INVALID_OPERATION);
    gl.colorMask(false, false, false, false);
    expect(draw()).toBe(gl.NO_ERROR);
  });

  it('count gl_VertexID among their attributes', () => {
    const gl = makeContext2();
    const program = linkProgram(gl, VERTEX, FRAGMENT);
    expect(gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES)).toBe(1);
    expect(gl.getActiveAttrib(program, 0)).toMatchObject({ name: 'gl_VertexID', type: gl.INT });
    expect(gl.getAttribLocation(program, 'gl_VertexID')).toBe(-1);
  });
});
