/**
 * A capture whose frame has three passes: a rectangle on the screen, one in a texture, and one on
 * the screen again that samples the texture and keeps what was drawn.
 */
import type { Frame } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { compileProgram } from '@tessera/shader';

const WIDTH = 150;
const HEIGHT = 90;
const TEXTURE_2D = 0x0de1;
const FRAMEBUFFER = 0x8d40;
const RGBA = 0x1908;
const COLOR_AND_DEPTH = 0x4100;
const DEPTH_TEST = 0x0b71;

const VERTEX = `attribute vec3 place;
varying vec2 at;
void main() { at = place.xy * 0.5 + 0.5; gl_Position = vec4(place, 1.0); }`;
const FRAGMENT = `uniform sampler2D map;
uniform vec4 tint;
varying vec2 at;
void main() { gl_FragColor = texture2D(map, at * 3.0) * 0.5 + vec4(fract(at * 7.0), 0.0, 0.0) + tint; }`;

/** Two rectangles: the left half, near, and the whole, far. */
const NEAR = [-1, -1, -0.5, 0, -1, -0.5, -1, 1, -0.5, 0, 1, -0.5];
const FAR = [-1, -1, 0.5, 1, -1, 0.5, -1, 1, 0.5, 1, 1, 0.5];

/** Writes the capture. */
export function writePassesCapture(): Uint8Array {
  const corners = new Uint8Array(Float32Array.of(...NEAR, ...FAR).buffer);
  const writer = new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: WIDTH, height: HEIGHT })
    .call('glCreateShader', { type: 0x8b31 }, 1)
    .call('glCreateShader', { type: 0x8b30 }, 2)
    .call('glShaderSource', { shader: 1, count: 1, string: [VERTEX], length: null })
    .call('glShaderSource', { shader: 2, count: 1, string: [FRAGMENT], length: null })
    .call('glCompileShader', { shader: 1 })
    .call('glCompileShader', { shader: 2 })
    .call('glCreateProgram', {}, 3)
    .call('glAttachShader', { program: 3, shader: 1 })
    .call('glAttachShader', { program: 3, shader: 2 })
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 })
    .call('glGetUniformLocation', { program: 3, name: 'tint' }, 5)
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glVertexAttribPointer', {
      index: 0,
      size: 3,
      type: 0x1406,
      normalized: false,
      stride: 0,
      pointer: corners,
    })
    .call('glBindTexture', { target: TEXTURE_2D, texture: 9 })
    .call('glTexImage2D', {
      target: TEXTURE_2D,
      level: 0,
      internalformat: RGBA,
      width: 128,
      height: 128,
      border: 0,
      format: RGBA,
      type: 0x1401,
      pixels: null,
    })
    .call('glTexParameteri', { target: TEXTURE_2D, pname: 0x2801, param: 0x2703 })
    .call('glBindFramebuffer', { target: FRAMEBUFFER, framebuffer: 4 })
    .call('glFramebufferTexture2D', {
      target: FRAMEBUFFER,
      attachment: 0x8ce0,
      textarget: TEXTURE_2D,
      texture: 9,
      level: 0,
    })
    .call('glBindFramebuffer', { target: FRAMEBUFFER, framebuffer: 0 })
    .call('glBindTexture', { target: TEXTURE_2D, texture: 0 })
    .call('glEnable', { cap: DEPTH_TEST })
    .call('glClear', { mask: COLOR_AND_DEPTH });
  const draw = (first: number, red: number) =>
    writer
      .call('glUniform4f', { location: 5, v0: red, v1: 0, v2: 0.25, v3: 1 })
      .call('glDrawArrays', { mode: 5, first, count: 4 });
  draw(0, 0.75);
  writer.call('glBindFramebuffer', { target: FRAMEBUFFER, framebuffer: 4 });
  writer.call('glViewport', { x: 0, y: 0, width: 128, height: 128 });
  draw(4, 0);
  writer
    .call('glBindFramebuffer', { target: FRAMEBUFFER, framebuffer: 0 })
    .call('glViewport', { x: 0, y: 0, width: WIDTH, height: HEIGHT })
    .call('glBindTexture', { target: TEXTURE_2D, texture: 9 })
    .call('glGenerateMipmap', { target: TEXTURE_2D });
  draw(4, 0);
  return writer.call('glXSwapBuffers', { dpy: 1, drawable: 7 }).finish();
}

/** Returns the frame of the capture. */
export function readPassesFrame(capture: Uint8Array = writePassesCapture()): Frame {
  return replayFrame(readCalls(capture), {
    reflection: reflectByCompiling({ compile: compileProgram }),
    frame: 0,
  }).frame;
}
