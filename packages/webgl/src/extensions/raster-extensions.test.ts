import { describe, expect, it } from 'vitest';
import type { TesseraContext, TesseraContext2 } from '../create-context.ts';
import {
  COLOR_SOURCE,
  linkProgram,
  makeContext,
  makeContext2,
  readPixel,
} from '../testing/small-context.ts';

type Context = TesseraContext | TesseraContext2;

/** Methods and constants of the extensions, which TypeScript does not declare. */
interface Raster {
  readonly [constant: `${string}_EXT` | `${string}_WEBGL`]: number;
  clipControlEXT(origin: number, depth: number): void;
  polygonOffsetClampEXT(factor: number, units: number, clamp: number): void;
  polygonModeWEBGL(face: number, mode: number): void;
}

const find = (gl: Context, name: string): Raster => gl.getExtension(name) as unknown as Raster;

const SOLID_SOURCE = `attribute vec3 position;
void main() { gl_Position = vec4(position, 1.0); }`;

/** Uses a program that draws the vertices in the color. Draws are tested by depth. */
function draw(gl: Context, vertices: readonly number[], color: readonly number[]): void {
  const program = linkProgram(gl, SOLID_SOURCE, COLOR_SOURCE);
  gl.useProgram(program);
  gl.uniform4fv(gl.getUniformLocation(program, 'color'), color);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(vertices), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  gl.drawArrays(gl.TRIANGLES, 0, vertices.length / 3);
}

/** Triangle over the whole drawing buffer at a depth. */
const cover = (z: number) => [-1, -1, z, 3, -1, z, -1, 3, z];
const RED = [1, 0, 0, 1];
const GREEN = [0, 1, 0, 1];
const [RED_PIXEL, GREEN_PIXEL, NO_PIXEL] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 0, 0],
];

describe.each([
  ['WebGL 1', makeContext],
  ['WebGL 2', makeContext2],
] as const)('extensions of rasterization in %s', (_version, make) => {
  it('map clip coordinates by origin and depth', () => {
    const gl: Context = make({ antialias: false });
    const extension = find(gl, 'EXT_clip_control');
    expect(gl.getParameter(extension.CLIP_ORIGIN_EXT)).toBe(extension.LOWER_LEFT_EXT);
    expect(gl.getParameter(extension.CLIP_DEPTH_MODE_EXT)).toBe(extension.NEGATIVE_ONE_TO_ONE_EXT);
    extension.clipControlEXT(extension.UPPER_LEFT_EXT, extension.ZERO_TO_ONE_EXT);
    expect(gl.getParameter(extension.CLIP_ORIGIN_EXT)).toBe(extension.UPPER_LEFT_EXT);
    expect(gl.getParameter(extension.CLIP_DEPTH_MODE_EXT)).toBe(extension.ZERO_TO_ONE_EXT);
    gl.enable(gl.CULL_FACE);
    // The lower half, which the origin moves to the top. Its front faces stay the same.
    draw(gl, [-1, -1, 0.5, 1, -1, 0.5, -1, 0, 0.5, -1, 0, 0.5, 1, -1, 0.5, 1, 0, 0.5], RED);
    expect([readPixel(gl, 1, 1), readPixel(gl, 1, 6)]).toEqual([NO_PIXEL, RED_PIXEL]);
    draw(gl, cover(-0.25), GREEN);
    expect(readPixel(gl, 1, 6)).toEqual(RED_PIXEL);
    extension.clipControlEXT(extension.LOWER_LEFT_EXT, gl.LINES);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getParameter(extension.CLIP_ORIGIN_EXT)).toBe(extension.UPPER_LEFT_EXT);
  });

  it('clamp depth to the depth range', () => {
    const gl: Context = make({ antialias: false });
    gl.enable(0x864f);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    const { DEPTH_CLAMP_EXT } = find(gl, 'EXT_depth_clamp');
    draw(gl, cover(-3), RED);
    expect(readPixel(gl)).toEqual(NO_PIXEL);
    gl.enable(DEPTH_CLAMP_EXT);
    expect(gl.isEnabled(DEPTH_CLAMP_EXT)).toBe(true);
    expect(gl.getParameter(DEPTH_CLAMP_EXT)).toBe(true);
    gl.depthRange(0.5, 0.75);
    draw(gl, cover(-3), RED);
    gl.depthRange(0, 1);
    draw(gl, cover(0.01), GREEN);
    expect(readPixel(gl)).toEqual(RED_PIXEL);
    draw(gl, cover(-0.01), GREEN);
    expect(readPixel(gl)).toEqual(GREEN_PIXEL);
  });

  it('bound the polygon offset', () => {
    const gl: Context = make({ antialias: false });
    const extension = find(gl, 'EXT_polygon_offset_clamp');
    gl.enable(gl.POLYGON_OFFSET_FILL);
    extension.polygonOffsetClampEXT(0, 2 ** 23, 0.25);
    expect(gl.getParameter(extension.POLYGON_OFFSET_CLAMP_EXT)).toBe(0.25);
    draw(gl, cover(-0.5), RED);
    gl.polygonOffset(0, 0);
    expect(gl.getParameter(extension.POLYGON_OFFSET_CLAMP_EXT)).toBe(0);
    // The first draw is at window depth 0.25 + 0.25.
    draw(gl, cover(0.01), GREEN);
    expect(readPixel(gl)).toEqual(RED_PIXEL);
    draw(gl, cover(-0.01), GREEN);
    expect(readPixel(gl)).toEqual(GREEN_PIXEL);
  });

  it('draw outlines of triangles', () => {
    const gl: Context = make({ antialias: false });
    const extension = find(gl, 'WEBGL_polygon_mode');
    expect(gl.getParameter(extension.POLYGON_MODE_WEBGL)).toBe(extension.FILL_WEBGL);
    extension.polygonModeWEBGL(gl.FRONT_AND_BACK, extension.LINE_WEBGL);
    expect(gl.getParameter(extension.POLYGON_MODE_WEBGL)).toBe(extension.LINE_WEBGL);
    gl.enable(extension.POLYGON_OFFSET_LINE_WEBGL);
    expect(gl.getParameter(extension.POLYGON_OFFSET_LINE_WEBGL)).toBe(true);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    draw(gl, [-0.9, -0.9, 0, 0.9, -0.9, 0, -0.9, 0.9, 0], RED);
    expect([readPixel(gl, 3, 0), readPixel(gl, 2, 2)]).toEqual([RED_PIXEL, NO_PIXEL]);
    for (const [face, mode] of [
      [gl.FRONT, extension.LINE_WEBGL],
      [gl.FRONT_AND_BACK, 0x1b00],
    ] as const) {
      extension.polygonModeWEBGL(face, mode);
      expect(gl.getError()).toBe(gl.INVALID_ENUM);
    }
  });

  it('mirror texture coordinates once', () => {
    const gl: Context = make({ antialias: false });
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const { MIRROR_CLAMP_TO_EDGE_EXT } = { MIRROR_CLAMP_TO_EDGE_EXT: 0x8743 };
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, MIRROR_CLAMP_TO_EDGE_EXT);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(find(gl, 'EXT_texture_mirror_clamp_to_edge').MIRROR_CLAMP_TO_EDGE_EXT).toBe(
      MIRROR_CLAMP_TO_EDGE_EXT,
    );
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, MIRROR_CLAMP_TO_EDGE_EXT);
    expect(gl.getTexParameter(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S)).toBe(MIRROR_CLAMP_TO_EDGE_EXT);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const texels = Uint8Array.of(...RED_PIXEL, ...GREEN_PIXEL);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    const program = linkProgram(
      gl,
      SOLID_SOURCE,
      `precision mediump float;
      uniform sampler2D image;
      uniform float s;
      void main() { gl_FragColor = texture2D(image, vec2(s, 0.5)); }`,
    );
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(cover(0)), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.useProgram(program);
    const sample = (s: number) => {
      gl.uniform1f(gl.getUniformLocation(program, 's'), s);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      return readPixel(gl);
    };
    expect([-1.75, -0.75, -0.25, 0.25, 0.75, 1.25].map(sample)).toEqual([
      GREEN_PIXEL,
      GREEN_PIXEL,
      RED_PIXEL,
      RED_PIXEL,
      GREEN_PIXEL,
      GREEN_PIXEL,
    ]);
  });
});
