/**
 * Undamaged captures of OpenGL programs as uncompressed streams: with shaders, and with fixed
 * functions.
 */
import { gunzipSync } from 'node:zlib';
import { CaptureWriter } from '@tessera/gl/capture-writer';

const VERTEX = `attribute vec4 place; uniform mat4 matrix; varying vec2 uv;
void main() { uv = place.xy; gl_Position = matrix * place; }`;
const FRAGMENT = `uniform sampler2D image; varying vec2 uv;
void main() { if (uv.x > 0.9) discard; gl_FragColor = texture2D(image, uv); }`;

function begin(): CaptureWriter {
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: 24, height: 16 });
}

/** Returns the uncompressed stream of a program with shaders, buffers and a texture. */
export function writeProgramStream(): Uint8Array {
  const corners = new Uint8Array(Float32Array.of(-1, -1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1).buffer);
  const file = begin()
    .call('glCreateShader', { type: 0x8b31 }, 1)
    .call('glCreateShader', { type: 0x8b30 }, 2)
    .call('glShaderSource', { shader: 1, count: 1, string: [VERTEX], length: null })
    .call('glShaderSource', { shader: 2, count: 1, string: [FRAGMENT], length: [FRAGMENT.length] })
    .call('glCompileShader', { shader: 1 })
    .call('glCompileShader', { shader: 2 })
    .call('glCreateProgram', {}, 3)
    .call('glAttachShader', { program: 3, shader: 1 })
    .call('glAttachShader', { program: 3, shader: 2 })
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 })
    .call('glGetUniformLocation', { program: 3, name: 'matrix' }, 4)
    .call('glUniformMatrix4fv', {
      location: 4,
      count: 1,
      transpose: false,
      value: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    })
    .call('glGenTextures', { n: 1, textures: [9] })
    .call('glBindTexture', { target: 0x0de1, texture: 9 })
    .call('glTexImage2D', {
      target: 0x0de1,
      level: 0,
      internalformat: 0x1908,
      width: 4,
      height: 4,
      border: 0,
      format: 0x1908,
      type: 0x1401,
      pixels: Uint8Array.from({ length: 64 }, (_, i) => i * 4),
    })
    .call('glGenBuffers', { n: 2, buffers: [11, 12] })
    .call('glBindBuffer', { target: 0x8892, buffer: 11 })
    .call('glBufferData', { target: 0x8892, size: 48, data: corners, usage: 0x88e4 })
    .call('glVertexAttribPointer', {
      index: 0,
      size: 4,
      type: 0x1406,
      normalized: false,
      stride: 0,
      pointer: null,
    })
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glBindBuffer', { target: 0x8893, buffer: 12 })
    .call('glBufferData', {
      target: 0x8893,
      size: 6,
      data: Uint8Array.of(0, 1, 2, 2, 1, 0),
      usage: 0x88e4,
    })
    .call('glEnable', { cap: 0x0be2 })
    .call('glBlendFunc', { sfactor: 0x0302, dfactor: 0x0303 })
    .call('glClear', { mask: 0x4100 })
    .call('glDrawElements', { mode: 4, count: 6, type: 0x1401, indices: null })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish('gzip');
  return Uint8Array.from(gunzipSync(file));
}

/**
 * Returns the uncompressed stream of a program with fixed functions, a display list and immediate
 * mode.
 */
export function writeFixedStream(): Uint8Array {
  const writer = begin()
    .call('glMatrixMode', { mode: 0x1701 })
    .call('glLoadIdentity', {})
    .call('glOrtho', { left: -1, right: 1, bottom: -1, top: 1, zNear: -1, zFar: 1 })
    .call('glEnable', { cap: 0x0b50 })
    .call('glEnable', { cap: 0x4000 })
    .call('glLightfv', { light: 0x4000, pname: 0x1203, params: [0, 0, 1, 0] })
    .call('glEnable', { cap: 0x0b60 })
    .call('glFogf', { pname: 0x0b62, param: 0.5 })
    .call('glGenLists', { range: 1 }, 1)
    .call('glNewList', { list: 1, mode: 0x1300 })
    .call('glBegin', { mode: 7 });
  for (const [x, y] of [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ] as const) {
    writer
      .call('glColor4f', { red: 1, green: 0.5, blue: 0, alpha: 1 })
      .call('glNormal3f', { nx: 0, ny: 0, nz: 1 })
      .call('glVertex3f', { x, y, z: 0 });
  }
  const file = writer
    .call('glEnd', {})
    .call('glEndList', {})
    .call('glPushMatrix', {})
    .call('glRotatef', { angle: 30, x: 0, y: 0, z: 1 })
    .call('glCallList', { list: 1 })
    .call('glPopMatrix', {})
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish('gzip');
  return Uint8Array.from(gunzipSync(file));
}

/** Returns the uncompressed stream of a program that names objects of every kind. */
export function writeObjectsStream(): Uint8Array {
  const writer = begin();
  for (const [kind, argument] of Object.entries({
    Renderbuffers: 'renderbuffers',
    Framebuffers: 'framebuffers',
    VertexArrays: 'arrays',
    TransformFeedbacks: 'ids',
    Samplers: 'samplers',
    Queries: 'ids',
  })) {
    writer.call(`glGen${kind}`, { n: 2, [argument]: [21, 22] });
    writer.call(`glDelete${kind}`, { n: 1, [argument]: [22] });
  }
  for (const [suffix, value] of Object.entries({ b: -3, ub: 3, s: -3, us: 3, i: -3, ui: 3 })) {
    writer.call(`glColor3${suffix}`, { red: value, green: value, blue: value });
    writer.call(`glColor4${suffix}v`, { v: [value, value, value, value] });
  }
  const file = writer
    .call('glBindSampler', { unit: 0, sampler: 21 })
    .call('glSamplerParameterIiv', { sampler: 21, pname: 0x1004, param: [1, 2, 3, 4] })
    .call('glTexParameteriv', { target: 0x0de1, pname: 0x1004, params: [1, 2, 3, 4] })
    .call('glGenLists', { range: 3 }, 5)
    .call('glNewList', { list: 6, mode: 0x1300 })
    .call('glEndList', {})
    .call('glDeleteLists', { list: 5, range: 3 })
    .call('glDeleteLists', { list: 1, range: 2_000_000 })
    .call('glCreateShader', { type: 0x8b31 }, 1)
    .call('glShaderSource', { shader: 1, count: 0, string: null, length: null })
    // Names that the program chose itself, as desktop OpenGL lets it.
    .call('glBindRenderbuffer', { target: 0x8d41, renderbuffer: 31 })
    .call('glBindFramebuffer', { target: 0x8d40, framebuffer: 31 })
    .call('glBindFramebuffer', { target: 0x8d40, framebuffer: 0 })
    .call('glBindVertexArray', { array: 31 })
    .call('glBindTransformFeedback', { target: 0x8e22, id: 31 })
    .call('glBindSampler', { unit: 0, sampler: 31 })
    .call('glClear', { mask: 0x4000 })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish('gzip');
  return Uint8Array.from(gunzipSync(file));
}
