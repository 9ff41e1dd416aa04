/** WebGL 2 without a library: one triangle with a color at each corner. */
export const title = 'triangle';

/** @param {{ gl: WebGL2RenderingContext }} page */
export function main({ gl }) {
  const program = gl.createProgram();
  for (const [type, source] of [
    [
      gl.VERTEX_SHADER,
      `#version 300 es
      layout(location = 0) in vec2 corner;
      layout(location = 1) in vec3 color;
      uniform float angle;
      out vec3 shade;
      void main() {
        mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
        shade = color;
        gl_Position = vec4(turn * corner * vec2(0.5625, 1.0), 0.0, 1.0);
      }`,
    ],
    [
      gl.FRAGMENT_SHADER,
      `#version 300 es
      precision highp float;
      in vec3 shade;
      out vec4 fragColor;
      void main() { fragColor = vec4(shade, 1.0); }`,
    ],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
      throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);

  const corners = new Float32Array([
    0, 0.8, 1, 0.3, 0.2, -0.7, -0.5, 0.2, 0.9, 0.3, 0.7, -0.5, 0.2, 0.4, 1,
  ]);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, 0);
  gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 20, 8);
  gl.enableVertexAttribArray(0);
  gl.enableVertexAttribArray(1);
  const angle = gl.getUniformLocation(program, 'angle');

  return (frame) => {
    gl.clearColor(0.08, 0.09, 0.12, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform1f(angle, frame * 0.2);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
}
