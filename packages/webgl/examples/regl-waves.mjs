/**
 * regl on WebGL 1: a wavy sheet drawn with elements into a framebuffer, then drawn to the screen
 * through a lens.
 */
import createRegl from 'regl';

/** Caption of the page that shows this program. */
export const title = 'regl: waves through a lens';
/** Kind of context that this program needs; examples without this export use `webgl2`. */
export const contextName = 'webgl';

const EDGE = 40;

/** Returns the points of a grid of EDGE×EDGE squares, and two triangles for each square. */
function makeSheet() {
  const points = [];
  const cells = [];
  for (let y = 0; y <= EDGE; y++) {
    for (let x = 0; x <= EDGE; x++) {
      points.push([(x / EDGE) * 2 - 1, (y / EDGE) * 2 - 1]);
      const at = y * (EDGE + 1) + x;
      if (x < EDGE && y < EDGE) {
        cells.push([at, at + 1, at + EDGE + 1], [at + 1, at + EDGE + 2, at + EDGE + 1]);
      }
    }
  }
  return { points, cells };
}

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGLRenderingContext }} page */
export function main({ canvas, gl }) {
  const regl = createRegl({ gl, attributes: { antialias: false } });
  const target = regl.framebuffer({
    color: regl.texture({ width: 512, height: 256, mag: 'linear', min: 'linear' }),
    depth: true,
    stencil: false,
  });
  const { points, cells } = makeSheet();

  const drawSheet = regl({
    framebuffer: target,
    vert: `
      precision highp float;
      attribute vec2 point;
      uniform float phase;
      varying float height;
      void main() {
        float away = length(point);
        height = cos(away * 9.0 - phase) * exp(-away);
        float depth = point.y * 0.5 + 2.0;
        gl_Position = vec4(point.x * 1.7, point.y * 0.9 - 0.3 + height * 0.5, point.y * 0.5, depth);
      }`,
    frag: `
      precision highp float;
      varying float height;
      void main() {
        float level = fract(height * 6.0);
        vec3 color = mix(vec3(0.05, 0.2, 0.5), vec3(0.9, 0.95, 0.7), height * 0.6 + 0.5);
        gl_FragColor = vec4(color * (level < 0.12 ? 0.6 : 1.0), 1.0);
      }`,
    attributes: { point: points },
    elements: cells,
    uniforms: { phase: regl.prop('phase') },
    depth: { enable: true },
  });

  const drawLens = regl({
    vert: `
      precision highp float;
      attribute vec2 corner;
      varying vec2 at;
      void main() {
        at = corner * 0.5 + 0.5;
        gl_Position = vec4(corner, 0.0, 1.0);
      }`,
    frag: `
      precision highp float;
      uniform sampler2D image;
      uniform vec2 aspect;
      varying vec2 at;
      void main() {
        vec2 away = (at - vec2(0.62, 0.45)) * aspect;
        float inside = 1.0 - smoothstep(0.26, 0.27, length(away));
        vec2 lens = vec2(0.62, 0.45) + away / aspect * 0.55;
        vec4 color = texture2D(image, mix(at, lens, inside));
        float rim = smoothstep(0.25, 0.26, length(away)) * inside;
        gl_FragColor = vec4(color.rgb * (1.0 - 0.7 * rim), 1.0);
      }`,
    attributes: { corner: [-1, -1, 3, -1, -1, 3] },
    uniforms: { image: target, aspect: [canvas.width / canvas.height, 1] },
    count: 3,
    depth: { enable: false },
  });

  return (frame) => {
    regl.poll();
    regl.clear({ color: [0.02, 0.04, 0.08, 1], depth: 1, framebuffer: target });
    drawSheet({ phase: 1 + frame * 0.4 });
    regl.clear({ color: [0, 0, 0, 1], depth: 1 });
    drawLens();
  };
}
