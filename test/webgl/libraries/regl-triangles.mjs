/** regl: its batch of triangles with props, and a smaller copy of them from a texture. */
import createREGL from 'regl';

const regl = createREGL({ attributes: { antialias: true } });
const last = regl.texture();

const drawCopy = regl({
  frag: `
  precision mediump float;
  uniform sampler2D texture;
  varying vec2 uv;
  void main() {
    gl_FragColor = vec4(texture2D(texture, uv).rgb * 0.8 + 0.1, 1.0);
  }`,
  vert: `
  precision mediump float;
  attribute vec2 position;
  varying vec2 uv;
  void main() {
    uv = position;
    gl_Position = vec4(0.5 * position + vec2(0.45, -0.95), 0, 1);
  }`,
  attributes: {
    position: regl.buffer([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]),
  },
  uniforms: { texture: last },
  depth: { enable: false },
  primitive: 'triangle strip',
  count: 4,
});
const drawTriangles = regl({
  frag: `
  precision mediump float;
  uniform vec4 color;
  void main() {
    gl_FragColor = color;
  }`,
  vert: `
  precision mediump float;
  attribute vec2 position;
  uniform float angle;
  uniform vec2 offset;
  void main() {
    gl_Position = vec4(
      cos(angle) * position.x + sin(angle) * position.y + offset.x,
      -sin(angle) * position.x + cos(angle) * position.y + offset.y, 0, 1);
  }`,
  attributes: {
    position: [
      [0.5, 0],
      [0, 0.5],
      [0.5, 0.5],
    ],
  },
  uniforms: {
    color: ({ time }, { shade }) => [shade, 0.5 + 0.4 * Math.sin(time + shade * 9), 1 - shade, 1],
    angle: ({ time }, { speed }) => speed * (time + 1),
    offset: regl.prop('offset'),
  },
  blend: { enable: true, func: { src: 'src alpha', dst: 'one minus src alpha' } },
  depth: { enable: false },
  count: 3,
});

regl.frame(() => {
  regl.clear({ color: [0.05, 0.08, 0.12, 1], depth: 1 });
  drawTriangles(
    Array.from({ length: 10 }, (_, i) => ({
      offset: [((i % 5) - 2) * 0.4, Math.floor(i / 5) - 0.5],
      speed: 0.5 + i * 0.3,
      shade: i / 10,
    })),
  );
  last({ copy: true });
  drawCopy();
});
