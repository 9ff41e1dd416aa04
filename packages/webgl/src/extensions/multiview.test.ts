import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import { linkProgram, makeContext, makeContext2, readPixel } from '../testing/small-context.ts';

type Multiview = NonNullable<ReturnType<typeof getMultiview>>;

const VERSION = '#version 300 es\n';
const DIRECTIVE = `${VERSION}#extension GL_OVR_multiview2 : require\n`;
/**
 * Vertex shader that draws the square in views of this many; view i starts i pixels further right.
 */
const vertexOf = (viewCount: number, body = '') => `${DIRECTIVE}
layout(num_views = ${viewCount}) in;
layout(location = 0) in vec2 position;
out float value;
void main() {
  value = 0.0;
  gl_Position = vec4(position.x + 0.25 * float(gl_ViewID_OVR), position.y, 0, 1);
  ${body}
}`;
/** Fragment shader that writes the index of the view plus one, and a varying. */
const FRAGMENT = `${DIRECTIVE}precision highp float;
in float value;
out vec4 color;
void main() { color = vec4(float(gl_ViewID_OVR + 1u) / 255.0, value / 255.0, 0, 1); }`;
const PLAIN_VERTEX = `${VERSION}layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0, 1); }`;
const PLAIN_FRAGMENT = `${VERSION}precision highp float;
out vec4 color;
void main() { color = vec4(1); }`;

const getMultiview = (gl: TesseraContext2) => gl.getExtension('OVR_multiview2');

function start(options: object = {}) {
  const gl = makeContext2({ antialias: false, ...options });
  const extension: Multiview = getMultiview(gl)!;
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const attach = (
    texture: WebGLTexture | null,
    first: number,
    viewCount: number,
    point: number = gl.COLOR_ATTACHMENT0,
  ) =>
    extension.framebufferTextureMultiviewOVR(gl.FRAMEBUFFER, point, texture, 0, first, viewCount);
  const draw = (program: WebGLProgram | null): number => {
    gl.useProgram(program);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    return gl.getError();
  };
  const status = () => gl.checkFramebufferStatus(gl.FRAMEBUFFER);
  return { gl, extension, attach, draw, status };
}

function makeLayers(gl: TesseraContext2, layerCount: number, format: number = gl.RGBA8) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, format, 8, 8, layerCount);
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, null);
  return texture;
}

/** Returns red and green of a pixel of each layer. */
function readLayers(gl: TesseraContext2, texture: WebGLTexture, layerCount: number, x: number) {
  const before = gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING) as WebGLFramebuffer;
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const colors = Array.from({ length: layerCount }, (_, layer) => {
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, layer);
    return readPixel(gl, x, 4).slice(0, 2);
  });
  gl.bindFramebuffer(gl.FRAMEBUFFER, before);
  return colors;
}

describe('draws of OVR_multiview2', () => {
  it('draw all views, in the layers from the first view on', () => {
    const { gl, attach, draw } = start();
    const layers = makeLayers(gl, 4);
    attach(layers, 1, 3);
    expect(draw(linkProgram(gl, vertexOf(3, 'value = 7.0;'), FRAGMENT))).toBe(gl.NO_ERROR);
    const [none, first] = [
      [0, 0],
      [1, 7],
    ];
    // View i starts at pixel i.
    expect(readLayers(gl, layers, 4, 0)).toEqual([none, first, none, none]);
    expect(readLayers(gl, layers, 4, 1)).toEqual([none, first, [2, 7], none]);
    expect(readLayers(gl, layers, 4, 2)).toEqual([none, first, [2, 7], [3, 7]]);
  });

  it('take one pass per view, whatever the number of draws', () => {
    const passCounts: number[] = [];
    const { gl, attach, draw } = start();
    const [layers, depths] = [makeLayers(gl, 2), makeLayers(gl, 2, gl.DEPTH_COMPONENT24)];
    attach(layers, 0, 2);
    attach(depths, 0, 2, gl.DEPTH_ATTACHMENT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    const program = linkProgram(gl, vertexOf(2, 'value = 9.0;'), FRAGMENT);
    const behind = linkProgram(
      gl,
      vertexOf(2, 'value = 1.0; gl_Position.z = gl_ViewID_OVR == 0u ? 0.5 : -0.5;'),
      FRAGMENT,
    );
    for (let frame = 0; frame < 2; frame++) {
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      for (let i = 0; i < 5; i++) expect(draw(program)).toBe(gl.NO_ERROR);
      expect(draw(behind)).toBe(gl.NO_ERROR);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
      passCounts.push(gl.frame().report!.passes.length);
    }
    // Two views and the screen.
    expect(passCounts).toEqual([3, 3]);
    // The depth test sees the depths of its own view.
    expect(readLayers(gl, layers, 2, 7)).toEqual([
      [1, 9],
      [2, 1],
    ]);
  });

  it('read uniforms and textures by view', () => {
    const { gl, attach, draw } = start();
    const layers = makeLayers(gl, 2);
    const source = makeLayers(gl, 2);
    attach(source, 0, 2);
    draw(linkProgram(gl, vertexOf(2, 'value = float(gl_ViewID_OVR) * 4.0;'), FRAGMENT));
    attach(layers, 0, 2);
    const program = linkProgram(
      gl,
      vertexOf(2),
      `${DIRECTIVE}precision highp float;
uniform highp sampler2DArray map;
uniform float added[2];
out vec4 color;
void main() {
  color = texelFetch(map, ivec3(gl_FragCoord.xy, gl_ViewID_OVR), 0);
  color.y += added[gl_ViewID_OVR] / 255.0;
}`,
    );
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, source);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, filter, gl.NEAREST);
    }
    gl.useProgram(program);
    gl.uniform1fv(gl.getUniformLocation(program, 'added'), [10, 20]);
    expect(draw(program)).toBe(gl.NO_ERROR);
    expect(readLayers(gl, layers, 2, 7)).toEqual([
      [1, 10],
      [2, 24],
    ]);
    expect(gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS)).toBe(2);
  });

  it('count the fragments of all views', () => {
    const { gl, attach, draw } = start();
    attach(makeLayers(gl, 2), 0, 2);
    const query = gl.createQuery();
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
    // Only the second view has fragments.
    const away = 'gl_Position.x += gl_ViewID_OVR == 0u ? 4.0 : 0.0;';
    expect(draw(linkProgram(gl, vertexOf(2, away), FRAGMENT))).toBe(gl.NO_ERROR);
    gl.endQuery(gl.ANY_SAMPLES_PASSED);
    expect(gl.getQueryParameter(query, gl.QUERY_RESULT)).toBe(1);
  });

  it('need the number of views of the framebuffer', () => {
    const { gl, attach, draw } = start();
    const layers = makeLayers(gl, 2);
    const programs = [
      linkProgram(gl, PLAIN_VERTEX, PLAIN_FRAGMENT),
      linkProgram(gl, vertexOf(1), FRAGMENT),
      linkProgram(gl, vertexOf(2), FRAGMENT),
    ];
    const { NO_ERROR: fine, INVALID_OPERATION: wrong } = gl;
    const errors = () => programs.map(draw);
    attach(layers, 0, 1);
    expect(errors()).toEqual([fine, fine, wrong]);
    attach(layers, 0, 2);
    expect(errors()).toEqual([wrong, wrong, fine]);
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, layers, 0, 1);
    expect(errors()).toEqual([fine, fine, wrong]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    expect(errors()).toEqual([fine, fine, wrong]);
  });

  it('exclude transform feedback and timer queries', () => {
    const { gl, attach, draw } = start({ gpu: { timing: 'cycle' } });
    const timers = gl.getExtension('EXT_disjoint_timer_query_webgl2') as unknown as {
      readonly TIME_ELAPSED_EXT: number;
    };
    const layers = makeLayers(gl, 2);
    attach(layers, 0, 2);
    const program = gl.createProgram();
    for (const shader of gl.getAttachedShaders(linkProgram(gl, vertexOf(2), FRAGMENT))!) {
      gl.attachShader(program, shader);
    }
    gl.transformFeedbackVaryings(program, ['value'], gl.SEPARATE_ATTRIBS);
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 128, gl.DYNAMIC_DRAW);
    gl.beginTransformFeedback(gl.TRIANGLES);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.pauseTransformFeedback();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.endTransformFeedback();
    gl.beginQuery(timers.TIME_ELAPSED_EXT, gl.createQuery());
    expect(draw(program)).toBe(gl.INVALID_OPERATION);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    attach(layers, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});

describe('framebuffers of OVR_multiview2', () => {
  it('clear all views, and a part of each', () => {
    const { gl, attach } = start();
    const layers = makeLayers(gl, 4);
    attach(layers, 1, 2);
    gl.clearColor(3 / 255, 4 / 255, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(4, 0, 4, 8);
    gl.clearBufferfv(gl.COLOR, 0, [1, 1, 0, 1]);
    const [none, left, right] = [
      [0, 0],
      [3, 4],
      [255, 255],
    ];
    expect(readLayers(gl, layers, 4, 3)).toEqual([none, left, left, none]);
    expect(readLayers(gl, layers, 4, 4)).toEqual([none, right, right, none]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('can be read and copied with one view, and are no destination of blits', () => {
    const { gl, attach } = start();
    const layers = makeLayers(gl, 2);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const blit = (): number => {
      const { READ_FRAMEBUFFER, DRAW_FRAMEBUFFER } = gl;
      const framebuffer = gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING) as WebGLFramebuffer;
      gl.bindFramebuffer(DRAW_FRAMEBUFFER, null);
      gl.blitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      const from = gl.getError();
      gl.bindFramebuffer(DRAW_FRAMEBUFFER, framebuffer);
      gl.bindFramebuffer(READ_FRAMEBUFFER, null);
      gl.blitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      expect(gl.getError()).toBe(gl.INVALID_FRAMEBUFFER_OPERATION);
      gl.bindFramebuffer(READ_FRAMEBUFFER, framebuffer);
      return from;
    };
    const errors = (): number[] => {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      const read = gl.getError();
      gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 0, 0, 8, 8, 0);
      return [read, gl.getError(), blit()];
    };
    attach(layers, 1, 1);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
    expect(errors()).toEqual(Array(3).fill(gl.NO_ERROR));
    attach(layers, 0, 2);
    expect(errors()).toEqual(Array(3).fill(gl.INVALID_FRAMEBUFFER_OPERATION));
  });

  it('have the same views at all points', () => {
    const { gl, extension, attach, status } = start();
    const [point, second] = [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1];
    const [layers, others] = [makeLayers(gl, 4), makeLayers(gl, 4)];
    const differ = extension.FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR;
    attach(layers, 2, 2);
    attach(others, 2, 2, second);
    expect(status()).toBe(gl.FRAMEBUFFER_COMPLETE);
    attach(others, 1, 2, second);
    expect(status()).toBe(differ);
    attach(others, 2, 1, second);
    expect(status()).toBe(differ);
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, second, others, 0, 2);
    expect(status()).toBe(differ);
    attach(null, 0, 0, second);
    expect(status()).toBe(gl.FRAMEBUFFER_COMPLETE);
    attach(layers, 3, 2);
    expect(status()).toBe(gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    const read = (parameter: number) =>
      gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, point, parameter);
    const {
      FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR: count,
      FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR: first,
    } = extension;
    expect([read(count), read(first)]).toEqual([2, 3]);
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, point, layers, 0, 1);
    expect([read(count), read(first)]).toEqual([1, 0]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('accept views in range of array textures', () => {
    const { gl, extension, attach } = start();
    const maxViews = gl.getParameter(extension.MAX_VIEWS_OVR) as number;
    expect(maxViews).toBe(4);
    const maxLayers = gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS) as number;
    const layers = makeLayers(gl, 2);
    const errorOf = (...views: Parameters<typeof attach>): number => {
      attach(...views);
      return gl.getError();
    };
    const flat = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_3D, flat);
    expect(errorOf(flat, 0, 2)).toBe(gl.INVALID_OPERATION);
    expect(errorOf(gl.createTexture(), 0, 2)).toBe(gl.INVALID_OPERATION);
    for (const [first, count] of [
      [0, 0],
      [0, maxViews + 1],
      [-1, 2],
      [maxLayers - 1, 2],
    ] as const) {
      expect(errorOf(layers, first, count), `${first} ${count}`).toBe(gl.INVALID_VALUE);
    }
    expect(errorOf(layers, maxLayers - maxViews, maxViews)).toBe(gl.NO_ERROR);
    expect(errorOf(layers, 0, 2, gl.COLOR)).toBe(gl.INVALID_ENUM);
    expect(errorOf(null, -1, 0)).toBe(gl.NO_ERROR);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    expect(errorOf(layers, 0, 2)).toBe(gl.INVALID_OPERATION);
  });

  it('need the extension, which WebGL 1 does not have', () => {
    expect(makeContext().getExtension('OVR_multiview2')).toBeNull();
    const gl = makeContext2();
    expect(gl.getParameter(0x9631)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    const program = linkProgram(gl, vertexOf(2), FRAGMENT);
    expect(gl.getProgramParameter(program, gl.LINK_STATUS)).toBe(false);
  });
});
