/**
 * Framebuffers with images of different sizes, which OpenGL ES 3.0 allows (section 4.4.4) and WebGL
 * does not.
 */
import { GL, GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { createShaderReflection } from '../../compiler/shader-reflection.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const DEPTH_STENCIL = 0x821a;

function attachBlue(gl: GlContext): void {
  const [texture] = gl.textures.generate(1);
  gl.textures.bind(GL.TEXTURE_2D, texture!);
  const bytes = new Uint8Array(8 * 8 * 4).map((_, at) => BLUE[at % 4]!);
  const image = { target: GL.TEXTURE_2D, level: 0, widthPx: 8, heightPx: 8 };
  gl.textures.uploads.image(GL.RGBA, { ...image, format: GL.RGBA, type: GL.UNSIGNED_BYTE, bytes });
  gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture!, 0);
}

/** Binds a framebuffer with a blue color image of 8×8 and a depth buffer of 4×2. */
function setUp() {
  const gpu = new FrameInParts(new LocalGpu());
  const reflection = createShaderReflection({
    version: 2,
    extensions: new Set(),
    compile: (source) => gpu.programs.compile(source),
  });
  const gl = new GlContext({
    ...({ dialect: 'webgl2', widthPx: 8, heightPx: 8, reflection } as const),
    renderer: (frame) => gpu.render(frame),
    onError: ({ message }) => {
      throw new Error(message);
    },
  });
  const [framebuffer] = gl.framebuffers.generate(1);
  gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer!);
  attachBlue(gl);
  const [depth] = gl.renderbuffers.generate(1);
  gl.renderbuffers.bind(GL.RENDERBUFFER, depth!);
  gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH24_STENCIL8, 4, 2);
  gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, DEPTH_STENCIL, GL.RENDERBUFFER, depth!);
  return { gl, framebuffer: framebuffer! };
}

function detachDepth(gl: GlContext): void {
  gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, DEPTH_STENCIL, GL.RENDERBUFFER, 0);
}

function clear(gl: GlContext, [red, green, blue, alpha]: readonly number[]): void {
  gl.raster.setClearColor(red! / 255, green! / 255, blue! / 255, alpha! / 255);
  gl.clears.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
}

function readPixel(gl: GlContext, x: number, y: number): number[] {
  const pixel = new Uint8Array(4);
  const layout = { alignmentBytes: 1, rowLengthPx: 0, skipRows: 0, skipPx: 0 };
  gl.reads.read(x, y, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, pixel, layout);
  return [...pixel];
}

/** Pixels inside the intersection of all attachments, to its right, and above it. */
const readPlaces = (gl: GlContext) => [
  readPixel(gl, 3, 1),
  readPixel(gl, 4, 1),
  readPixel(gl, 3, 2),
];

describe('framebuffers with images of different sizes', () => {
  it('are cleared in the intersection of their images', () => {
    const { gl } = setUp();
    expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_COMPLETE);
    clear(gl, RED);
    expect(readPlaces(gl)).toEqual([RED, BLUE, BLUE]);
  });

  it('are drawn to in the intersection and keep all other pixels', () => {
    const { gl } = setUp();
    const program = gl.programs.create();
    for (const [type, source] of [
      [GL.VERTEX_SHADER, 'void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 64.0; }'],
      [GL.FRAGMENT_SHADER, 'out vec4 color; void main() { color = vec4(0, 1, 0, 1); }'],
    ] as const) {
      const shader = gl.shaders.create(type);
      gl.shaders.setSource(shader, `#version 300 es\nprecision highp float;\n${source}`);
      gl.shaders.compile(shader);
      gl.programs.attach(program, shader);
    }
    gl.programs.link(program);
    gl.programs.use(program);
    gl.capabilities.enable(GL.DEPTH_TEST);
    gl.clears.clear(GL.DEPTH_BUFFER_BIT);
    gl.draws.drawArrays(GL.POINTS, 0, 1);
    expect(readPlaces(gl)).toEqual([GREEN, BLUE, BLUE]);
    detachDepth(gl);
    gl.draws.drawArrays(GL.POINTS, 0, 1);
    expect(readPlaces(gl)).toEqual([GREEN, GREEN, GREEN]);
  });

  it('keep a clear made before another image was attached', () => {
    const { gl } = setUp();
    clear(gl, RED);
    detachDepth(gl);
    gl.capabilities.enable(GL.SCISSOR_TEST);
    gl.raster.setScissor(7, 7, 1, 1);
    clear(gl, GREEN);
    expect(readPlaces(gl)).toEqual([RED, BLUE, BLUE]);
    expect(readPixel(gl, 7, 7)).toEqual(GREEN);
  });

  it('are sources of copies and blits', () => {
    const { gl, framebuffer } = setUp();
    clear(gl, RED);
    const [copied] = gl.framebuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, copied!);
    attachBlue(gl);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.copies.subImage(GL.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 2);
    gl.framebuffers.bind(GL.FRAMEBUFFER, copied!);
    expect(readPlaces(gl)).toEqual([RED, BLUE, BLUE]);
    gl.framebuffers.bind(GL.READ_FRAMEBUFFER, framebuffer);
    gl.blits.blit([0, 0, 4, 2], [0, 0, 8, 4], GL.COLOR_BUFFER_BIT, GL.LINEAR);
    gl.framebuffers.bind(GL.FRAMEBUFFER, copied!);
    expect(readPixel(gl, 7, 3)).toEqual(RED);
    expect(readPixel(gl, 7, 4)).toEqual(BLUE);
  });
});
