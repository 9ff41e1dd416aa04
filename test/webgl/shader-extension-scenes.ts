/**
 * One scene per frame, each with an extension of the shading language. The scenes draw with plain
 * WebGL 2, so that the same file runs on every back end.
 */

/** Prelude of every vertex shader after its directives. */
const CORNER = `
layout(location = 0) in vec2 corner;
uniform float turn;
vec4 place() {
  mat2 turned = mat2(cos(turn), sin(turn), -sin(turn), cos(turn));
  return vec4(turned * corner, corner.x * 0.4, 1.2 + 0.7 * corner.y);
}
`;
const VERSION = '#version 300 es\n';
const FRAGMENT = `precision highp float;
in vec4 tint;
out vec4 color;
`;
const PLAIN_FRAGMENT = `${VERSION}${FRAGMENT}void main() { color = tint; }`;

type GL2 = WebGL2RenderingContext;

function link(gl: GL2, vertexSource: string, fragmentSource: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexSource],
    [gl.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader)!);
    }
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program)!);
  }
  gl.useProgram(program);
  return program;
}

/** Binds a grid of triangles over the square from −1 to 1; returns the number of vertices. */
function bindGrid(gl: GL2, edge: number): number {
  const corners: number[] = [];
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      const at = (line: number) => (line / edge) * 2 - 1;
      const [left, right, low, high] = [at(x), at(x + 1), at(y), at(y + 1)];
      corners.push(left, low, right, low, left, high, right, low, right, high, left, high);
    }
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return corners.length / 2;
}

function setTurn(gl: GL2, program: WebGLProgram, turn: number): void {
  gl.uniform1f(gl.getUniformLocation(program, 'turn'), turn);
}

const SCENES: Readonly<Record<string, (gl: GL2) => void>> = {
  'clip and cull distances'(gl) {
    const extension = gl.getExtension('WEBGL_clip_cull_distance');
    const vertex = `${VERSION}#extension GL_ANGLE_clip_cull_distance : require
      ${CORNER} out vec4 tint;
      void main() {
        gl_Position = place();
        gl_ClipDistance[0] = 0.8 - length(corner);
        gl_ClipDistance[2] = corner.x + 0.6;
        gl_CullDistance[1] = corner.y - corner.x * 0.5 + 0.3;
        tint = vec4(corner * 0.5 + 0.5, 1, 1);
      }`;
    const fragment = `${VERSION}#extension GL_ANGLE_clip_cull_distance : require
      ${FRAGMENT} void main() { color = tint * (0.5 + gl_ClipDistance[2] + gl_CullDistance[1]); }`;
    const program = link(gl, vertex, fragment);
    const count = bindGrid(gl, 6);
    gl.enable(extension.CLIP_DISTANCE0_WEBGL);
    gl.enable(extension.CLIP_DISTANCE0_WEBGL + 2);
    for (const turn of [0.3, 2.1]) {
      setTurn(gl, program, turn);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    }
    gl.disable(extension.CLIP_DISTANCE0_WEBGL);
    gl.disable(extension.CLIP_DISTANCE0_WEBGL + 2);
  },

  'interpolation without perspective, promised depths'(gl) {
    gl.getExtension('NV_shader_noperspective_interpolation');
    gl.getExtension('EXT_conservative_depth');
    const linear = '#extension GL_NV_shader_noperspective_interpolation : require';
    const vertex = `${VERSION}${linear}
      ${CORNER} noperspective out vec4 tint; out vec2 place3;
      void main() {
        gl_Position = place();
        tint = vec4(corner * 0.5 + 0.5, 1, 1);
        place3 = corner;
      }`;
    const fragment = `${VERSION}${linear}
      #extension GL_EXT_conservative_depth : require
      precision highp float;
      noperspective in vec4 tint;
      in vec2 place3;
      out vec4 color;
      layout(depth_greater) out float gl_FragDepth;
      void main() {
        color = vec4(tint.xy, fract(4.0 * place3.x), 1);
        gl_FragDepth = gl_FragCoord.z + 0.02 * fract(3.0 * place3.y);
      }`;
    const program = link(gl, vertex, fragment);
    const count = bindGrid(gl, 1);
    for (const turn of [0.3, 2.1]) {
      setTurn(gl, program, turn);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    }
  },

  'shading per sample'(gl) {
    gl.getExtension('OES_sample_variables');
    gl.getExtension('OES_shader_multisample_interpolation');
    const perSample = '#extension GL_OES_shader_multisample_interpolation : require';
    const vertex = `${VERSION}${perSample}
      ${CORNER} sample out vec2 tint;
      void main() { gl_Position = place(); tint = corner; }`;
    const fragment = `${VERSION}${perSample}
      #extension GL_OES_sample_variables : require
      precision highp float;
      uniform sampler2D checks;
      uniform int lookups;
      sample in vec2 tint;
      out vec4 color;
      void main() {
        if (tint.x + tint.y > 1.5) discard;
        vec4 sum = vec4(0);
        for (int i = 0; i < lookups + gl_SampleID; i++) {
          sum += texture(checks, (5.0 + float(i)) * tint + gl_SamplePosition);
        }
        color = vec4(fract(20.0 * tint), 0, 1) * 0.6 + 0.1 * sum;
        gl_SampleMask[0] = fract(9.0 * tint.y) < 0.5 ? -1 : 1 << (gl_NumSamples - 1);
      }`;
    const program = link(gl, vertex, fragment);
    const count = bindGrid(gl, 2);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const texels = Uint8Array.from({ length: 1024 }, (_, i) => (i * 37) % 256);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 16, 16, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.uniform1i(gl.getUniformLocation(program, 'lookups'), 2);
    for (const turn of [0.3, 2.1]) {
      setTurn(gl, program, turn);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    }
  },

  'places of interpolation, coverage'(gl) {
    gl.getExtension('OES_sample_variables');
    gl.getExtension('OES_shader_multisample_interpolation');
    const vertex = `${VERSION}${CORNER} out vec2 tint[2];
      void main() { gl_Position = place(); tint[0] = corner; tint[1] = corner.yx; }`;
    const places = `${VERSION}#extension GL_OES_shader_multisample_interpolation : require
      precision highp float;
      in vec2 tint[2];
      out vec4 color;
      void main() {
        vec2 low = interpolateAtOffset(tint[0], vec2(-0.5, 0.4375));
        vec2 last = interpolateAtSample(tint[1], 3);
        float inside = interpolateAtCentroid(tint[1]).x;
        color = vec4(fract(9.0 * low.x) + 0.3 * low.y, 0.5 + 0.4 * inside, fract(9.0 * last.x), 1);
      }`;
    const coverage = `${VERSION}#extension GL_OES_sample_variables : require
      precision highp float;
      in vec2 tint[2];
      out vec4 color;
      void main() {
        int samples = gl_SampleMaskIn[0];
        float covered = float((samples & 1) + ((samples >> 1) & 1) + ((samples >> 2) & 1));
        color = vec4(covered / float(gl_NumSamples), fract(7.0 * tint[1]), 1);
      }`;
    const count = bindGrid(gl, 2);
    setTurn(gl, link(gl, vertex, places), 0.3);
    gl.drawArrays(gl.TRIANGLES, 0, count);
    setTurn(gl, link(gl, vertex, coverage), 2.1);
    gl.enable(gl.SAMPLE_COVERAGE);
    gl.sampleCoverage(0.5, false);
    gl.drawArrays(gl.TRIANGLES, 0, count);
    gl.disable(gl.SAMPLE_COVERAGE);
  },

  'flat colors of the first vertex'(gl) {
    const extension = gl.getExtension('WEBGL_provoking_vertex') as unknown as {
      readonly FIRST_VERTEX_CONVENTION_WEBGL: number;
      readonly LAST_VERTEX_CONVENTION_WEBGL: number;
      provokingVertexWEBGL(mode: number): void;
    };
    const vertex = `${VERSION}${CORNER} flat out vec4 tint;
      void main() {
        gl_Position = place();
        tint = vec4(fract(corner * 3.7), fract(float(gl_VertexID) * 0.37), 1);
      }`;
    const program = link(gl, vertex, PLAIN_FRAGMENT.replace('in vec4', 'flat in vec4'));
    const count = bindGrid(gl, 5);
    setTurn(gl, program, 0.4);
    extension.provokingVertexWEBGL(extension.FIRST_VERTEX_CONVENTION_WEBGL);
    gl.drawArrays(gl.TRIANGLES, 0, count);
    setTurn(gl, program, 1.3);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, count);
    gl.drawArrays(gl.TRIANGLE_FAN, 0, 40);
    setTurn(gl, program, 2);
    gl.drawArrays(gl.LINE_LOOP, 0, count);
    extension.provokingVertexWEBGL(extension.LAST_VERTEX_CONVENTION_WEBGL);
    setTurn(gl, program, 2.5);
    gl.drawArrays(gl.TRIANGLES, 60, 40);
  },

  'two source colors'(gl) {
    const { SRC1_COLOR_WEBGL, ONE_MINUS_SRC1_COLOR_WEBGL } = gl.getExtension(
      'WEBGL_blend_func_extended',
    ) as unknown as Readonly<Record<string, number>>;
    const vertex = `${VERSION}${CORNER} out vec4 tint;
      void main() { gl_Position = place(); tint = vec4(corner * 0.5 + 0.5, 0.3, 1); }`;
    const fragment = `${VERSION}#extension GL_EXT_blend_func_extended : require
      precision highp float;
      in vec4 tint;
      layout(location = 0) out vec4 color;
      layout(location = 0, index = 1) out vec4 weight;
      void main() { color = tint; weight = vec4(fract(3.0 * tint.yx), tint.x, 1) * 0.9; }`;
    const program = link(gl, vertex, fragment);
    const count = bindGrid(gl, 3);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(SRC1_COLOR_WEBGL!, ONE_MINUS_SRC1_COLOR_WEBGL!);
    for (const turn of [0.5, 1.7, 2.9]) {
      setTurn(gl, program, turn);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    }
    gl.disable(gl.BLEND);
  },

  'several views'(gl) {
    const extension = gl.getExtension('OVR_multiview2')!;
    const edgePx = 64;
    const attachLayers = (point: number, format: number): WebGLTexture => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, format, edgePx, edgePx, 4);
      const { FRAMEBUFFER } = gl;
      extension.framebufferTextureMultiviewOVR(FRAMEBUFFER, point, texture, 0, 1, 3);
      return texture;
    };
    const vertex = `${VERSION}#extension GL_OVR_multiview2 : require
      layout(num_views = 3) in;
      ${CORNER} out vec4 tint;
      void main() {
        gl_Position = place() + vec4(0.3 * float(gl_ViewID_OVR) - 0.3, 0, 0, 0);
        tint = vec4(corner * 0.5 + 0.5, 0.2, 1);
      }`;
    const fragment = `${VERSION}#extension GL_OVR_multiview2 : require
      ${FRAGMENT} void main() { color = tint + vec4(0, 0, 0.3 * float(gl_ViewID_OVR), 0); }`;
    const program = link(gl, vertex, fragment);
    const count = bindGrid(gl, 3);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const views = attachLayers(gl.COLOR_ATTACHMENT0, gl.RGBA8);
    attachLayers(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24);
    gl.viewport(0, 0, edgePx, edgePx);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const turn of [0.3, 1.6]) {
      setTurn(gl, program, turn);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, views);
    const shown = link(
      gl,
      `${VERSION}${CORNER} out vec4 tint;
      void main() { gl_Position = vec4(corner, 0, 1); tint.xy = corner * 0.5 + 0.5; }`,
      `${VERSION}${FRAGMENT} uniform highp sampler2DArray views;
      void main() {
        float layer = 1.0 + floor(tint.x * 3.0);
        color = texture(views, vec3(fract(tint.x * 3.0), tint.y, layer));
      }`,
    );
    setTurn(gl, shown, 0);
    gl.drawArrays(gl.TRIANGLES, 0, count);
  },

  'several draws in one call'(gl) {
    const extension = gl.getExtension('WEBGL_multi_draw')!;
    const vertex = `${VERSION}#extension GL_ANGLE_multi_draw : require
      ${CORNER} out vec4 tint;
      void main() {
        gl_Position = place() + vec4(0, 0.2 * float(gl_DrawID % 2), 0, 0);
        tint = vec4(float(gl_DrawID) / 9.0, corner * 0.5 + 0.5, 1);
      }`;
    const program = link(gl, vertex, PLAIN_FRAGMENT);
    bindGrid(gl, 3);
    setTurn(gl, program, 0.7);
    const firsts = Array.from({ length: 9 }, (_, i) => 6 * i);
    const counts = firsts.map(() => 6);
    extension.multiDrawArraysWEBGL(gl.TRIANGLES, firsts, 0, counts, 0, 9);
  },
};

/** Names of the scenes, by frame. */
export const sceneNames = Object.keys(SCENES);

/** Returns the function that draws a frame: one scene. */
export function main({ gl }: { readonly gl: GL2 }): (frame: number) => void {
  return (frame) => {
    const name = sceneNames[frame]!;
    gl.clearColor(0.1, 0.2, 0.3, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    SCENES[name]!(gl);
    const error = gl.getError();
    if (error !== gl.NO_ERROR) throw new Error(`${name}: error ${error}`);
  };
}
