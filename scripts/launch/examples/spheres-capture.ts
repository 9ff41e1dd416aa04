/**
 * Example of a capture: calls of an OpenGL 2.1 program that draws spheres around a center, one draw
 * each, in the format of apitrace.
 */
import { CaptureWriter } from '@tessera/gl/capture-writer';

const WIDTH_PX = 960;
const HEIGHT_PX = 540;
const SPHERE_COUNT = 90;
/** Golden angle in radians, which spreads points evenly on a disc. */
const TURN = Math.PI * (3 - Math.sqrt(5));
const RINGS = 20;
const SECTORS = 28;
const WINDOW = { dpy: 1, drawable: 7 };

/** Constants of OpenGL. */
const GL = {
  ARRAY_BUFFER: 0x8892,
  COLOR_AND_DEPTH: 0x4100,
  CULL_FACE: 0x0b44,
  DEPTH_TEST: 0x0b71,
  ELEMENT_ARRAY_BUFFER: 0x8893,
  FLOAT: 0x1406,
  FRAGMENT_SHADER: 0x8b30,
  STATIC_DRAW: 0x88e4,
  TRIANGLES: 4,
  UNSIGNED_SHORT: 0x1403,
  VERTEX_SHADER: 0x8b31,
};

const VERTEX = `#version 120
uniform vec4 sphere; // center and radius
uniform vec2 window;
attribute vec3 place;
varying vec3 normal;
varying vec3 eye;
void main() {
  vec3 world = sphere.xyz + sphere.w * place;
  // The camera looks down on the origin from ten units away.
  vec3 view = vec3(world.x, 0.8 * world.y - 0.6 * world.z, 0.6 * world.y + 0.8 * world.z - 10.0);
  normal = vec3(place.x, 0.8 * place.y - 0.6 * place.z, 0.6 * place.y + 0.8 * place.z);
  eye = -view;
  gl_Position = vec4(3.0 * view.x * window.y / window.x, 3.0 * view.y, -1.1 * view.z - 2.1, -view.z);
}`;
const FRAGMENT = `#version 120
uniform vec3 color;
varying vec3 normal;
varying vec3 eye;
void main() {
  vec3 n = normalize(normal);
  vec3 light = normalize(vec3(0.5, 0.8, 0.6));
  float shine = pow(max(0.0, dot(n, normalize(light + normalize(eye)))), 48.0);
  float rim = pow(1.0 - max(0.0, dot(n, normalize(eye))), 3.0);
  vec3 lit = color * (0.16 + 0.84 * max(0.0, dot(n, light))) + 0.55 * shine + 0.22 * rim * color;
  gl_FragColor = vec4(lit, 1.0);
}`;

/** Returns the capture. Its only frame has {@link SPHERE_COUNT} draws. */
export function makeSpheresCapture(): Uint8Array {
  const { vertices, indices } = makeSphere();
  const writer = new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { ...WINDOW, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: WIDTH_PX, height: HEIGHT_PX });
  createProgram(writer);
  for (const [buffer, target, data] of [
    [1, GL.ARRAY_BUFFER, vertices],
    [2, GL.ELEMENT_ARRAY_BUFFER, indices],
  ] as const) {
    writer
      .call('glGenBuffers', { n: 1, buffers: [buffer] })
      .call('glBindBuffer', { target, buffer })
      .call('glBufferData', {
        target,
        size: data.byteLength,
        data: new Uint8Array(data.buffer),
        usage: GL.STATIC_DRAW,
      });
  }
  writer
    .call('glVertexAttribPointer', {
      index: 0,
      size: 3,
      type: GL.FLOAT,
      normalized: false,
      stride: 0,
      pointer: null,
    })
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glEnable', { cap: GL.DEPTH_TEST })
    .call('glEnable', { cap: GL.CULL_FACE })
    .call('glClearColor', { red: 0.05, green: 0.06, blue: 0.1, alpha: 1 })
    .call('glClear', { mask: GL.COLOR_AND_DEPTH })
    .call('glUniform2f', { location: 2, v0: WIDTH_PX, v1: HEIGHT_PX });
  for (let i = 0; i < SPHERE_COUNT; i++) drawSphere(writer, i, indices.length);
  return writer.call('glXSwapBuffers', WINDOW).finish('gzip');
}

function createProgram(writer: CaptureWriter): void {
  const stages = [
    [1, GL.VERTEX_SHADER, VERTEX],
    [2, GL.FRAGMENT_SHADER, FRAGMENT],
  ] as const;
  writer.call('glCreateProgram', {}, 3);
  for (const [shader, type, source] of stages) {
    writer
      .call('glCreateShader', { type }, shader)
      .call('glShaderSource', { shader, count: 1, string: [source], length: null })
      .call('glCompileShader', { shader })
      .call('glAttachShader', { program: 3, shader });
  }
  writer
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 });
  for (const [location, name] of ['sphere', 'color', 'window'].entries()) {
    writer.call('glGetUniformLocation', { program: 3, name }, location);
  }
}

/** Draws a sphere. Its place is a point of a sunflower's disc, raised in waves. */
function drawSphere(writer: CaptureWriter, index: number, indexCount: number): void {
  const distance = 0.42 * Math.sqrt(index + 0.5);
  const angle = index * TURN;
  const [x, z] = [distance * Math.cos(angle), distance * Math.sin(angle)];
  const y = 0.5 * Math.cos(1.6 * distance);
  const radius = 0.17 + 0.022 * distance;
  const hue = (phase: number) => 0.55 + 0.45 * Math.cos(0.75 * distance + phase);
  writer
    .call('glUniform4f', { location: 0, v0: x, v1: y, v2: z, v3: radius })
    .call('glUniform3f', { location: 1, v0: hue(0), v1: hue(-1.3), v2: hue(-2.8) })
    .call('glDrawElements', {
      mode: GL.TRIANGLES,
      count: indexCount,
      type: GL.UNSIGNED_SHORT,
      indices: null,
    });
}

/** Returns a sphere of radius 1. */
function makeSphere(): { readonly vertices: Float32Array; readonly indices: Uint16Array } {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let ring = 0; ring <= RINGS; ring++) {
    const polar = (Math.PI * ring) / RINGS;
    for (let sector = 0; sector <= SECTORS; sector++) {
      const turn = (2 * Math.PI * sector) / SECTORS;
      vertices.push(
        Math.sin(polar) * Math.cos(turn),
        Math.cos(polar),
        Math.sin(polar) * Math.sin(turn),
      );
      if (ring === RINGS || sector === SECTORS) continue;
      const [above, below] = [ring, ring + 1].map((row) => row * (SECTORS + 1) + sector);
      indices.push(above!, above! + 1, below!, below!, above! + 1, below! + 1);
    }
  }
  return { vertices: Float32Array.from(vertices), indices: Uint16Array.from(indices) };
}
